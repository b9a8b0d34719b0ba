import { assert, assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually, until } from "#tests/support/until.ts";
import { IMPATIENT } from "../filled.ts";

/** Number of invoices with a wrong total; the PA fails at the one after them. */
const WRONG = 13;

Deno.test({
  name: "failures and their causes need few clicks from Home",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, ...IMPATIENT });
      const sandbox = await readSandbox(product);
      await sandbox.fault({
        kind: "500-before",
        operation: "submit",
        match: { name: `${500_000 + WRONG}` },
        times: 0,
      });
      const file = join(folder, "failing.xml");
      let seen = 0;
      const report = (await erpBurst(WRONG + 1)).replace(
        /(<AmountGross_ID501>)[^<]+/g,
        (whole, open) => ++seen > WRONG ? whole : `${open}99999,99`,
      );
      await writeFile(file, report);
      const answer = await fetch(`${product.url}/api/run`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ template: "R42565", file, mode: "BURST" }),
      });
      const { runId } = await answer.json();
      assertEquals(answer.status, 200);
      await until(async () => {
        const { runs } = await (await fetch(`${product.url}/api/runs`)).json();
        return runs[0]?.counts.blocked === 1;
      }, "the blocked invoice");
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, width: 1400 });
      let clicks = 0;
      const click = async (it: Locator) => {
        await it.click();
        clicks++;
      };
      const walk = (name: string, most: number, steps: () => Promise<void>) =>
        t.step(`${name}: at most ${most} clicks`, async () => {
          await page.goto("/");
          await page.getByRole("heading", { level: 1 }).waitFor();
          clicks = 0;
          await steps();
          assert(clicks <= most, `${clicks} clicks`);
        });
      const waiting = page.getByRole("region", { name: "Needs attention" }).last();
      const failures = waiting.getByRole("link", { name: "Rejected by checks" });

      await walk("see failures", 1, async () => {
        await click(failures);
        await page.getByRole("link", { name: "RI-500000" }).first().waitFor();
        const causes = page.getByRole("region", { name: "Why they were rejected" });
        await causes.getByRole("link", { name: "Import a file" }).waitFor();
      });
      await t.step("see why one failed: at most 1 click more", async () => {
        await page.getByRole("link", { name: "RI-500000" }).first().click();
        await page.getByText(/99[,.]?999\.99/).first().waitFor();
      });
      await walk("know why thirteen failed", 2, async () => {
        await click(page.getByRole("navigation").getByRole("link", { name: "Import" }));
        await click(page.getByRole("link", { name: "failing.xml" }));
        const causes = page.getByRole("list", { name: "Why invoices failed" }).getByRole(
          "listitem",
        );
        await causes.getByText(`${WRONG} invoices`).waitFor();
        await causes.getByText("Correct them in the ERP, then import their new file.").waitFor();
        const blocked = causes.filter({ hasText: "The platform gave no usable answer" });
        await blocked.getByRole("link", { name: "Check and resend all of them" }).waitFor();
      });
      await t.step("a blocked invoice is an outcome of its own", async () => {
        await page.getByText("14 of 14 done, 14 of them failed").waitFor();
        await page.getByRole("cell", { name: "Blocked" }).waitFor();
      });
      await t.step("imported again, an unchanged invoice still shows its failure", async () => {
        await page.getByRole("button", { name: "Import this file again" }).click();
        const unchanged = page.getByRole("row").filter({ hasText: "Already recorded, unchanged" });
        await unchanged.filter({ hasText: "Rejected by checks" }).nth(WRONG - 1).waitFor();
        await unchanged.filter({ hasText: "Blocked" }).waitFor();
        await page.getByText("Finished, failures not corrected").waitFor();
        await page.getByText(`Already recorded, unchanged: 14, ${WRONG + 1} of them failed`)
          .waitFor();
        await page.getByText(`14 of 14 done, ${WRONG + 1} of them failed`).waitFor();
        await unchanged.filter({ hasText: /The total with VAT .*must be/ }).nth(WRONG - 1)
          .waitFor();
        const causes = page.getByRole("list", { name: "Why invoices failed" }).getByRole(
          "listitem",
        );
        await causes.getByText(`${WRONG} invoices`).waitFor();
      });
      await t.step("the list shows what blocks each invoice, and its next step", async () => {
        await page.goto("/invoices");
        const rowOf = (number: string) => page.getByRole("row").filter({ hasText: number });
        const blocked = rowOf(String(500_000 + WRONG));
        await blocked.getByText("Sending blocked").waitFor();
        await blocked.getByRole("button", { name: "Check and resend" }).waitFor();
        await page.keyboard.press("Control+k");
        await page.locator("[role=combobox]:focus").waitFor();
        await page.keyboard.type(`${500_000 + WRONG}`);
        await page.getByRole("option", { name: /Sending blocked/ }).waitFor();
        await page.keyboard.press("Escape");
        await rowOf("RI-500000").getByRole("link", { name: "Import corrected file" }).click();
        await page.getByRole("heading", { level: 1, name: /RI-500000/ }).waitFor();
        await page.getByRole("button", { name: "Import corrected file" }).waitFor();
        const own = /\/api\/invoices\/500000-RI-00001$/;
        await page.route(own, async (route) => {
          const response = await route.fetch();
          const json = await response.json();
          json.invoice.template = null;
          await route.fulfill({ response, json });
        });
        await page.reload();
        await page.getByRole("alert").getByRole("link", { name: "Import corrected file" }).click();
        await page.waitForURL(/\/process$/);
        await page.unroute(own);
      });
      await t.step(
        "corrected invoices are no longer to correct in the earlier import",
        async () => {
          const corrected = join(folder, "corrected.xml");
          await writeFile(corrected, await erpBurst(WRONG));
          const again = await fetch(`${product.url}/api/run`, {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify({
              template: "R42565",
              file: corrected,
              mode: "BURST",
              replaceMode: true,
            }),
          });
          assertEquals((await again.json()).success, true);
          await page.goto(`/process/${runId}`);
          await page.getByText("14 of 14 done, 1 of them failed").waitFor();
          await page.getByText(`Rejected by checks: ${WRONG}, ${WRONG} of them corrected since`)
            .waitFor();
          const invoices = page.getByRole("region", { name: "Invoices" });
          await invoices.getByText("Corrected since").nth(WRONG - 1).waitFor();
          await invoices.getByText("99,999.99").first().waitFor(); // why it failed then
          const causes = page.getByRole("list", { name: "Why invoices failed" });
          await eventually(() => causes.getByRole("listitem").count(), 1);
          await page.getByRole("radiogroup", { name: "Outcome" }).getByText("Still failing")
            .click();
          await until(
            async () => await invoices.getByRole("link").count() === 1,
            "the blocked one",
          );
          await page.goto("/process?state=unresolved");
          await page.getByRole("link", { name: "failing.xml" }).first().waitFor();
          assertEquals(await page.getByRole("link", { name: "corrected.xml" }).count(), 0);
        },
      );
      assertEquals(complaints, []);
    }),
});
