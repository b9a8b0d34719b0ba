import process from "node:process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { openPglite } from "#src/adapters/pglite/database.ts";
import { migrateUp } from "#src/adapters/postgres/migrate.ts";
import { shippedMigrations } from "#src/compose/database.ts";
import { keepLogs, newLogBuffer } from "#src/platform/logs/mod.ts";
import { startAccess } from "#tests/support/access.ts";
import type { Database } from "#src/ports/db.ts";
import type { LogLevel } from "#src/ports/log.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";
import { startQueries } from "#tests/support/queries.ts";
import { serve } from "#src/adapters/http_server/server.ts";
import { addTemplate, load } from "./guard.ts";
import { median, type Row } from "./table.ts";

/** Many short rounds, because other load on the machine changes within seconds. */
const ROUNDS = 48;
const ROUND_MS = 1_500;
/** Milliseconds to wait after storing starts or stops, since entries are written every half second. */
const SETTLE_MS = 700;
const WARM_MS = 5_000;
/** Enough callers for all connections, because one caller may have four parallel queries. */
const CALLERS = ["anne", "bruno", "claire", "denis"];
const QUERY = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      order:
        sql: select order_no, status, amount from orders where order_no = :number
        params: { number: { type: string } }
`;
/** The largest allowed number of secrets; each line is searched for all of them. */
const SECRETS = Array.from({ length: 6 }, (_, nth) => `${nth} is a secret of the environment`);

/**
 * Measures the cost of storing log entries. At INFO the call is a named query of one row, which logs one line. At DEBUG
 * it is a read of one row, which logs two lines there and none at INFO.
 * It reports the rate and the processor time per call. The difference between two rounds without storing shows the
 * noise.
 */
export async function logCost(): Promise<Row[]> {
  return [
    ...postgresUrl ? [...await costOfQueries(), ...await costOfReads("PostgreSQL")] : [],
    ...await costOfReads("embedded"),
  ];
}

/** Database of the product: a server, or PGlite in a thread of the process. */
type Where = "PostgreSQL" | "embedded";

async function costOfQueries(): Promise<Row[]> {
  const { log, switched } = keptWhile("INFO");
  await using it = await startQueries({ log });
  await it.write("pools", `version: 1\npools:\n  erp:\n${it.pool()}`);
  await it.write("connectors", QUERY);
  const sessions = [];
  for (const name of CALLERS) sessions.push(await it.userWith(name, ["sql:erp:order"]));
  const path = "/api/sql/erp/order?number=SO-00000001";
  const token = sessions.map(({ token }) => token).join();
  return await readCost(it, { ...switched, path, token }, "named query of one row at INFO");
}

async function costOfReads(where: Where): Promise<Row[]> {
  const { log, switched } = keptWhile("DEBUG");
  await using database = await openOn(where);
  await using it = await startAccess({ log, on: database });
  await addTemplate(it);
  const asked = { ...switched, path: "/api/templates/bench", token: it.admin };
  return await readCost(it, asked, `${where}, read of one row at DEBUG`);
}

/** Creates a log that stores its lines while the switch is on. */
function keptWhile(level: LogLevel) {
  const buffer = newLogBuffer(100_000);
  const keeps = { now: false, lines: 0 };
  const log = jsonLinesLog({
    level,
    write: () => {},
    now: () => new Date(Date.now()),
    keep: (line) => {
      if (!keeps.now) return;
      buffer.add(line);
      keeps.lines++;
    },
  });
  return { log, switched: { buffer, keeps } };
}

type Switched = ReturnType<typeof keptWhile>["switched"];

interface Asked extends Switched {
  readonly path: string;
  /** One token, or several separated by commas. */
  readonly token: string;
}

async function readCost(
  it: Pick<Awaited<ReturnType<typeof startAccess>>, "app" | "deps">,
  { buffer, keeps, path, token }: Asked,
  call: string,
): Promise<Row[]> {
  const stop = new AbortController();
  const keeping = { process: "bench", keepDays: 1, keepEntries: 100_000, secrets: SECRETS };
  const following = keepLogs(it.deps, { ...keeping, buffer }, stop.signal);
  let calls = 0;
  const fetch: typeof it.app.fetch = (...asked) => {
    calls++;
    return it.app.fetch(...asked);
  };
  const server = await serve(fetch, { port: 0, host: "127.0.0.1" });
  const rounds: Record<Kind, Measured[]> = { off: [], again: [], kept: [] };
  // One client runs all the time, because starting one would disturb; only the storing of entries changes.
  const loading = load(`${server.url}${path}`, {
    token,
    ms: WARM_MS + KINDS.length * ROUNDS * (SETTLE_MS + ROUND_MS + 10),
    connections: 16,
  });
  keeps.now = true;
  await delay(WARM_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < KINDS.length; nth++) {
      const kind = KINDS[(round + nth) % KINDS.length] ?? "off";
      keeps.now = kind === "kept";
      await delay(SETTLE_MS);
      const [begun, before] = [performance.now(), process.cpuUsage()];
      const [was, linesWere] = [calls, keeps.lines];
      await delay(ROUND_MS);
      const { user, system } = process.cpuUsage(before);
      const answered = calls - was;
      rounds[kind].push({
        rate: answered / (performance.now() - begun) * 1000,
        ms: (user + system) / 1000 / answered,
        lines: (keeps.lines - linesWere) / answered,
      });
    }
  }
  if (buffer.takeLost()) throw new Error("Lines found no room and cost nothing");
  const { failed } = await loading;
  if (failed) throw new Error(`${failed} calls of ${path} failed`);
  await server.close(0);
  stop.abort();
  await following;
  const against = (kind: Kind, name: keyof Measured) =>
    median(rounds[kind].map((it, at) => it[name] / (rounds.off[at]?.[name] ?? NaN)));
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const mid = (kind: Kind, name: keyof Measured) => median(rounds[kind].map((it) => it[name]));
  const what = `${call} with entries kept, against not kept`;
  return [
    {
      what: `rate, ${what}`,
      figure: percent(against("kept", "rate")),
      note:
        `${Math.round(mid("kept", "rate"))} and ${Math.round(mid("off", "rate"))} /s, ${
          mid("kept", "lines").toFixed(1)
        } lines a call; ` +
        `rounds that keep nothing against each other ${percent(against("again", "rate"))}`,
    },
    {
      what: `processor time, ${what}`,
      figure: percent(against("kept", "ms")),
      note: `${mid("kept", "ms").toFixed(3)} and ${mid("off", "ms").toFixed(3)} ms a call; ` +
        `rounds that keep nothing against each other ${percent(against("again", "ms"))}`,
    },
  ];
}

async function openOn(where: Where): Promise<Database> {
  if (where === "PostgreSQL") return await testDatabase(postgresUrl);
  const folder = await mkdtemp(join(tmpdir(), "passerelle-bench-logs-"));
  const database = await openPglite(folder);
  await migrateUp(database.db, await shippedMigrations());
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

/** `again` repeats `off`. */
const KINDS = ["off", "again", "kept"] as const;
type Kind = (typeof KINDS)[number];

interface Measured {
  /** Calls per second. */
  readonly rate: number;
  /** Processor time of this process per call. */
  readonly ms: number;
  /** Stored lines per call. */
  readonly lines: number;
}
