import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually, until } from "#tests/support/until.ts";
import { handOver } from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

/** Suppliers choose invoice numbers, which may contain characters with a meaning in addresses. */
const NUMBERS = ["FA/2026/7", "FA%2F2026", "REMISE 50%", "A#1?b=2"];

longTest({
  name: "invoice numbers with special characters open, and malformed addresses break no page",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      const { url } = product;
      for (const number of NUMBERS) await handOver(product, number);
      await until(async () => {
        const list = await fetch(`${url}/api/invoices?direction=received`);
        return (await list.json()).total === NUMBERS.length;
      }, "the suppliers' invoices");
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url });

      for (const number of NUMBERS) {
        await page.goto("/received");
        await page.getByRole("link", { name: number, exact: true }).click();
        const title = page.getByRole("heading", { level: 1, name: number });
        await title.waitFor();
        await page.getByRole("tab", { name: "Lifecycle" }).click();
        await page.waitForURL(/tab=history/);
        await page.reload();
        await title.waitFor();
        await page.goto(`/received?search=${encodeURIComponent(number)}`);
        await eventually(() => page.getByPlaceholder("Number, supplier").inputValue(), number);
      }
      await page.goto("/people/roles/%E0%A4%A"); // mistyped
      await page.getByRole("heading", { level: 1 }).waitFor();
      assertEquals(complaints, []);
    }),
});
