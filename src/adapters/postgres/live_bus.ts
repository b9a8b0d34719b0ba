import { sql } from "drizzle-orm";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";
import { newWaker, type Waker } from "#src/kernel/waker.ts";
import { type Database, type Db, getRows } from "#src/ports/db.ts";
import type { LiveBus, LiveEvent, LiveRecord } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";
import { settledBelow } from "./settled.ts";

/** A trigger of the table notifies here of every insert. */
const CHANNEL = "passerelle_live";
/** Time in ms within which events are collected and read together. */
const GATHER_MS = 50;
const BATCH = 500;
const KEPT = "24 hours";
/** Delay before events are read again that a running transaction may still precede. */
const HELD_MS = 250;

interface BusOptions {
  readonly database: Database;
  readonly log: Log;
  readonly pollMs: number;
}

interface Position {
  readonly xid: number;
  readonly id: number;
}

/**
 * Returns the live channel as a table that every process follows: woken by NOTIFY, and looking each `pollMs` all
 * the same.
 */
export function tableLiveBus(options: BusOptions): LiveBus {
  const { database } = options;
  const listeners = new Set<(event: LiveRecord) => void>();
  const clients = new Set<(event: LiveRecord) => void>();
  const known: Known = { settled: 0, latest: undefined };
  const last = () => known.latest && `${known.latest.xid}-${known.latest.id}`;
  return {
    publish: (tx, event) => append(tx, [event]),
    publishAll: append,
    async since(id, limit) {
      const position = parseId(id);
      if (!position) return undefined;
      // If nothing happened since, nothing was missed, even if the event itself is no longer stored.
      if (id !== last() && await isForgotten(database.db, position)) return undefined;
      const asked = { settled: known.settled, limit };
      const { events, next } = await readAfter(database.db, position, asked);
      return position.xid < next ? events : undefined; // a future position belongs to another database, or to this one before it was restored
    },
    last,
    subscribe(callback, { isClient } = { isClient: false }) {
      listeners.add(callback);
      if (isClient) clients.add(callback);
      return () => {
        clients.delete(callback);
        listeners.delete(callback);
      };
    },
    clients: () => clients.size,
    async run(signal, onBegun) {
      const waker = newWaker();
      const stop = await database.listen(CHANNEL, () => waker.wake());
      const begin = known.latest = await end(database.db);
      onBegun?.();
      await followTable(options, { begin, known, listeners, waker }, signal);
      await stop();
    },
  };
}

/** Progress of the process that follows the table. */
interface Known {
  /** All transactions of this database below this number have ended. */
  settled: number;
  latest: Position | undefined;
}

async function followTable(
  { database: { db }, log, pollMs }: BusOptions,
  { begin, known, listeners, waker }: {
    readonly begin: Position;
    readonly known: Known;
    readonly listeners: ReadonlySet<(event: LiveRecord) => void>;
    readonly waker: Waker;
  },
  signal: AbortSignal,
): Promise<void> {
  let position = begin;
  let held: number | undefined;
  for (let round = 0; !signal.aborted; round++) {
    let isReleased = false;
    try {
      const { settled } = known;
      const { events, isHeld, next } = await readAfter(db, position, { settled, limit: BATCH });
      await tellAll(events, listeners);
      position = known.latest = parseId(events.at(-1)?.id) ?? position;
      if (round % 1000 === 0) await pruneEvents(db);
      if (events.length === BATCH) continue;
      // Most transactions end at once; a longer one may belong to another database.
      if (isHeld && held !== undefined) {
        known.settled = Math.max(settled, await settledBelow(db, held));
      }
      held = isHeld ? next : undefined;
      isReleased = known.settled > settled;
    } catch (error) {
      log.warn("live.follow.failed", { error: toMessage(error) });
    }
    // Released events are read soon, but not at once: under load more are held by then, and released in the
    // next round.
    if (!isReleased) {
      await waker.wait(held === undefined ? pollMs : Math.min(HELD_MS, pollMs), signal);
    }
    await delay(GATHER_MS, signal);
  }
}

/** Maximum time without an answer to other calls. */
const TELL_MS = 10;

/** Delivers each event to all listeners in order, in slices of the event loop. */
async function tellAll(
  events: readonly LiveRecord[],
  listeners: ReadonlySet<(event: LiveRecord) => void>,
): Promise<void> {
  let begun = performance.now();
  for (const event of events) {
    for (const tell of listeners) tell(event);
    if (performance.now() - begun < TELL_MS) continue;
    await delay(1);
    begun = performance.now();
  }
}

async function append(tx: Db, events: readonly LiveEvent[]): Promise<void> {
  if (!events.length) return;
  // One value for all: the statement is written and planned once, whatever their number.
  await tx.execute(sql`
    insert into live_events (topic, type, data, permission, audience)
    select topic, type, data, permission, audience from jsonb_array_elements(${
    JSON.stringify(events)
  }::jsonb) with ordinality as it (event, n),
      jsonb_to_record(event) as r (topic text, type text, data jsonb, permission text, audience text) order by n`);
}

interface Reading {
  readonly events: LiveRecord[];
  /** True if there are more events, which a running transaction may still precede. */
  readonly isHeld: boolean;
  /** The number the next transaction gets. */
  readonly next: number;
}

/**
 * Reads only rows that no running transaction can still precede, so that a reader never skips a late commit. All
 * rows below `settled` are known to be safe.
 */
async function readAfter(
  db: Db,
  { xid, id }: Position,
  { settled, limit }: { settled: number; limit: number },
): Promise<Reading> {
  const result = await db.execute(sql`
    with bound as (
      select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next,
        greatest(pg_snapshot_xmin(pg_current_snapshot())::text::bigint, ${settled}::bigint) as bound
    )
    select next, exists (select 1 from live_events where live_events.xid >= bound) as held, events.*
    from bound left join lateral (
      select xid, id, topic, type, data, permission, audience from live_events
      where (xid, id) > (${xid}::bigint, ${id}::bigint) and xid < bound
      order by xid, id limit ${limit}
    ) events on true order by xid, id`);
  type Row = Omit<LiveRecord, "id" | "audience"> & {
    next: string;
    held: boolean;
    xid: string | null;
    id: string;
    audience: string | null;
  };
  const rows = getRows<Row>(result);
  const events = rows.flatMap(({ next: _next, held: _held, xid, id, audience, ...event }) =>
    xid === null ? [] : [{ ...event, id: `${xid}-${id}`, ...audience !== null && { audience } }]
  );
  return { events, isHeld: rows[0]?.held === true, next: Number(rows[0]?.next ?? 0) };
}

async function end(db: Db): Promise<Position> {
  const result = await db.execute(sql`select xid, id from live_events
    where xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint order by xid desc, id desc limit 1`);
  const [last] = getRows<{ xid: string; id: string }>(result);
  return last ? { xid: Number(last.xid), id: Number(last.id) } : { xid: 0, id: 0 };
}

async function isForgotten(db: Db, { xid, id }: Position): Promise<boolean> {
  const result = await db.execute(
    sql`select 1 from live_events where (xid, id) <= (${xid}::bigint, ${id}::bigint) limit 1`,
  );
  return !getRows(result).length;
}

async function pruneEvents(db: Db): Promise<void> {
  await db.execute(sql`delete from live_events where created_at < now() - ${KEPT}::interval`);
}

function parseId(text: string | undefined): Position | undefined {
  const [, xid, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return xid && id ? { xid: Number(xid), id: Number(id) } : undefined;
}
