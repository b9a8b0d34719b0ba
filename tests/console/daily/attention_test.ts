import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { until } from "#tests/support/until.ts";
import { atRest, fillConsole } from "../filled.ts";

longTest({
  name:
    "an invoice rejected by the public portal is shown on Home, in the list and on its page until it is handled",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      await fillConsole(url, folder);
      await atRest(url);
      const sandbox = await readSandbox(product);
      await sandbox.incoming({ invoiceNumber: "RI-100003", status: "251", reason: "REJ_COH" });
      await until(async () => {
        const answer = await fetch(`${url}/api/invoices?attention=portal-refused`);
        return (await answer.json()).total === 1;
      }, "the refusal to be recorded");
      await using browser = await startBrowser();
      const reader = await browser.reader({ url });
      const { page, complaints } = reader;
      await page.goto("/");
      await page.getByRole("link", { name: "Refused by the public portal" }).click();
      const row = page.getByRole("row").filter({ hasText: "RI-100003" });
      await row.getByText("Deposited").waitFor();
      await row.getByText("Refused by the public portal").waitFor();
      await page.getByRole("button", { name: /^Remove the filter .*Refused by the public portal/ })
        .waitFor();
      assertEquals(await page.getByRole("row").count(), 2, "the head and one invoice");
      assertEquals(await reader.violations(), []);
      await row.getByRole("link", { name: "RI-100003" }).click();
      await page.getByRole("heading", { level: 1 }).getByText("Refused by the public portal")
        .waitFor();
      const note = page.getByRole("alert").filter({ hasText: "refused the tax data" });
      await note.getByText("reported by the public portal").waitFor();
      await note.getByText("(REJ_COH)").waitFor();
      await note.getByText("issue a credit note").waitFor();
      assertEquals(await reader.violations(), []);
      await note.getByRole("button", { name: "Mark as handled" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "How you handled it" }).fill(
        "The platform sent it again",
      );
      await dialog.getByRole("button", { name: "Mark as handled" }).click();
      await note.waitFor({ state: "detached" });
      await page.goto("/invoices?attention=any");
      await page.getByText("No invoice matches these filters").waitFor();

      await sandbox.incoming({
        invoiceNumber: "RI-100006",
        status: "501",
        reason: "IRR_SYNTAX",
        comment: "The XML is unreadable",
      });
      await page.getByRole("link", { name: "RI-100006" }).click();
      const one = page.getByRole("main").getByRole("alert");
      await one.filter({ hasText: "The XML is unreadable" }).waitFor();
      await one.getByRole("button", { name: "Import corrected file" }).waitFor();
      assertEquals(await one.filter({ hasText: "File not receivable" }).count(), 0, "one note");
      await one.getByRole("button", { name: "Mark as handled" }).click();
      await dialog.getByRole("textbox").fill("Cancelled");
      await dialog.getByRole("button", { name: "Mark as handled" }).click();
      await one.getByRole("button", { name: "Mark as handled" }).waitFor({ state: "detached" });

      await sandbox.incoming({ invoiceNumber: "RI-100007", status: "221", reason: "ROUTAGE_ERR" });
      await page.goto("/invoices?attention=not-routed");
      await page.getByRole("link", { name: "RI-100007" }).click();
      const notRouted = page.getByRole("alert").filter({ hasText: "could not be routed" });
      await notRouted.getByRole("button", { name: "Send again" }).click();
      await dialog.getByText("sent unchanged to the recipient's address").waitFor();
      assertEquals(await reader.violations(), []);
      await dialog.getByRole("button", { name: "Send again" }).click();
      await notRouted.waitFor({ state: "detached" });
      assertEquals(complaints, []);
    }),
});
