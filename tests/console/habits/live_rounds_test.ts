import { assert, assertEquals } from "@std/assert";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";

/** As another tab tells them, one after the other for so long; resolves to the moment of the last one. */
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

Deno.test({
  name:
    "while events keep coming a page is read again, and once more at their end; no definition is",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, settled, complaints } = await browser.reader({ url: product.url });
      const asked: { readonly path: string; readonly at: number }[] = [];
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled();
      page.on("request", (it) => {
        asked.push({ path: new URL(it.url()).pathname, at: Date.now() });
      });
      const last = Number(await page.evaluate(STREAM));
      const rounds = () => asked.filter(({ path }) => path === "/api/submissions");
      await until(() => rounds().some(({ at }) => at >= last), "the last state to be read");
      assert(rounds().some(({ at }) => at < last), "it is read again all along");
      const drawn = () => asked.some(({ path }) => path.endsWith("/drawing"));
      await until(drawn, "a chart of the start page to be drawn anew");
      const defined = asked.map(({ path }) => path).filter((it) =>
        /^\/api\/(dashboards|charts)(\/[^/]+)?$/.test(it)
      );
      assertEquals(defined, [], "no invoice changes a definition");
      assertEquals(complaints, []);
    }),
});
