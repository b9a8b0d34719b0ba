import type { Deps } from "#src/deps.ts";
import { OWN_POOL, type PoolDefinition } from "#src/definitions/pools.ts";
import type { Definitions } from "#src/definitions/sections.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { newWaker } from "#src/kernel/waker.ts";
import type { Snapshot } from "#src/ports/configuration.ts";
import type { Databases, NamedPool } from "#src/ports/databases.ts";
import type { OpenPool, Pool } from "#src/ports/pool.ts";
import { CLOSED, openedByHand } from "./opened_by_hand.ts";
import { type ConfigVariables, DEFAULTS, limitsOf, ms, settingsOf } from "./settings_of.ts";

const LOOK_MS = 1_000;
const STATS_MS = 10_000;

type Needs = Pick<Deps, "configuration" | "db" | "live" | "log" | "vault">;

/** How pools are opened, and which variables their texts may name. */
export interface DatabasesOptions {
  readonly open: OpenPool;
  /** The product's own database under its reader's role. */
  readonly own: () => Promise<Pool>;
  readonly variables: ConfigVariables;
}

interface Opened {
  readonly name: string;
  readonly definition: PoolDefinition;
  readonly named: Promise<NamedPool>;
  /** Once it is open. */
  pool: Pool | undefined;
  toldAt: number;
}

/** The pools of the configuration: opened when they are first asked for, replaced when their definition is another. */
export function openDatabases(needs: Needs, options: DatabasesOptions): Databases {
  const { configuration, live, log } = needs;
  const opened = new Map<string, Opened>();
  /** A definition that did not change is the same object in the next snapshot, or says the same. */
  const known = new WeakMap<PoolDefinition, Opened>();
  let own: Promise<NamedPool> | undefined;
  let ownPool: Pool | undefined;
  const self = crypto.randomUUID();
  const byHand = openedByHand(needs, self);

  const useOwn = () => {
    own ??= options.own().then((pool) => {
      ownPool = pool;
      return { name: OWN_POOL, pool, readOnly: true, limits: DEFAULTS };
    });
    own.catch(() => own = undefined); // whoever asks next tries again
    return own;
  };
  const entryOf = (section: Definitions["pools"], name: string): Opened => {
    const definition = section.pools[name] as PoolDefinition;
    const found = known.get(definition);
    if (found && opened.has(keyOf(found))) return found;
    const key = keyOf({ name, definition });
    const entry = opened.get(key) ?? opening(section, name);
    opened.set(key, entry);
    known.set(definition, entry);
    return entry;
  };
  const opening = (section: Definitions["pools"], name: string): Opened => {
    const definition = section.pools[name] as PoolDefinition;
    const named = openedPool(needs, options, { section, name });
    const entry: Opened = { name, definition, named, pool: undefined, toldAt: 0 };
    named.then(({ pool }) => entry.pool = pool, () => opened.delete(keyOf(entry))); // who asks next tries again
    return entry;
  };
  const drop = (isDropped: (entry: Opened) => boolean) => {
    for (const [key, entry] of opened) {
      if (!isDropped(entry)) continue;
      opened.delete(key);
      void ended(entry, log);
    }
  };
  /** Unless somebody opened it again meanwhile. */
  const dropClosed = async (name: string) => {
    const state = await byHand.state(name, { anew: true }).catch(() => "closed");
    if (state === "closed") drop((it) => it.name === name);
  };
  const sweep = (snapshot: Snapshot) => {
    const section = snapshot.section("pools");
    const definitions = Object.entries(section?.pools ?? {});
    const current = new Set(definitions.map(([name, definition]) => keyOf({ name, definition })));
    drop((it) => !current.has(keyOf(it)));
    for (const [name, { open }] of definitions) {
      if (!section || open !== "on_start") continue;
      entryOf(section, name).named.then(connected).catch((error) =>
        log.error("pool.open.failed", { pool: name, error: messageOf(error) })
      );
    }
  };
  const stateOf = async (name: string, { open }: PoolDefinition) =>
    await byHand.state(name) ?? (open === "manual" ? "closed" : "open");
  return {
    async list(snapshot) {
      const section = snapshot.section("pools");
      const all = Object.entries(section?.pools ?? {});
      const named = all.map(async ([name, definition]) => ({
        name,
        driver: definition.driver,
        state: await stateOf(name, definition),
        connections: opened.get(keyOf({ name, definition }))?.pool?.stats(),
      }));
      const first = {
        name: OWN_POOL,
        driver: "postgres",
        state: "open" as const,
        connections: ownPool?.stats(),
      };
      return [first, ...await Promise.all(named)];
    },
    async use(snapshot, name) {
      if (name === OWN_POOL) return await useOwn();
      const section = sectionWith(snapshot, name);
      if (await stateOf(name, section.pools[name] as PoolDefinition) === "closed") {
        throw new AppError(
          "unavailable",
          say`The pool ${name} is closed until somebody opens it: GET /api/db/open?target_pool=${name}`,
        );
      }
      return await entryOf(section, name).named;
    },
    async open(snapshot, name, { username }) {
      if (name === OWN_POOL) return await connected(await useOwn());
      const section = sectionWith(snapshot, name);
      await connected(await entryOf(section, name).named);
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
        // Where it was closed nothing is left to drop, and it may have been opened again by now.
        if (from !== self) void dropClosed(String(pool));
      });
      while (!signal.aborted) {
        const snapshot = configuration.current();
        if (snapshot !== seen) sweep(snapshot);
        seen = snapshot;
        await tellStats(needs, opened.values()).catch((error) =>
          log.warn("pool.stats.failed", { error: messageOf(error) })
        );
        await waker.wait(LOOK_MS, signal);
      }
      stop();
    },
    async close() {
      const all = [...opened.values()];
      opened.clear();
      await Promise.all(all.map((it) => ended(it, log)));
      await own?.then(({ pool }) => pool.close()).catch(() => {});
    },
  };
}

function keyOf({ name, definition }: Pick<Opened, "name" | "definition">): string {
  return `${name} ${JSON.stringify(definition)}`;
}

async function openedPool(
  needs: Needs,
  { open, variables }: DatabasesOptions,
  { section, name }: { section: Definitions["pools"]; name: string },
): Promise<NamedPool> {
  const definition = section.pools[name] as PoolDefinition;
  try {
    const pool = await open(settingsOf(needs, { section, name, variables }));
    return {
      name,
      pool,
      readOnly: definition.read_only ?? false,
      limits: limitsOf(definition),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(error.code, say`The pool ${name} cannot be opened: ${error.sentence}`, {
      cause: error,
    });
  }
}

/** Throws AppError `not_found`. */
function sectionWith(snapshot: Snapshot, name: string): Definitions["pools"] {
  const section = snapshot.section("pools");
  if (section && Object.hasOwn(section.pools, name)) return section;
  throw new AppError("not_found", say`There is no pool named ${name.slice(0, 100)}`);
}

async function connected({ pool, limits }: NamedPool): Promise<void> {
  const text = pool.dialect === "oracle" ? "select 1 from dual" : "select 1";
  await pool.read({ text, values: [] }, limits);
}

/** When those who use it have ended; nobody is kept waiting for it. */
async function ended({ name, named }: Opened, log: Deps["log"]): Promise<void> {
  await named.then(({ pool }) => pool.close()).catch((error) =>
    log.warn("pool.close.failed", { pool: name, error: messageOf(error) })
  );
}

/** A snapshot of each open pool, as often as its definition says; each process tells of its own. */
async function tellStats({ db, live }: Needs, opened: Iterable<Opened>): Promise<void> {
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
