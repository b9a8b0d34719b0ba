import type { Page } from "playwright-core";
import { startBrowser } from "#tests/support/browser.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { fillInvoices } from "#tests/support/lists.ts";
import type { Row } from "./table.ts";

const INVOICES = 10_000;
/** A slow connection: 400 ms of latency and 50 kB/s. */
const SLOW = { latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000, offline: false };

/** Measures Home over a slow connection: requests, calls of the API, bytes, first content and time until it is usable. */
export async function firstLoad(): Promise<Row[]> {
  await using fleet = await startFleet({ web: 1, workers: 0 });
  await fillInvoices(fleet.database.db, INVOICES);
  const url = fleet.web[0]?.url ?? "";
  await (await fetch(url)).text(); // the console is built
  await using browser = await startBrowser();
  const { page } = await browser.reader({ url });
  const first = await measure(page);
  const again = await measure(page);
  await page.context().close();
  return [
    describe("Home over a slow connection, empty cache", first),
    describe("the same, visited again", again),
  ];
}

interface Load {
  readonly requests: number;
  readonly calls: number;
  readonly bytes: number;
  /** The outline is shown. */
  readonly paintedMs: number;
  /** The script and the styles have arrived. */
  readonly loadedMs: number;
  readonly usableMs: number;
}

async function measure(page: Page): Promise<Load> {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  await client.send("Network.emulateNetworkConditions", SLOW);
  const asked: string[] = [];
  let bytes = 0;
  client.on("Network.requestWillBeSent", ({ request }) => {
    if (request.url.startsWith("http")) asked.push(new URL(request.url).pathname);
  });
  client.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const start = performance.now();
  await page.goto("/", { waitUntil: "commit" });
  await page.locator(".ps-records, .mantine-Alert-root[data-variant=light]").last().waitFor();
  await page.getByRole("region", { name: "Issued this month", exact: true }).waitFor();
  const usableMs = performance.now() - start;
  const paintedMs = await page.evaluate(() =>
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ??
      performance.getEntriesByName("first-paint")[0]?.startTime ?? NaN
  );
  const loadedMs = await page.evaluate(() =>
    Math.max(
      ...performance.getEntriesByType("resource")
        .filter((it) => it.name.includes("/console/"))
        .map((it) => (it as PerformanceResourceTiming).responseEnd),
    )
  );
  await client.detach();
  const calls = asked.filter((it) => /^\/(api|auth|admin|ai)\//.test(it)).length;
  return { requests: asked.length, calls, bytes, paintedMs, loadedMs, usableMs };
}

function describe(
  what: string,
  { requests, calls, bytes, paintedMs, loadedMs, usableMs }: Load,
): Row {
  return {
    what,
    figure: `usable after ${Math.round(usableMs)} ms`,
    note: `first content ${Math.round(paintedMs)} ms, files ${
      Math.round(loadedMs)
    } ms; ${requests} requests, ${calls} of the API; ${
      Math.round(bytes / 1_000)
    } kB; latency ${SLOW.latency} ms, ${SLOW.downloadThroughput / 1_000} kB/s`,
  };
}
