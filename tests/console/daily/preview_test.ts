import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { erpBurst } from "#tests/support/erp.ts";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually, until } from "#tests/support/until.ts";

Deno.test({
  name: "a preview shows what a file would replace, and resending a held invoice needs a reason",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      const choose = (name: string, text: string) =>
        page.getByLabel("Choose files").last().setInputFiles({
          name,
          mimeType: "text/xml",
          buffer: Buffer.from(text),
        });
      const erp = await erpBurst(2);
      await page.goto("/process");
      await choose("first.xml", erp);
      await page.getByRole("button", { name: "Check and send" }).click();
      await page.getByText("2 of 2 done").waitFor();

      await t.step("the dialog lists outcomes, amounts and reasons", async () => {
        await page.goto("/process");
        let seen = 0;
        await choose(
          "corrected.xml",
          (await erpBurst(3)).replace(
            /(<NameAlpha_ID18>)[^<]+/g,
            (whole, open) => seen++ === 1 ? `${open}Corrected` : whole,
          ),
        );
        await page.getByRole("switch", { name: "Replace invoices not sent yet" }).check();
        await page.getByRole("button", { name: "Check and send" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText("Before anything is replaced").waitFor();
        const row = (name: string) => dialog.getByRole("row").filter({ hasText: name });
        await row("Already recorded, unchanged").getByText("1", { exact: true }).waitFor();
        await row("Not replaced, other content").getByText("1", { exact: true }).waitFor();
        await row("New").getByText(/€/).waitFor();
        await dialog.getByText(/credit note \(381\) or a corrective invoice \(384\)/).waitFor();
        await dialog.getByRole("button", { name: "Check and send" }).click();
        await page.getByText("3 of 3 done").waitFor();
        await page.getByText(/^Already recorded, unchanged: 1/).waitFor();
        await page.getByText("Why invoices failed or were not replaced").waitFor();
      });

      await t.step("an ERP document that failed before is announced, and then sent", async () => {
        const sandbox = await readSandbox(product);
        const isSent = async () =>
          (await sandbox.journal()).some((it) => JSON.stringify(it).includes("RI-920000"));
        const good = await erpBurst(1, 920_000);
        await page.goto("/process");
        await choose("day.xml", good.replace(/<IBAN_ID23>[^<]*<\/IBAN_ID23>/, ""));
        await page.getByRole("button", { name: "Check and send" }).click();
        await page.getByText("1 of 1 done, 1 of them failed").waitFor();
        await page.goto("/process");
        await choose("day.xml", good);
        await page.getByRole("button", { name: "Preview only" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("row").filter({ hasText: "New" }).getByText(/€/).waitFor();
        const send = dialog.getByRole("button", { name: "Check and send" });
        await eventually(() => send.isEnabled(), true);
        await eventually(() => dialog.getByRole("button", { name: "Import" }).count(), 0);
        assertEquals(await isSent(), false);
        const tab = await openInvoices(page);
        await tab.getByText("Preview finished", { exact: true }).waitFor();
        await tab.getByText("1 checked", { exact: true }).waitFor();
        await tab.getByRole("button", { name: "Check and send" }).click();
        await tab.getByText("1 of 1 done").waitFor();
        await tab.close();
        await dialog.getByRole("row").filter({ hasText: "New" }).waitFor(); // the preview stays
        await eventually(isSent, true);
      });

      await t.step(
        "the preview is awaited, and its file keeps the name that the user gave",
        async () => {
          const wrong = (await erpBurst(1, 930_000)).replace(/(_ID501>)[^<]+/, "$199999,99");
          await page.goto("/process");
          await choose("day.xml", wrong);
          let isHeld = true;
          await page.route("**/api/runs/*?*", async (route) => {
            await until(() => !isHeld, "the preview to be shown");
            await route.continue();
          });
          await page.getByRole("button", { name: "Preview only" }).click();
          const dialog = page.getByRole("dialog");
          const send = dialog.getByRole("button", { name: "Check and send" });
          await send.waitFor();
          assertEquals(await send.isDisabled(), true);
          isHeld = false;
          await dialog.getByRole("button", { name: "Import", exact: true }).waitFor();
          await eventually(() => send.count(), 0, "the only invoice is not valid");
          await page.unroute("**/api/runs/*?*");
          const tab = await openInvoices(page);
          await tab.getByRole("heading", { name: "day.xml" }).waitFor();
          await tab.close();
        },
      );

      await t.step("a file that ends too early is named as such, before and after", async () => {
        await page.goto("/process");
        const whole = (await erpBurst(5)).replace(/(_ID501>)[^<]+/, "$199,99");
        await choose("cut.xml", whole.slice(0, whole.lastIndexOf("<Invoice_Total_S40>")));
        await page.getByRole("button", { name: "Preview only" }).click();
        const dialog = page.getByRole("dialog");
        const note = "The file is incomplete: its last invoices are missing";
        await dialog.getByRole("alert").getByText(note).waitFor();
        await eventually(() => dialog.getByText("input/preview").count(), 0);
        await dialog.getByRole("button", { name: "Check and send" }).click();
        await page.getByRole("alert").getByText(note).waitFor();
        await page.getByText("Why invoices failed").waitFor();
      });

      await t.step("the input folder is imported after a question", async () => {
        await page.getByRole("link", { name: "All imports" }).click();
        await page.getByRole("button", { name: "Import the input folder" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByText(/their valid invoices are sent/).waitFor();
        await dialog.getByRole("button", { name: "Import the input folder" }).click();
        await page.getByText("Imports started: 0, refused: 0").waitFor();
      });

      await t.step("a file without an invoice to send offers no sending", async () => {
        await page.goto("/process");
        await choose("foreign.xml", "<Order/>");
        await page.getByRole("button", { name: "Preview only" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("alert").getByText("The file cannot be imported").waitFor();
        await dialog.getByText(/^This file has no invoice for the template R42565\. Check/)
          .waitFor();
        await dialog.getByText("There is no invoice to send.").waitFor();
        const begin = dialog.getByRole("button", {
          name: /^(Check and send|Import$)/,
        });
        await eventually(() => begin.count(), 0);
        await dialog.getByRole("button", { name: "Go back" }).click();
        await page.goto("/process");
        const wrong = (await erpBurst(1, 910_000))
          .replace(/(<AmountGross_ID501>)[^<]+/g, (_, open) => `${open}99999,99`);
        await choose("wrong.xml", wrong);
        await page.getByRole("button", { name: "Preview only" }).click();
        await dialog.getByRole("button", { name: "Import", exact: true }).waitFor();
        await dialog.getByText(/It would send those that became valid meanwhile/).waitFor();
        await eventually(() => begin.count(), 1, "no sending is offered");
        await dialog.getByText("RI-910000", { exact: true }).waitFor();
        await dialog.getByRole("button", { name: "Go back" }).click();
      });

      await t.step("a corrected file is previewed with replacement, and then sent", async () => {
        const good = await erpBurst(1, 940_000);
        await page.goto("/process");
        await choose("rejected.xml", good.replace(/(_ID501>)[^<]+/, "$199999,99"));
        await page.getByRole("button", { name: "Check and send" }).click();
        await page.getByText("1 of 1 done, 1 of them failed").waitFor();
        await page.goto("/process");
        await choose("mended.xml", good);
        await page.getByRole("button", { name: "Check and send" }).click();
        await page.getByText("Finished, to compare").waitFor();
        const replace = page.getByRole("button", { name: "Preview with replacement" });
        await replace.click();
        await page.getByText(/^Replaced: 1/).waitFor();
        await page.goto("/process");
        await choose("mended.xml", good);
        await page.getByRole("button", { name: "Preview only" }).click();
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("row").filter({ hasText: "Not replaced" }).waitFor();
        await replace.click();
        await dialog.getByText("Before anything is replaced").waitFor();
        await dialog.getByRole("row").filter({ hasText: "Replaced" }).waitFor();
        await eventually(() => replace.count(), 0);
        await dialog.getByRole("button", { name: "Check and send" }).click();
        await page.getByRole("heading", { name: /mended/ }).waitFor();
        await page.getByText(/^Sent: 1/).waitFor();
        await page.goto("/process");
        await page.getByRole("row").filter({ hasText: "mended" })
          .getByText("Finished, failures corrected").waitFor();
      });

      await t.step("a file added during a preview is neither sent with it nor lost", async () => {
        await page.goto("/process");
        await choose("seen.xml", await erpBurst(1, 950_000));
        let isHeld = true;
        await page.route("**/api/upload?*", async (route) => {
          await until(() => !isHeld, "the other file to be chosen");
          await route.continue();
        });
        await page.getByRole("button", { name: "Preview only" }).click();
        await choose("late.xml", await erpBurst(1, 960_000));
        await page.getByText("Files chosen: 2").waitFor();
        isHeld = false;
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("row").filter({ hasText: "New" }).waitFor();
        await dialog.getByRole("button", { name: "Check and send" }).click();
        await page.getByRole("region", { name: "Imports" }).getByRole("link", { name: "seen.xml" })
          .waitFor();
        await page.getByText("Files chosen: 1").waitFor();
        await page.unroute("**/api/upload?*");
        await page.getByRole("button", { name: "Remove late.xml" }).click();
      });

      await t.step("the list shows previews only to those who look for them", async () => {
        await page.goto("/process");
        const list = page.getByRole("region", { name: "Imports" });
        await list.getByRole("link", { name: "cut.xml" }).waitFor();
        await eventually(() => list.getByRole("link", { name: "foreign.xml" }).count(), 0);
        await page.getByRole("combobox", { name: "Show" }).click();
        await page.getByRole("option", { name: "Previews" }).click(); // searches at once
        const foreign = list.getByRole("row").filter({ hasText: "foreign.xml" });
        await foreign.getByText("Not importable").waitFor();
        await list.getByRole("link", { name: "wrong.xml" }).click();
        await page.getByText("RI-910000").first().waitFor();
        await page.getByRole("button", { name: "Import", exact: true }).waitFor();
        await page.getByText("Preview finished, with failures").waitFor();
        await page.getByText("1 checked, 1 of them failed").waitFor();
      });

      await t.step("a held invoice is sent again with a reason", async () => {
        await page.goto("/invoices/500000-RI-00001");
        await page.getByRole("button", { name: "Actions" }).click();
        await page.getByRole("menuitem", { name: "Send again" }).click();
        const dialog = page.getByRole("dialog");
        const send = dialog.getByRole("button", { name: "Send again" });
        await dialog.getByText(/The platform already has this document/).waitFor();
        await eventually(() => send.isDisabled(), true);
        await dialog.getByLabel("Why is it sent again?").fill("The PA lost it");
        await send.click();
        await dialog.waitFor({ state: "detached" });
        await page.goto("/invoices/500000-RI-00001?tab=history");
        await page.getByText("Sent again by force: The PA lost it").waitFor();
      });
      assertEquals(complaints, []);
    }),
});

/** Opens the invoices of the preview, which have a tab of their own. */
async function openInvoices(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent("page");
  await page.getByRole("dialog").getByRole("link", { name: "See every invoice" }).click();
  return await opened;
}
