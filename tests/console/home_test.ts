import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { cellsOf, sheetsOf } from "#tests/support/workbook.ts";
import { fillConsole } from "./filled.ts";

Deno.test({
  name: "home shows a dashboard of the reader's choice, and the list of invoices is exported",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await fillConsole(product.url, folder);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, language: "fr" });
      await page.goto("/");
      await page.getByRole("link", { name: "Exploitation" }).waitFor();
      await page.locator("[data-drawn=bar] canvas").first().waitFor();
      await page.getByRole("combobox", { name: "Tableau de bord" }).click();
      await page.getByRole("option", { name: "Finance" }).click();
      await page.getByRole("link", { name: "Finance" }).waitFor();
      await page.reload();
      await page.getByRole("link", { name: "Finance" }).waitFor();
      await page.goto("/invoices?status=9907");
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "XLSX" }).click(),
      ]);
      const [sheet] = await sheetsOf(await readFile(await download.path()));
      const [, ...rows] = cellsOf(sheet);
      assertEquals(rows.map(([number]) => number), ["RI-100002"]);
      assertEquals(complaints, []);
    }),
});
