import { assert, assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

/**
 * Sends events as another tab does, one after the other for some time; resolves to the time of the last one.
 */
const STREAM = `new Promise((ended) => {
  const tabs = new BroadcastChannel("passerelle-live");
  const end = Date.now() + 8_000;
  const timer = setInterval(() => {
    tabs.postMessage({ type: "invoice.changed", topic: "invoices", data: {} });
    if (Date.now() < end) return;
    clearInterval(timer);
    ended(Date.now());
  }, 50);
})`;

longTest({
  name: "a stream of events reloads the page during and after it, but no definitions",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, settled, complaints } = await browser.reader({ url: product.url });
      const asked: { readonly path: string; readonly at: number }[] = [];
      await page.goto("/apps/dashboard/operations");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled();
      page.on("request", (it) => {
        asked.push({ path: new URL(it.url()).pathname, at: Date.now() });
      });
      const last = Number(await page.evaluate(STREAM));
      const rounds = () => asked.filter(({ path }) => path === "/api/home");
      await until(() => rounds().some(({ at }) => at >= last), "the last state to be read");
      assert(rounds().some(({ at }) => at < last), "it is read again all along");
      const draw = () => asked.some(({ path }) => path.endsWith("/drawing"));
      await until(draw, "a chart of the dashboard to be drawn anew");
      const defined = asked.map(({ path }) => path).filter((it) =>
        /^\/api\/(dashboards|charts)(\/[^/]+)?$/.test(it)
      );
      assertEquals(defined, [], "no invoice changes a definition");
      assertEquals(complaints, []);
    }),
});
