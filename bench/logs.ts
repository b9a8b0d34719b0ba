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

/** Many and short: what else the machine does comes and goes within seconds. */
const ROUNDS = 48;
const ROUND_MS = 1_500;
/** After entries begin to be kept, or no longer are, until all that is done is of that kind: they are written each half second. */
const SETTLE_MS = 700;
const WARM_MS = 5_000;
/** As many as an installation may have; each line is looked through for all of them. */
const SECRETS = Array.from({ length: 6 }, (_, nth) => `${nth} is a secret of the environment`);

/**
 * What it costs that log entries are kept: a read of one row, which logs two lines at DEBUG (and none at INFO, where a product has it).
 * Beside the rate, which whatever else the machine does moves, the processor time of a call in the process that serves; and beside
 * both what the same bench finds between rounds that keep nothing, so that nobody takes its own unrest for a cost.
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
  const rounds: Record<Kind, Measured[]> = { off: [], again: [], kept: [] };
  // One client all the time, which a start of its own would disturb; what changes is whether entries are kept.
  const loading = load(`${server.url}/api/templates/bench`, {
    token: it.admin,
    ms: WARM_MS + KINDS.length * ROUNDS * (SETTLE_MS + ROUND_MS + 10),
    connections: 16,
  });
  keeps = true;
  await delay(WARM_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (let nth = 0; nth < KINDS.length; nth++) {
      const kind = KINDS[(round + nth) % KINDS.length] ?? "off";
      keeps = kind === "kept";
      await delay(SETTLE_MS);
      const [begun, before, was] = [performance.now(), process.cpuUsage(), calls];
      await delay(ROUND_MS);
      const { user, system } = process.cpuUsage(before);
      const answered = calls - was;
      rounds[kind].push({
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
  const against = (kind: Kind, name: keyof Measured) =>
    median(rounds[kind].map((it, at) => it[name] / (rounds.off[at]?.[name] ?? NaN)));
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const mid = (kind: Kind, name: keyof Measured) => median(rounds[kind].map((it) => it[name]));
  const what = `${where}, read of one row at DEBUG with entries kept, against not kept`;
  return [
    {
      what: `rate, ${what}`,
      figure: percent(against("kept", "rate")),
      note: `${Math.round(mid("kept", "rate"))} and ${Math.round(mid("off", "rate"))} /s; ` +
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

/** `again` is `off` once more. */
const KINDS = ["off", "again", "kept"] as const;
type Kind = (typeof KINDS)[number];

interface Measured {
  /** Calls a second. */
  readonly rate: number;
  /** Processor time of this process for each call. */
  readonly ms: number;
}
