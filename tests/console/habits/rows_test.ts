import { assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { readSandbox } from "#tests/support/sandbox.ts";
import { eventually, until } from "#tests/support/until.ts";
import { handOver } from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name: "each row of a list is changed once, independently of the others",
  ignore: withoutBrowser,
  fn: (t) =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "0" });
      const sandbox = await readSandbox(product);
      const setAside = (count: number) =>
        until(async () => {
          const json = { "content-type": "application/json" };
          const options = { method: "POST", body: "{}", headers: json };
          await (await fetch(`${product.url}/api/import`, options)).body?.cancel();
          return (await (await fetch(`${product.url}/api/pa/quarantine`)).json()).total === count;
        }, `${count} flows that are set aside`);
      await sandbox.fault({ kind: "garbage", operation: "get", times: 0 });
      await handOver(product, "SUP-1");
      await handOver(product, "SUP-2");
      await setAside(2);
      const results = [{
        flowId: "..",
        flowType: "CustomerInvoiceLC",
        flowDirection: "In",
        updatedAt: "2026-06-01T10:00:00Z",
        acknowledgement: { status: "Ok" },
      }];
      await sandbox.fault({
        kind: "status",
        operation: "search",
        status: 200,
        body: JSON.stringify({ results }),
        times: 1,
      });
      await setAside(3);
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      await page.goto("/platform/quarantine");
      const rows = page.getByRole("region", { name: "Quarantine" }).locator("tbody tr");
      const buttons = rows.getByRole("button", { name: "Read it again" });
      await until(async () => await rows.count() === 3, "the three flows");

      await t.step("rows offer only possible actions", async () => {
        await rows.filter({ hasText: "without a usable flowId" }).waitFor();
        assertEquals(await buttons.count(), 2);
        await page.getByRole("button", { name: "Read all again" }).waitFor();
        const { reasons } = await (await fetch(`${product.url}/api/pa/quarantine`)).json();
        const counts = reasons.map((it: { count: number }) => it.count);
        assertEquals(counts.reduce((sum: number, it: number) => sum + it, 0), 3);
      });

      await t.step("the button of the first row waits for its own answer", async () => {
        const asked: string[] = [];
        const gate = Promise.withResolvers<void>();
        await page.route("**/api/pa/quarantine/*/replay", async (route) => {
          asked.push(route.request().url());
          await gate.promise;
          await route.continue();
        });
        for (const at of [0, 1, 0]) {
          await buttons.nth(at).evaluate((it: HTMLElement) => it.click()); // clicks a disabled button too
        }
        await eventually(() => Promise.resolve(asked.length), 2);
        gate.resolve();
        await until(
          async () => await page.getByText(/^Flow .* stays in quarantine/).count() === 2,
          "what became of both",
        );
        assertEquals([asked.length, new Set(asked).size], [2, 2]);
      });
      assertEquals(complaints, []);
    }),
});
