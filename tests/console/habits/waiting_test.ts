import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "screen readers announce loading, like the line below the header",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      let gate = Promise.withResolvers<void>();
      await page.route(/\/api\/(invoices|submissions|runs)/, async (route) => {
        await gate.promise;
        await route.continue().catch(() => {}); // the page may have changed by then
      });
      const told = page.locator("main [role=status]").getByText("Loading", { exact: true });
      for (const address of ["/", "/invoices", "/invoices/1-RI-00001", "/process"]) {
        gate = Promise.withResolvers<void>();
        await page.goto(address);
        await told.waitFor({ state: "attached" });
        assertEquals(await told.evaluate((it) => it.closest("[aria-busy=true]") !== null), false);
        gate.resolve();
        await told.waitFor({ state: "detached" });
      }
      assertEquals(complaints, []);
    }),
});
