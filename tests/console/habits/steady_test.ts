import { assertEquals } from "@std/assert";
import { PATIENCE_MS } from "#src/console/components/arrived.ts";
import { startBrowser, withoutBrowser } from "#tests/support/browser.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";
import { eventually } from "#tests/support/until.ts";
import {
  atRest,
  fillConsole,
  fillReceived,
  MARKED_UP,
  RECEIVED,
  receivedId,
  REJECTED,
} from "../filled.ts";
import { longTest } from "#tests/support/long.ts";

const ADDRESSES = [
  "/",
  `/received/${receivedId(RECEIVED[0])}`,
  `/invoices/${MARKED_UP}`,
  `/invoices/${REJECTED}?tab=findings`,
  "/process",
  "/platform/state",
  "/notifications/rules/new",
  "/settings/connectors/of/invoicing",
  "/people/roles/admin",
];
const WIDTHS = [1400, 360];

const MAX_MS = 150;

/**
 * Delays timers so that the page waits for its answers on any machine, and tracks clickable elements in every
 * frame.
 */
const WATCHED = `
  const after = setTimeout;
  window.setTimeout = (run, ms, ...rest) => ms === ${PATIENCE_MS} ? 0 : after(run, ms, ...rest);
  window.moved = [];
  const places = new WeakMap();
  const look = () => {
    for (const it of document.querySelectorAll("#content :is(a[href], button, input, textarea)")) {
      const { top, left, width } = it.getBoundingClientRect();
      if (width === 0 || getComputedStyle(it).pointerEvents === "none") continue;
      const before = places.get(it);
      const now = [Math.round(top + scrollY), Math.round(left)];
      places.set(it, now);
      if (!before?.some((at, i) => Math.abs(at - now[i]) > 2)) continue;
      moved.push((it.textContent || it.placeholder || it.ariaLabel) + ": " + before + " to " + now);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
`;

longTest({
  name: "no clickable element moves while a page loads, in any order of answers",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, POLL_SECONDS: "1" });
      await fillConsole(product.url, folder);
      await fillReceived(product);
      await atRest(product.url);
      await using browser = await startBrowser();
      const found: string[] = [];
      let pressable = 0;
      for (const width of WIDTHS) {
        const { page, settled } = await browser.reader({ url: product.url, width });
        await page.addInitScript(WATCHED);
        await page.route("**/api/**", async (route) => {
          await new Promise((it) => setTimeout(it, Math.random() * MAX_MS));
          await route.fallback().catch(() => {}); // the page may have changed by then
        });
        for (const address of ADDRESSES) {
          await page.goto(address);
          await page.getByRole("heading", { level: 1 }).waitFor();
          await settled();
          await page.locator(".ps-page[aria-busy=false]").waitFor();
          pressable += await page.locator("#content button").count();
          const moved = await page.evaluate("moved") as string[];
          found.push(...moved.map((it) => `${address} ${width}: ${it}`));
        }
      }
      assertEquals(found, []);
      assertEquals(pressable > 50, true, `${pressable} things that can be pressed`);
    }),
});

longTest({
  name: "a page shows that it is loading until the last answer",
  ignore: withoutBrowser,
  fn: () =>
    inFolder(async (folder) => {
      await using product = await startProcess("start", { DATA_DIR: folder, SANDBOX_PA: "off" });
      await using browser = await startBrowser();
      const { page, complaints } = await browser.reader({ url: product.url });
      const hasLine = () =>
        page.locator(".ps-page").evaluate((it) =>
          getComputedStyle(it, "::after").content !== "none"
        );
      for (
        const [address, read] of [["/", "/api/invoices/stats"], ["/invoices", "/api/invoices"]]
      ) {
        const gate = Promise.withResolvers<void>();
        await page.route((it) => it.pathname === read, async (route) => {
          await gate.promise;
          await route.fallback();
        });
        await page.goto(address ?? "");
        await page.locator(".ps-page[aria-busy=false]").waitFor();
        assertEquals(await hasLine(), true, address);
        gate.resolve();
        await eventually(hasLine, false, address);
        await page.unrouteAll();
      }
      assertEquals(complaints, []);
    }),
});
