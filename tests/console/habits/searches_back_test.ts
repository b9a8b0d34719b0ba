import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "search fields follow the address, also with Back and Forward",
  ignore: withoutBrowser || deps("PostgreSQL", postgresUrl).ignore,
  fn: () =>
    inFolder(async (folder) => {
      await using database = await testDatabaseUrl(postgresUrl ?? "");
      const environment = { DATA_DIR: folder, DATABASE_URL: database.url, SANDBOX_PA: "off" };
      await using product = await startProcess("start", environment);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url, language: "fr" });
      await page.goto("/people/logs");
      const form = page.locator("[role=search]");
      const event = form.getByLabel("Événement");
      const from = form.getByRole("textbox", { name: "Du" });
      const hold = async () => [await event.inputValue(), await from.inputValue()];
      await event.fill("worker");
      await from.fill("01/02/2026");
      await from.press("Enter");
      await eventually(
        () => Promise.resolve(new URL(page.url()).search),
        "?event=worker&from=2026-02-01",
      );
      assertEquals(await hold(), ["worker", "01/02/2026"]);
      assertEquals(await form.locator(":focus").inputValue(), "01/02/2026");
      // One step for each field.
      const steps = [["worker", "01/02/2026"], ["worker", ""], ["", ""]];
      for (const fields of steps.slice(1)) {
        await page.goBack();
        await eventually(hold, fields);
      }
      for (const fields of steps.slice(0, -1).reverse()) {
        await page.goForward();
        await eventually(hold, fields);
      }
      assertEquals(complaints, []);
    }),
});
