import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { erpBurst } from "#tests/support/erp.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

/** Text without a possible line break. */
const UNBROKEN = "Donaudampfschiffahrtsgesellschaft".repeat(8);

longTest({
  name: "fractions of a cent are not rounded, and a long name does not push columns out",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      const { url } = product;
      const file = join(folder, "report.xml");
      await writeFile(file, change(await erpBurst(2)));
      await fetch(`${url}/api/run`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ template: "R42565", file, mode: "BURST" }),
      });
      await until(
        async () => (await (await fetch(`${url}/api/invoices`)).json()).total === 2,
        "two invoices",
      );
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url, language: "fr" });

      await t.step("prices and quantities show all their digits", async () => {
        await page.goto("/invoices/500000-RI-00001");
        const lines = page.getByRole("table", { name: "Lignes" });
        await lines.getByText("1,1275 €").first().waitFor();
        await lines.getByText("0,33335").first().waitFor();
      });

      await t.step("an amount in a currency without cents shows its decimals", async () => {
        await page.goto("/invoices?columns=number,totalTTC");
        await page.getByRole("cell", { name: /^−1 234,56 (FCFP|XPF)$/ }).waitFor();
      });

      await t.step("the columns of the list stay visible on screen and paper", async () => {
        await page.goto("/invoices");
        await page.getByText(UNBROKEN).waitFor();
        await until(() => fits(page), "every column on the screen");
        await page.emulateMedia({ media: "print" });
        await page.setViewportSize({ width: 700, height: 990 }); // a sheet of paper between its margins
        await until(() => fits(page), "every column on paper");
      });
      assertEquals(complaints, []);
    }),
});

/** VAT is declared in euros, which requires the exchange rate of the ERP. */
const RATE = "<ExchangeRate_ID152>0,00838</ExchangeRate_ID152>";

function change(report: string): string {
  const [head = "", first = "", second = ""] = report.split("<Invoice_Header_S11>");
  return [
    head,
    first.replace(/(<AmtPricePerUnit2_ID307>)[^<]+/g, "$11,1275")
      .replace(/(<UnitsTransactionQty_ID305>)[^<]+/g, "$10,33335")
      .replace(/(<Sold_To_S13><NameAlpha_ID18>)[^<]+/, `$1${UNBROKEN}`),
    second.replace("EUR</CurrencyCodeFrom_ID150>", `XPF</CurrencyCodeFrom_ID150>${RATE}`)
      .replace(/(<AmountGross_ID501>)[^<]+/, "$11 234,56"),
  ].join("<Invoice_Header_S11>");
}

function fits(page: Page): Promise<boolean> {
  return page.locator(".ps-grid-box").evaluate((it) =>
    it.scrollWidth <= it.clientWidth + 1 &&
    it.getBoundingClientRect().right <= document.documentElement.clientWidth
  );
}
