import process from "node:process";
import { writeWorkbook } from "#src/adapters/xlsx/write_workbook.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import {
  dividedFor,
  INVOICE_SORT,
  type InvoiceFilter,
} from "#src/gateway/invoices/filter_views.ts";
import { listInvoices } from "#src/gateway/invoices/list_views.ts";
import { invoiceRoutes } from "#src/gateway/invoices/routes.ts";
import { type PageRequest, SORT_DIRECTIONS, type SortDirection } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { startAccess } from "#tests/support/access.ts";
import { postgresUrl, testDatabase, testDatabaseUrl } from "#tests/support/db.ts";
import { explaining } from "#tests/support/explain.ts";
import { fillInvoices } from "#tests/support/lists.ts";
import { load, serveOn } from "./guard.ts";
import { median, type Row } from "./table.ts";

/** `LIST_ROWS` for a quicker look. */
const ROWS = Number(process.env["LIST_ROWS"] ?? 1_000_000);
const EMBEDDED_ROWS = 100_000;
const ROUNDS = 30;
const FIRST = { page: 1, pageSize: 50 };

type SortBy = keyof typeof INVOICE_SORT;
interface Asked {
  readonly filter?: InvoiceFilter;
  readonly sortBy?: SortBy;
  readonly sortDir?: SortDirection;
  readonly page?: PageRequest;
}

const FILTERS: Readonly<Record<string, InvoiceFilter>> = {
  "a frequent status": { status: ["10"] },
  "a status of one in a thousand": { status: ["9904"] },
  "two statuses": { status: ["9904", "9907"] },
  "a direction": { direction: "received" },
  "a company": { kco: "00003" },
  "a document type": { dct: "RM" },
  "a month": { dateFrom: "2025-03-01", dateTo: "2025-03-31" },
  "due in a month": { dueFrom: "2025-03-01", dueTo: "2025-03-31" },
  "to be paid": { payable: true },
  "a number": { ublNumber: "RI-4711" },
  "a word all have": { search: "hélios" },
  "two words, 0.1 % have both": { search: "17 HELIOS" },
  "a customer": { customer: "helios 17" },
};

/** Measures lists of 50 rows with their total: time in PostgreSQL, and HTTP calls with token and permission check. */
export async function listPage(): Promise<Row[]> {
  const rows = await embed();
  if (!postgresUrl) return rows;
  await using database = await testDatabaseUrl(postgresUrl);
  return [...rows, ...await onServer(database.url), ...await throughHttp(database.url)];
}

function ask(
  db: Db,
  { filter = {}, sortBy = "issueDate", sortDir = "desc", page = FIRST }: Asked,
) {
  return listInvoices(db, { filter, page, sortBy, sortDir, language: "fr" });
}

async function embed(): Promise<Row[]> {
  await using database = await testDatabase();
  await fillInvoices(database.db, EMBEDDED_ROWS);
  const rows: Row[] = [];
  for (
    const [what, asked] of Object.entries<Asked>({
      "newest first": {},
      "one status, by amount": { filter: { status: ["205"] }, sortBy: "totalTTC" },
      "two words": { filter: { search: "17 helios" } },
    })
  ) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const begin = performance.now();
      await ask(database.db, asked);
      times.push(performance.now() - begin);
    }
    rows.push({
      what: `PGlite, ${EMBEDDED_ROWS} invoices, ${what}`,
      figure: `${median(times).toFixed(1)} ms`,
    });
  }
  return rows;
}

async function onServer(url: string): Promise<Row[]> {
  await using explained = explaining(url);
  const { db, msOf } = explained;
  await fillInvoices(db, ROWS);
  const rows: Row[] = [];
  const tell = async (what: string, asked: Asked) => {
    const ms = await msOf(() => ask(db, asked));
    rows.push({ what: `PostgreSQL, ${ROWS} invoices, ${what}`, figure: `${ms.toFixed(2)} ms` });
    return ms;
  };
  for (const sortBy of Object.keys(INVOICE_SORT) as SortBy[]) {
    if (dividedFor({}, sortBy).isUnindexed) continue;
    for (const sortDir of SORT_DIRECTIONS) {
      await tell(`by ${sortBy} ${sortDir}`, { sortBy, sortDir });
    }
  }
  for (const [what, filter] of Object.entries(FILTERS)) {
    await tell(what, { filter });
    await tell(`${what}, by amount`, { filter, sortBy: "totalTTC" });
  }
  const deep = { page: { page: 2_000, pageSize: 50 } };
  await tell("page 2,000", deep);
  const { next } = await ask(db, deep);
  await tell("after page 2,000", { page: { ...FIRST, after: next ?? undefined } });
  return rows;
}

async function throughHttp(url: string): Promise<Row[]> {
  const database = openPostgres(url);
  const notifier = { statusesChanged: () => Promise.resolve() };
  await using guarded = await startAccess({
    on: database,
    routes: (deps) => [invoiceRoutes({ ...deps, notifier, spreadsheets: writeWorkbook })],
  });
  const server = await serveOn(guarded.app);
  const rows: Row[] = [];
  for (
    const path of ["/api/invoices", "/api/invoices?status=9904", "/api/invoices?search=17+helios"]
  ) {
    const how = { token: guarded.admin, connections: 16 };
    await load(`${server.url}${path}`, { ...how, ms: 1_000 }); // warms up
    const cpu = process.cpuUsage();
    const { times } = await load(`${server.url}${path}`, { ...how, ms: 4_000 });
    const { user, system } = process.cpuUsage(cpu);
    rows.push({
      what: `${path}, ${ROWS} invoices, token and permission`,
      figure: `${Math.round(times.length / 4)} /s`,
      note: `${((user + system) / 1000 / times.length).toFixed(2)} ms of the process's time each`,
    });
  }
  await server.close(0);
  return rows;
}
