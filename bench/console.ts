import type { Page } from "playwright-core";
import { sql } from "drizzle-orm";
import { startBrowser, type TestBrowser } from "#tests/support/browser.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { fillInvoices } from "#tests/support/lists.ts";
import { until } from "#tests/support/until.ts";
import type { Db } from "#src/ports/db.ts";
import { median, type Row } from "./table.ts";

const INVOICES = 100_000;
const ROUNDS = 9;
const EVENTS = 1_000;

/** Measures waiting time and browser resources of the console, in Chromium on this machine. */
export async function consolePages(): Promise<Row[]> {
  await using fleet = await startFleet({ web: 1, workers: 0 });
  const { db } = fleet.database;
  await fillInvoices(db, INVOICES);
  const url = fleet.web[0]?.url ?? "";
  await using browser = await startBrowser();
  return [
    ...await firstPictures(browser, url),
    await scrolling(browser, url),
    await memory(browser, { url, db }),
  ];
}

const inGrid = (page: Page) => page.getByRole("table", { name: "Invoices" }).getByText(/^RI-/);

/** Measures the first page of a new reader, and of the same reader again. */
async function firstPictures(browser: TestBrowser, url: string): Promise<Row[]> {
  const seen = { first: [] as number[], rows: [] as number[], again: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const { page } = await browser.reader({ url });
    seen.rows.push(await untilRows(page, "/invoices"));
    seen.first.push(await paintedMs(page));
    seen.again.push(await untilRows(page, "/invoices"));
    await page.context().close();
  }
  const ms = (values: readonly number[]) => `${Math.round(median(values))} ms`;
  return [
    {
      what: `first contentful picture of the invoice list (${INVOICES} invoices), empty cache`,
      figure: ms(seen.first),
      note: `with its rows ${ms(seen.rows)}, the next time ${ms(seen.again)}; ${ROUNDS} readers`,
    },
  ];
}

async function untilRows(page: Page, address: string): Promise<number> {
  const start = performance.now();
  await page.goto(address);
  await inGrid(page).first().waitFor();
  return performance.now() - start;
}

function paintedMs(page: Page): Promise<number> {
  return page.evaluate(() =>
    performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN
  );
}

/** Counts late frames while the longest page scrolls, compared with an empty page on the same machine. */
async function scrolling(browser: TestBrowser, url: string): Promise<Row> {
  const { page } = await browser.reader({ url });
  await page.goto("/invoices?size=500");
  await until(async () => await inGrid(page).count() === 500, "500 rows");
  const grid = await lateFrames(page);
  await page.setContent("<div style='height: 30000px'></div>");
  const empty = await lateFrames(page);
  await page.context().close();
  return {
    what: "500 rows scrolled through: frames that took more than 34 ms",
    figure: `${grid.late} of ${grid.all}`,
    note: `longest ${
      Math.round(grid.longestMs)
    } ms; of an empty page ${empty.late} of ${empty.all}`,
  };
}

interface Frames {
  readonly late: number;
  readonly all: number;
  readonly longestMs: number;
}

function lateFrames(page: Page): Promise<Frames> {
  return page.evaluate(() =>
    new Promise<Frames>((resolve) => {
      const times: number[] = [];
      let last = performance.now();
      let at = 0;
      const step = (now: number) => {
        times.push(now - last);
        last = now;
        scrollTo(0, at += 120);
        if (times.length < 180) requestAnimationFrame(step);
        else {
          resolve({
            late: times.filter((it) => it > 34).length,
            all: times.length,
            longestMs: Math.max(...times),
          });
        }
      };
      requestAnimationFrame(step);
    })
  );
}

/** Measures the page's memory after events that each update the list, without garbage. */
async function memory(
  browser: TestBrowser,
  { url, db }: { readonly url: string; readonly db: Db },
): Promise<Row> {
  const { page } = await browser.reader({ url });
  await page.goto("/invoices");
  await inGrid(page).first().waitFor();
  await happen(page, db, 100); // warm
  const before = await heapMb(page);
  await happen(page, db, EVENTS);
  const after = await heapMb(page);
  await page.context().close();
  return {
    what: `heap of the page after ${EVENTS} live events`,
    figure: `${(after - before).toFixed(1)} MB more`,
    note: `of ${before.toFixed(1)} MB`,
  };
}

/** Sends events ten at a time, like a sending run, until the page has read the list again. */
async function happen(page: Page, db: Db, count: number): Promise<void> {
  for (let done = 0; done < count; done += 10) {
    const read = page.waitForResponse(/\/api\/invoices\?/);
    await db.execute(sql`insert into live_events (topic, type, data, permission)
      select 'invoices', 'invoice.status', jsonb_build_object('doc', n::text, 'dct', 'RI', 'kco', '00001', 'status', '10'), 'invoices:read'
      from generate_series(1, 10) n`);
    await read;
  }
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 2 ** 20;
}
