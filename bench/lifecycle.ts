import { invoices } from "#drizzle/schema/mod.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { buildCdar, parseCdar } from "#src/domain/cdar/mod.ts";
import { recordPage } from "#src/gateway/submission/polling/record_page.ts";
import { noCrash } from "#src/kernel/crash_points.ts";
import type { Database } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import { parseXml } from "#src/xml/mod.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";
import type { Row } from "./table.ts";

const INVOICES = 400;
const STATUSES = ["200", "201", "202", "203", "204"];
const PAGE = 100;

/**
 * Measures the processing of lifecycle messages into history, status, notification and evidence, one page of the PA's
 * listing at a time.
 */
export async function lifecycleEvents(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, url] of [["embedded", undefined], ["PostgreSQL", postgresUrl]] as const) {
    if (name !== "embedded" && !url) continue;
    await using database = await testDatabase(url);
    const perSecond = await record(database);
    const what = `lifecycle events recorded, ${name}`;
    rows.push({
      what,
      figure: `${perSecond.toFixed(0)} events/s`,
      note: `pages of ${PAGE}, files at hand`,
    });
  }
  return rows;
}

async function record(database: Database): Promise<number> {
  const { db } = database;
  const log = jsonLinesLog({ level: "ERROR", write: () => {}, now: systemClock.now });
  const live = tableLiveBus({ database, log, pollMs: 1_000 });
  const notifier = { statusesChanged: () => Promise.resolve() }; // without enabled rules nobody is notified
  const deps = { clock: systemClock, crash: noCrash, db, live, log, notifier };
  await db.insert(invoices).values(Array.from({ length: INVOICES }, (_, at) => invoice(at)));
  const told = STATUSES.flatMap((status) =>
    Array.from({ length: INVOICES }, (_, at) => message(at, status))
  );
  const begin = performance.now();
  for (let at = 0; at < told.length; at += PAGE) {
    const understood = told.slice(at, at + PAGE).map((it) => ({
      ...it,
      events: parseCdar(parseXml(it.bytes)),
    }));
    await recordPage(deps, { understood, copies: new Map() }, () => Promise.resolve());
  }
  return told.length / ((performance.now() - begin) / 1000);
}

function invoice(at: number) {
  const ublNumber = `F-${at}`;
  return {
    doc: String(at),
    dct: "RI",
    kco: "00001",
    ublNumber,
    supplierSiren: "498259795",
    status: "9906",
    generation: 1,
  };
}

function message(at: number, status: string) {
  const xml = buildCdar({
    status,
    at: "2026-11-20T10:00:00",
    invoiceNumber: `F-${at}`,
    sellerSiren: "498259795",
    issuer: { role: "WK" },
    recipients: [{ id: "498259795", role: "SE", address: "498259795" }],
  });
  const flow = {
    flowId: `${at}-${status}`,
    flowType: "CustomerInvoiceLC",
    direction: "In",
    ack: { status: "Ok", details: [] },
  };
  return {
    kind: "statuses" as const,
    flow: flow as unknown as Flow,
    bytes: new TextEncoder().encode(xml),
  };
}
