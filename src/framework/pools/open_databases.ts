import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import type { Deps } from "#src/deps.ts";
import { OWN_POOL, type PoolDefinition } from "#src/definitions/pools.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Databases, NamedPool } from "#src/ports/databases.ts";
import type { DatabasePool, OpenPool } from "#src/ports/pool.ts";
import { CLOSED, openedByHand } from "./opened_by_hand.ts";
import { reportingPool, reportTo } from "./reporting_pool.ts";
import {
  type ConfigVariables,
  DEFAULTS,
  getLimits,
  ms,
  resolveSettings,
  settingsOfAddress,
} from "./resolve_settings.ts";

const LOOK_MS = 1_000;
const STATS_MS = 10_000;

type OpenDatabasesDeps = Pick<Deps, "configuration" | "db" | "live" | "log" | "vault">;

/** Function to open pools, and variables their settings may use. */
export interface DatabasesOptions {
  readonly open: OpenPool;
  /** The product's own database under its reader's role. */
  readonly own: () => Promise<DatabasePool>;
  readonly variables: ConfigVariables;
  /** Addresses of the pools that variables define, by name. */
  readonly addresses?: ReadonlyMap<string, string>;
}

interface Opened {
  readonly name: string;
  readonly definition: PoolDefinition;
  readonly named: Promise<NamedPool>;
  /** Pool, once it is open. */
  pool: DatabasePool | undefined;
  toldAt: number;
}

/** Manages the pools of the configuration: opens them on first use, and replaces them when their definition changes. */
export function openDatabases(deps: OpenDatabasesDeps, options: DatabasesOptions): Databases {
  const { configuration, live, log } = deps;
  const opened = new Map<string, Opened>();
  /**
   * Opened pools by definition. An unchanged definition is the same object in the next snapshot, or has equal content.
   */
  const known = new WeakMap<PoolDefinition, Opened>();
  const self = crypto.randomUUID();
  const byHand = openedByHand(deps, self);

  const own = newSharedValue(async (): Promise<NamedPool> => {
    const report = reportTo(log, OWN_POOL);
    try {
      const pool = reportingPool(await options.own(), report);
      return { name: OWN_POOL, pool, readOnly: true, limits: DEFAULTS };
    } catch (error) {
      report(error);
      throw error;
    }
  });
  const useEntry = (section: Definitions["pools"], name: string): Opened => {
    const definition = section.pools[name] as PoolDefinition;
    const found = known.get(definition);
    if (found && opened.has(getKey(found))) return found;
    const key = getKey({ name, definition });
    const entry = opened.get(key) ?? opening(section, name);
    opened.set(key, entry);
    known.set(definition, entry);
    return entry;
  };
  const opening = (section: Definitions["pools"], name: string): Opened => {
    const definition = section.pools[name] as PoolDefinition;
    const named = openedPool(deps, options, { section, name });
    const entry: Opened = { name, definition, named, pool: undefined, toldAt: 0 };
    named.then(({ pool }) => entry.pool = pool, () => opened.delete(getKey(entry))); // the next caller tries again
    return entry;
  };
  const drop = (isDropped: (entry: Opened) => boolean) => {
    for (const [key, entry] of opened) {
      if (!isDropped(entry)) continue;
      opened.delete(key);
      void closePool(entry, log);
    }
  };
  /** Does nothing when a user opened it again meanwhile. */
  const dropClosed = async (name: string) => {
    const state = await byHand.state(name, { anew: true }).catch(() => "closed");
    if (state === "closed") drop((it) => it.name === name);
  };
  const sweep = (snapshot: Snapshot) => {
    const section = snapshot.section("pools");
    const definitions = Object.entries(section?.pools ?? {});
    const current = new Set(definitions.map(([name, definition]) => getKey({ name, definition })));
    drop((it) => !current.has(getKey(it)));
    for (const [name, { open }] of definitions) {
      if (!section || open !== "on_start") continue;
      useEntry(section, name).named.then(connectPool).catch((error) =>
        log.error("pool.open.failed", { pool: name, error: toMessage(error) })
      );
    }
  };
  const readState = async (name: string, { open }: PoolDefinition) =>
    await byHand.state(name) ?? (open === "manual" ? "closed" : "open");
  return {
    async list(snapshot) {
      const section = snapshot.section("pools");
      const all = Object.entries(section?.pools ?? {});
      const named = all.map(async ([name, definition]) => ({
        name,
        driver: definition.driver,
        source: isGiven(configuration, name, definition)
          ? "environment" as const
          : "settings" as const,
        state: await readState(name, definition),
        connections: opened.get(getKey({ name, definition }))?.pool?.stats(),
      }));
      const first = {
        name: OWN_POOL,
        driver: "postgres",
        source: "product" as const,
        state: "open" as const,
        connections: own.peek()?.pool.stats(),
      };
      return [first, ...await Promise.all(named)];
    },
    async use(snapshot, name) {
      if (name === OWN_POOL) return await own.get();
      const section = sectionWith(snapshot, name);
      if (await readState(name, section.pools[name] as PoolDefinition) === "closed") {
        throw new AppError(
          "unavailable",
          say`The pool ${name} is closed until somebody opens it: GET /api/db/open?target_pool=${name}`,
        );
      }
      return await useEntry(section, name).named;
    },
    async open(snapshot, name, { username }) {
      if (name === OWN_POOL) return await connectPool(await own.get());
      const section = sectionWith(snapshot, name);
      await connectPool(await useEntry(section, name).named);
      await byHand.open(name, username);
    },
    async disconnect(snapshot, name, { username }) {
      if (name === OWN_POOL) {
        throw new AppError("conflict", say`The product's own database is not closed`);
      }
      sectionWith(snapshot, name);
      await byHand.close(name, username);
      drop((it) => it.name === name);
    },
    async run(signal) {
      const waker = newWaker();
      let seen: Snapshot | undefined;
      const stop = live.subscribe(({ type, data }) => {
        if (type !== CLOSED) return;
        const { pool, from } = data as { pool?: unknown; from?: unknown };
        // The process that closed it has nothing left to drop, and a user may have opened it again.
        if (from !== self) void dropClosed(String(pool));
      });
      while (!signal.aborted) {
        const snapshot = configuration.current();
        if (snapshot !== seen) sweep(snapshot);
        seen = snapshot;
        await tellStats(deps, opened.values()).catch((error) =>
          log.warn("pool.stats.failed", { error: toMessage(error) })
        );
        await waker.wait(LOOK_MS, signal);
      }
      stop();
    },
    async close() {
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map((it) => closePool(it, log)));
      await (await own.settled())?.pool.close().catch(() => {});
    },
  };
}

function getKey({ name, definition }: Pick<Opened, "name" | "definition">): string {
  return `${name} ${JSON.stringify(definition)}`;
}

async function openedPool(
  deps: OpenDatabasesDeps,
  { addresses, open, variables }: DatabasesOptions,
  { section, name }: { section: Definitions["pools"]; name: string },
): Promise<NamedPool> {
  const definition = section.pools[name] as PoolDefinition;
  const report = reportTo(deps.log, name);
  try {
    const url = isGiven(deps.configuration, name, definition) ? addresses?.get(name) : undefined;
    const pool = await open(
      url === undefined
        ? resolveSettings(deps, { section, name, variables })
        : settingsOfAddress(url, definition),
    );
    return {
      name,
      pool: reportingPool(pool, report),
      readOnly: definition.read_only ?? false,
      limits: getLimits(definition),
    };
  } catch (error) {
    report(error);
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, say`The pool ${name} cannot be opened: ${error.sentence}`, {
      cause: error,
      reason: error.reason,
    });
  }
}

/** Checks whether a variable defines the pool. A pool of the section replaces one with its name. */
function isGiven(
  { givenPools }: OpenDatabasesDeps["configuration"],
  name: string,
  definition: PoolDefinition,
): boolean {
  return givenPools.get(name) === definition;
}

/** Throws AppError `not_found`. */
function sectionWith(snapshot: Snapshot, name: string): Definitions["pools"] {
  const section = snapshot.section("pools");
  if (section && Object.hasOwn(section.pools, name)) return section;
  throw new AppError("not_found", say`There is no pool named ${name.slice(0, 100)}`);
}

async function connectPool({ pool, limits }: NamedPool): Promise<void> {
  const text = pool.dialect === "oracle" ? "select 1 from dual" : "select 1";
  await pool.read({ text, values: [] }, limits);
}

/** Closes the pool when its users have finished; no caller waits for that. */
async function closePool({ name, named }: Opened, log: Deps["log"]): Promise<void> {
  await named.then(({ pool }) => pool.close()).catch((error) =>
    log.warn("pool.close.failed", { pool: name, error: toMessage(error) })
  );
}

/** Publishes statistics of each open pool, as often as its definition says; each process publishes its own. */
async function tellStats({ db, live }: OpenDatabasesDeps, opened: Iterable<Opened>): Promise<void> {
  const now = performance.now();
  for (const entry of opened) {
    const every = ms(entry.definition.stats_interval) ?? STATS_MS;
    if (every === 0 || now - entry.toldAt < every) continue;
    if (!entry.pool) continue;
    entry.toldAt = now;
    const { open, busy, waiting, max } = entry.pool.stats();
    if (open === 0 && waiting === 0) continue;
    await live.publish(db, {
      topic: "pools",
      type: "pool.stats",
      permission: "settings:pools",
      data: { pool: entry.name, driver: entry.definition.driver, open, busy, waiting, max },
    });
  }
}
