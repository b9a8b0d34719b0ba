import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { sql } from "drizzle-orm";
import { invoices, templates } from "#drizzle/schema/mod.ts";
import { compose, getConcurrency } from "#src/compose/compose.ts";
import { loadConfig } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { recordStatuses } from "#src/gateway/invoices/mod.ts";
import { getRows } from "#src/ports/db.ts";
import { runWorkers } from "#workers/run.ts";
import { postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { until } from "#tests/support/until.ts";
import type { Row } from "./table.ts";

const CHANGES = 1_000;
const RULES = 50;
/** Every tenth rule is for the new status. */
const STATUSES = ["204", "205", "206", "207", "208", "209", "210", "211", "212", "220"];

interface Case {
  /** Number of rules for the new status. */
  readonly matching: number;
  /** Changes per transaction, as in a poll or a burst. */
  readonly together: number;
}
const CASES: readonly Case[] = [
  { matching: 5, together: 1 },
  { matching: 5, together: 25 },
  { matching: RULES, together: 25 },
];

/** Measures status changes dispatched per second by the two workers of one process, with 50 rules. */
export async function notifications(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const it of CASES) rows.push(await measure("PGlite", {}, it));
  for (const it of postgresUrl ? CASES : []) {
    await using home = await testDatabaseUrl(postgresUrl ?? "");
    rows.push(await measure("PostgreSQL", { DATABASE_URL: home.url }, it));
  }
  return rows;
}

async function measure(
  name: string,
  environment: Record<string, string>,
  { matching, together }: Case,
): Promise<Row> {
  const dataDir = await mkdtemp(join(tmpdir(), "passerelle-bench-"));
  const config = loadConfig({
    DATA_DIR: dataDir,
    AUTH: "off",
    SANDBOX_PA: "off",
    POLL_SECONDS: "0",
    SERVICE_LOG_LEVEL: "ERROR",
    SECRET_KEY: "a key for benchmarks only, 32 characters",
    PATH: process.env["PATH"] ?? "",
    ...environment,
  });
  const composed = await compose(config, { write: (line) => void process.stderr.write(line) });
  const { deps } = composed;
  await prepare(deps, matching);
  await change(deps, together);
  const stop = new AbortController();
  const begin = performance.now();
  const working = runWorkers(deps, {
    queues: ["notification"],
    concurrency: getConcurrency(config),
    signal: stop.signal,
  });
  await until(async () => await count(deps, "tasks") === 0, "the tasks", 120_000);
  const seconds = (performance.now() - begin) / 1000;
  stop.abort();
  await working;
  const records = await count(deps, "notification_deliveries");
  if (records !== CHANGES * matching) {
    throw new Error(`${records} records instead of ${CHANGES * matching}`);
  }
  await composed[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
  return {
    what:
      `notifications, ${RULES} rules, ${matching} of them for the status, ${together} change(s) at once, ${name}`,
    figure: `${(CHANGES / seconds).toFixed(0)} changes/s`,
    note: `${(records / seconds).toFixed(0)} portal records/s, none lost, none twice`,
  };
}

async function prepare({ db }: Deps, matching: number): Promise<void> {
  await db.execute(
    sql`insert into invoices (doc, dct, kco, ubl_number, currency, total_ttc, customer_name, status)
    select n::text, 'RI', '00001', 'RI-' || n, 'EUR', n, 'Hélios', '10' from generate_series(1, ${
      sql.raw(String(CHANGES))
    }) n`,
  );
  await db.insert(templates).values(Array.from({ length: RULES }, (_, n) => ({
    name: `rule ${n}`,
    type: "notification-rule" as const,
    properties: {
      enabled: "Y",
      "trigger.status": matching === RULES ? "" : STATUSES[n % STATUSES.length] ?? "",
      subject: "{ublNumber} {customerName} {totalTTC} {currency}: {statusLabel}",
    },
    owner: "bench",
  })));
}

async function change(deps: Deps, together: number): Promise<void> {
  const event = { code: "204", at: deps.clock.now(), source: "bench" };
  const rows = await deps.db.select().from(invoices);
  for (let at = 0; at < rows.length; at += together) {
    const changes = rows.slice(at, at + together).map((invoice) => ({ invoice, event }));
    await deps.db.transaction((tx) => recordStatuses(deps, tx, changes));
  }
}

async function count({ db }: Deps, table: "tasks" | "notification_deliveries"): Promise<number> {
  return getRows<{ n: number }>(
    await db.execute(sql`select count(*)::int as n from ${sql.raw(table)}`),
  )[0]?.n ?? 0;
}
