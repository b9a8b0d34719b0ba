import { INVOICE_SORT, type InvoiceFilter } from "#src/features/invoices/filter_views.ts";
import { SORT_DIRECTIONS } from "#src/kernel/page.ts";
import { postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { explaining } from "#tests/support/explain.ts";
import { fillInvoices } from "#tests/support/lists.ts";
import { ask, type Asked, ROWS, type SortBy } from "./list.ts";
import type { Row } from "./table.ts";

const ROUNDS = 3;
const SLOWEST = 5;

const FILTERS: Readonly<Record<string, InvoiceFilter>> = {
  "a frequent status": { status: ["10"] },
  "a status of one in a thousand": { status: ["9904"] },
  "two rare statuses": { status: ["9904", "9907"] },
  "two frequent statuses": { status: ["10", "212"] },
  "received": { direction: "received" },
  "a company": { kco: "00003" },
  "a document type": { dct: "RM" },
  "a month": { dateFrom: "2025-03-01", dateTo: "2025-03-31" },
  "due in a month": { dueFrom: "2025-03-01", dueTo: "2025-03-31" },
  "to be paid": { payable: true },
  "not to be paid": { payable: false },
  "a number": { ublNumber: "RI-4711" },
  "a word all have": { search: "hélios" },
  "two words, 0.1 % have both": { search: "17 HELIOS" },
  "a customer": { customer: "helios 17" },
};

/**
 * First pages of each filter, and of each two of them, in each order, in PostgreSQL: an index for each pair would cost every invoice
 * more than it saves.
 */
export async function listPairs(): Promise<Row[]> {
  if (!postgresUrl) {
    return [{ what: "lists, filters and orders", figure: "skipped", note: "TEST_DATABASE_URL" }];
  }
  await using database = await testDatabaseUrl(postgresUrl);
  await using explained = explaining(database.url);
  const { db, msOf } = explained;
  await fillInvoices(db, ROWS);
  const ms = (asked: Asked) => msOf(() => ask(db, asked), ROUNDS);
  const one = await inEveryOrder(FILTERS, ms);
  const two = await inEveryOrder(twoOf(FILTERS), ms);
  return [summary("one filter in each order", one), summary("two filters in each order", two)];
}

/** Each two that do not speak of the same. */
function twoOf(filters: Readonly<Record<string, InvoiceFilter>>) {
  const all = Object.entries(filters);
  return Object.fromEntries(all.flatMap(([name, filter], i) =>
    all.slice(i + 1)
      .filter(([, other]) => !Object.keys(other).some((it) => it in filter))
      .map(([otherName, other]) => [`${name}, ${otherName}`, { ...filter, ...other }])
  ));
}

interface Taken {
  readonly pair: string;
  readonly ms: number;
}

async function inEveryOrder(
  filters: Readonly<Record<string, InvoiceFilter>>,
  msOf: (asked: Asked) => Promise<number>,
): Promise<Taken[]> {
  const taken: Taken[] = [];
  for (const [name, filter] of Object.entries(filters)) {
    for (const sortBy of Object.keys(INVOICE_SORT) as SortBy[]) {
      for (const sortDir of SORT_DIRECTIONS) {
        const pair = `${name} by ${sortBy} ${sortDir}`;
        taken.push({ pair, ms: await msOf({ filter, sortBy, sortDir }) });
      }
    }
  }
  return taken.sort((a, b) => b.ms - a.ms);
}

function summary(what: string, taken: readonly Taken[]): Row {
  const within = (most: number) => taken.filter(({ ms }) => ms <= most).length;
  const sum = taken.reduce((all, { ms }) => all + ms, 0);
  const slowest = taken.slice(0, SLOWEST).map(({ pair, ms }) => `${pair} ${ms.toFixed(0)} ms`);
  return {
    what: `PostgreSQL, ${ROWS} invoices, ${what}`,
    figure: `${within(1)} of ${taken.length} within 1 ms`,
    note: `${within(2)} within 2, ${within(10)} within 10, ${
      within(100)
    } within 100, all together ${(sum / 1000).toFixed(1)} s; ${slowest.join(", ")}`,
  };
}
