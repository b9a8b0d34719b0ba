import type { Deps } from "#src/deps.ts";
import { OWN_POOL, type PoolDefinition, Pools } from "#src/definitions/pools.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { unmaskedValue } from "#src/framework/configuration/mod.ts";
import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { Actor } from "#src/ports/access.ts";
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
  return new PoolRegistry(deps, options);
}

class PoolRegistry implements Databases {
  readonly #deps: OpenDatabasesDeps;
  readonly #options: DatabasesOptions;
  readonly #opened = new Map<string, Opened>();
  /**
   * Opened pools by definition. An unchanged definition is the same object in the next snapshot, or has equal content.
   */
  readonly #known = new WeakMap<PoolDefinition, Opened>();
  readonly #own = newSharedValue(() => this.#openOwn());
  readonly #self = crypto.randomUUID();
  readonly #byHand: ReturnType<typeof openedByHand>;

  constructor(deps: OpenDatabasesDeps, options: DatabasesOptions) {
    this.#deps = deps;
    this.#options = options;
    this.#byHand = openedByHand(deps, this.#self);
  }

  async list(snapshot: Snapshot) {
    const section = snapshot.section("pools");
    const all = Object.entries(section?.pools ?? {});
    const named = all.map(async ([name, definition]) => ({
      name,
      driver: definition.driver,
      source: isGiven(this.#deps.configuration, name, definition)
        ? "environment" as const
        : "settings" as const,
      state: await this.#readState(name, definition),
      connections: this.#opened.get(getKey({ name, definition }))?.pool?.stats(),
    }));
    const first = {
      name: OWN_POOL,
      driver: "postgres",
      source: "product" as const,
      state: "open" as const,
      connections: this.#own.peek()?.pool.stats(),
    };
    return [first, ...await Promise.all(named)];
  }

  async use(snapshot: Snapshot, name: string): Promise<NamedPool> {
    if (name === OWN_POOL) return await this.#own.get();
    const section = sectionWith(snapshot, name);
    if (await this.#readState(name, section.pools[name] as PoolDefinition) === "closed") {
      throw new AppError(
        "unavailable",
        say`The pool ${name} is closed until somebody opens it: GET /api/db/open?target_pool=${name}`,
      );
    }
    return await this.#useEntry(section, name).named;
  }

  async tryTyped(snapshot: Snapshot, name: string, typed: unknown): Promise<NamedPool> {
    const before = snapshot.section("pools") ?? { version: 1, pools: {} };
    const given = { ...before, pools: { ...before.pools, [name]: typed } };
    const read = Pools.safeParse(unmaskedValue("pools", given, before));
    if (!read.success) {
      throw new AppError("refused", say`The definition of the database is incomplete`);
    }
    return await openedPool(this.#deps, this.#options, { section: read.data, name });
  }

  async open(snapshot: Snapshot, name: string, { username }: Pick<Actor, "username">) {
    if (name === OWN_POOL) return await connectPool(await this.#own.get());
    const section = sectionWith(snapshot, name);
    await connectPool(await this.#useEntry(section, name).named);
    await this.#byHand.open(name, username);
  }

  async disconnect(snapshot: Snapshot, name: string, { username }: Pick<Actor, "username">) {
    if (name === OWN_POOL) {
      throw new AppError("conflict", say`The product's own database is not closed`);
    }
    sectionWith(snapshot, name);
    await this.#byHand.close(name, username);
    this.#drop((it) => it.name === name);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { configuration, live, log } = this.#deps;
    const waker = newWaker();
    let seen: Snapshot | undefined;
    const stop = live.subscribe(({ type, data }) => {
      if (type !== CLOSED) return;
      const { pool, from } = data as { pool?: unknown; from?: unknown };
      // The process that closed it has nothing left to drop, and a user may have opened it again.
      if (from !== this.#self) void this.#dropClosed(String(pool));
    });
    while (!signal.aborted) {
      const snapshot = configuration.current();
      if (snapshot !== seen) this.#sweep(snapshot);
      seen = snapshot;
      await tellStats(this.#deps, this.#opened.values()).catch((error) =>
        log.warn("pool.stats.failed", { error: toMessage(error) })
      );
      await waker.wait(LOOK_MS, signal);
    }
    stop();
  }

  async close(): Promise<void> {
    const all = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.all(all.map((it) => closePool(it, this.#deps.log)));
    await (await this.#own.settled())?.pool.close().catch(() => {});
  }

  async #openOwn(): Promise<NamedPool> {
    const report = reportTo(this.#deps.log, OWN_POOL);
    try {
      const pool = reportingPool(await this.#options.own(), report);
      return { name: OWN_POOL, pool, readOnly: true, limits: DEFAULTS };
    } catch (error) {
      report(error);
      throw error;
    }
  }

  #useEntry(section: Definitions["pools"], name: string): Opened {
    const definition = section.pools[name] as PoolDefinition;
    const found = this.#known.get(definition);
    if (found && this.#opened.has(getKey(found))) return found;
    const key = getKey({ name, definition });
    const entry = this.#opened.get(key) ?? this.#openEntry(section, name);
    this.#opened.set(key, entry);
    this.#known.set(definition, entry);
    return entry;
  }

  #openEntry(section: Definitions["pools"], name: string): Opened {
    const definition = section.pools[name] as PoolDefinition;
    const named = openedPool(this.#deps, this.#options, { section, name });
    const entry: Opened = { name, definition, named, pool: undefined, toldAt: 0 };
    named.then(({ pool }) => entry.pool = pool, () => this.#opened.delete(getKey(entry))); // the next caller tries again
    return entry;
  }

  #drop(isDropped: (entry: Opened) => boolean): void {
    for (const [key, entry] of this.#opened) {
      if (!isDropped(entry)) continue;
      this.#opened.delete(key);
      void closePool(entry, this.#deps.log);
    }
  }

  /** Does nothing when a user opened it again meanwhile. */
  async #dropClosed(name: string): Promise<void> {
    const state = await this.#byHand.state(name, { anew: true }).catch(() => "closed");
    if (state === "closed") this.#drop((it) => it.name === name);
  }

  #sweep(snapshot: Snapshot): void {
    const section = snapshot.section("pools");
    const definitions = Object.entries(section?.pools ?? {});
    const current = new Set(definitions.map(([name, definition]) => getKey({ name, definition })));
    this.#drop((it) => !current.has(getKey(it)));
    for (const [name, { open }] of definitions) {
      if (!section || open !== "on_start") continue;
      this.#useEntry(section, name).named.then(connectPool).catch((error) =>
        this.#deps.log.error("pool.open.failed", { pool: name, error: toMessage(error) })
      );
    }
  }

  async #readState(name: string, { open }: PoolDefinition) {
    return await this.#byHand.state(name) ?? (open === "manual" ? "closed" : "open");
  }
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
