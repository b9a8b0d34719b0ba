import { assertEquals } from "@std/assert";
import { type Reader, signIn, startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { longTestSales, PASSWORD } from "../sales.ts";
import { longTest } from "#tests/support/long.ts";

/** Sends an event as another tab does. */
const report = (event: { type: string; topic: string }) =>
  `new BroadcastChannel("passerelle-live").postMessage(${JSON.stringify({ ...event, data: {} })})`;

/** Holds back answers below a path until they are released; `broken` lists those that the page aborted. */
async function holdBack({ page }: Pick<Reader, "page">, path: RegExp) {
  const asked = { count: 0, broken: [] as string[] };
  const held: (() => void)[] = [];
  await page.route(path, async (route) => { // the page may have aborted the request
    asked.count++;
    const response = await route.fetch().catch(() => {});
    if (!response) return;
    await new Promise<void>((resume) => held.push(resume));
    await route.fulfill({ response }).catch(() => {});
  });
  page.on("requestfailed", (it) => {
    if (path.test(it.url())) asked.broken.push(it.url());
  });
  return Object.assign(asked, {
    async letGo() {
      await until(() => held.length > 0, "an answer that is held back");
      held.pop()?.();
    },
  });
}

longTest({
  name: "an event during a slow read causes one more read, and never aborts it",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const reader = await browser.reader({ url: product.url });
      const { page } = reader;
      const slow = await holdBack(reader, /\/api\/home(\?|$)/);
      let others = 0;
      page.on("request", (it) => {
        if (/\/api\/charts\/[^/]+\/drawing/.test(it.url())) others++;
      });
      /** Sends an event and waits until other affected data was read again. */
      const tell = async () => {
        const before = others;
        await page.evaluate(report({ type: "invoice.changed", topic: "invoices" }));
        await until(() => others > before, "a round of readings");
      };
      await page.goto("/apps/dashboard/operations");
      await until(() => others > 0, "a chart");
      await tell();
      assertEquals(slow.count, 1);
      await slow.letGo();
      await until(() => slow.count === 2, "what was read before it happened to be read once more");
      await tell();
      await tell();
      assertEquals([slow.count, slow.broken], [2, []]);
      await slow.letGo();
      await until(() => slow.count === 3, "the last state to be read");
      await slow.letGo();
      assertEquals(slow.broken, []);
    }),
});

longTestSales(
  "the rows of a screen load during a stream of events",
  async ({ sales, browser }) => {
    const reader = await browser.reader({ url: sales.url });
    const { page, settled, complaints } = reader;
    await signIn(reader, { username: "carla", password: PASSWORD });
    await page.goto("/apps/screen/sales/orders");
    const order = page.getByRole("button", { name: "SO-4", exact: true });
    await order.waitFor();
    await settled();
    const slow = await holdBack(reader, /\/api\/sql\//);
    const tell = () => page.evaluate(report({ type: "query.invalidated", topic: "queries" }));
    await tell();
    await until(() => slow.count > 0, "the rows to be read again");
    const before = slow.count;
    const screens: string[] = [];
    page.on("request", (it) => screens.push(new URL(it.url()).pathname));
    await tell();
    await until(() => screens.includes("/api/screens/sales/orders"), "a round of readings");
    assertEquals([slow.count, slow.broken], [before, []]);
    for (let n = 0; n < before; n++) await slow.letGo();
    await until(() => slow.count > before, "the last state to be read");
    await page.unrouteAll({ behavior: "ignoreErrors" });
    assertEquals(slow.broken, []);
    assertEquals(complaints, []);
  },
);
