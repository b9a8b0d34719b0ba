import process from "node:process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { openPglite } from "#src/adapters/pglite/database.ts";
import { migrateUp } from "#src/adapters/postgres/migrate.ts";
import { shippedMigrations } from "#src/compose/database.ts";
import { keepLogs, newLogBuffer } from "#src/features/logs/mod.ts";
import { startAccess } from "#tests/support/access.ts";
import type { Database } from "#src/ports/db.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";
import { serve } from "#src/adapters/http_server/server.ts";
import { addTemplate, load } from "./guard.ts";
import { median, type Row } from "./table.ts";

const ROUNDS = 12;
const ROUND_MS = 4_000;
/** After entries begin to be kept, or no longer are, until all that is done is of that kind: they are written each half second. */
const SETTLE_MS = 1_000;
const WARM_MS = 5_000;
/** As many as an installation may have; each line is looked through for all of them. */
const SECRETS = Array.from({ length: 6 }, (_, nth) => `${nth} is a secret of the environment`);

/**
 * What it costs that log entries are kept: a read of one row, which logs two lines at DEBUG (and none at INFO, where a product has it).
 * Beside the rate, which whatever else the machine does moves, the processor time of a call in the process that serves.
 */
export async function logCost(): Promise<Row[]> {
  return [...postgresUrl ? await costOn("PostgreSQL") : [], ...await costOn("embedded")];
}

/** As the product has it: a server beside the process, or PGlite in a thread of it. */
type Where = "PostgreSQL" | "embedded";

async function costOn(where: Where): Promise<Row[]> {
  await using database = await openOn(where);
  const buffer = newLogBuffer(100_000);
  let keeps = false;
  const log = jsonLinesLog({
    level: "DEBUG",
    write: () => {},
    now: () => new Date(Date.now()),
    keep: (line) => keeps ? buffer.add(line) : undefined,
  });
  await using it = await startAccess({ log, on: database });
  const stop = new AbortController();
  const keeping = { process: "bench", keepDays: 1, keepEntries: 100_000, secrets: SECRETS };
  const following = keepLogs(it.deps, { ...keeping, buffer }, stop.signal);
  await addTemplate(it);
  let calls = 0;
  const fetch: typeof it.app.fetch = (...asked) => {
    calls++;
    return it.app.fetch(...asked);
  };
  const server = await serve(fetch, { port: 0, host: "127.0.0.1" });
  const rounds: [Measured[], Measured[]] = [[], []];
  // One client all the time, which a start of its own would disturb; what changes is whether entries are kept.
  const loading = load(`${server.url}/api/templates/bench`, {
    token: it.admin,
    ms: WARM_MS + 2 * ROUNDS * (SETTLE_MS + ROUND_MS + 10),
    connections: 16,
  });
  keeps = true;
  await delay(WARM_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const which of round % 2 ? [0, 1] as const : [1, 0] as const) {
      keeps = which === 1;
      await delay(SETTLE_MS);
      const [begun, before, was] = [performance.now(), process.cpuUsage(), calls];
      await delay(ROUND_MS);
      const { user, system } = process.cpuUsage(before);
      const answered = calls - was;
      rounds[which].push({
        rate: answered / (performance.now() - begun) * 1000,
        ms: (user + system) / 1000 / answered,
      });
    }
  }
  if (buffer.takeLost()) throw new Error("Lines found no room and cost nothing");
  await loading;
  await server.close(0);
  stop.abort();
  await following;
  const [off, on] = rounds;
  const rates = on.map(({ rate }, at) => rate / (off[at]?.rate ?? NaN));
  const costs = on.map(({ ms }, at) => ms / (off[at]?.ms ?? NaN) - 1);
  const what = `${where}, read of one row at DEBUG with entries kept, against not kept`;
  const mid = (of: Measured[], name: keyof Measured) => median(of.map((it) => it[name]));
  return [
    {
      what: `rate, ${what}`,
      figure: `${(median(rates) * 100).toFixed(1)} %`,
      note: `${Math.round(mid(on, "rate"))} and ${Math.round(mid(off, "rate"))} /s`,
    },
    {
      what: `processor time, ${what}`,
      figure: `${(median(costs) * 100).toFixed(1)} % more`,
      note: `${mid(on, "ms").toFixed(3)} and ${mid(off, "ms").toFixed(3)} ms a call`,
    },
  ];
}

async function openOn(where: Where): Promise<Database> {
  if (where === "PostgreSQL") return await testDatabase(postgresUrl);
  const folder = await mkdtemp(join(tmpdir(), "passerelle-bench-logs-"));
  const database = await openPglite({ folder });
  await migrateUp(database.db, await shippedMigrations());
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    },
  };
}

interface Measured {
  /** Calls a second. */
  readonly rate: number;
  /** Processor time of this process for each call. */
  readonly ms: number;
}
