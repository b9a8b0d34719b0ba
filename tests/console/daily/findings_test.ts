import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { GOLDEN } from "#tests/support/product.ts";
import { eventually } from "#tests/support/until.ts";

Deno.test({
  name: "one wrong sum is one finding, and the others unfold below it",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page } = reader;
      const sound = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
      const wrong = sound.replace(/(TaxableAmount currencyID="EUR">)6009\.99/, "$15009.99");
      await page.goto("/validate");
      await page.getByLabel("XML to check").fill(wrong);
      await page.getByRole("button", { name: "Check" }).click();
      await page.getByRole("status").getByText(/^RI-100000 · .+ · €/).waitFor();
      const blocking = page.getByRole("region", { name: "Blocks sending" });
      const breakdown = blocking.getByRole("button", { name: /^VAT breakdown/ });
      await breakdown.getByText("6009.99", { exact: true }).waitFor();
      await eventually(() => breakdown.count(), 1);
      const fold = blocking.getByRole("button", { name: "2 others follow from it" });
      assertEquals(await fold.getAttribute("aria-expanded"), "false");
      await fold.click();
      await eventually(() => breakdown.count(), 3);
      await breakdown.first().click();
      await breakdown.first().getByText(/^BR-S-08 · en16931-ubl/).waitFor();
      assertEquals(await reader.violations(), []);
    }),
});
