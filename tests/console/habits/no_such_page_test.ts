import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { longTest } from "#tests/support/long.ts";

const NOWHERE = [
  "/process/runs/x",
  "/invoices/x/y",
  "/received/x/y",
  "/validate/x",
  "/assistant/x/y",
  "/platform/x",
  "/apps/x",
  "/jobs/x/y",
  "/notifications/x",
  "/notifications/rules/x",
  "/people/x/y",
  "/people/users/x/y",
  "/settings/templates/x",
  "/settings/pools/of/x/y",
];

/** Addresses of records that cannot exist. */
const NOTHING = [
  "/process/nothing",
  "/jobs/runs/none",
  "/assistant/none",
  "/jobs/of/none",
  "/settings/sections/none",
  "/settings/stylesheets/source?name=none.xsl",
  "/settings/stylesheets/source?path=none.xsl",
];

longTest({
  name: "addresses of missing records show a message instead of a list",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      for (const address of NOWHERE) {
        await page.goto(address);
        await page.getByText(/^This (application )?page does not exist/).first().waitFor();
        assertEquals(await page.locator("main").getByRole("table").count(), 0, address);
      }
      for (const address of NOTHING) {
        await page.goto(address);
        const note = page.getByRole("alert").filter({
          hasText: "This does not exist, or no longer exists",
        });
        await note.waitFor();
        for (const text of ["UUID", "comes with the product", "takes effect", "Ctrl Space"]) {
          assertEquals(
            await page.locator("main").getByText(text).count(),
            0,
            `${address}: ${text}`,
          );
        }
      }
      assertEquals(complaints, []);
    }),
});
