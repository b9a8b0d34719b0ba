import { sql } from "drizzle-orm";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";
import { newWaker } from "#src/kernel/waker.ts";
import { type Database, type Db, rowsOf } from "#src/ports/db.ts";
import type { LiveBus, LiveEvent, LiveRecord } from "#src/ports/live_bus.ts";
import type { Log } from "#src/ports/log.ts";

/** A trigger of the table notifies here of every insert. */
const CHANNEL = "passerelle_live";
/** Events of so many ms are read together. */
const GATHER_MS = 50;
const BATCH = 500;
const KEPT = "24 hours";

interface Position {
  readonly xid: number;
  readonly id: number;
}

/** The live channel as a table that every process follows: woken by NOTIFY, and looking each `pollMs` all the same. */
export function tableLiveBus(
  { database, log, pollMs }: { database: Database; log: Log; pollMs: number },
): LiveBus {
  const listeners = new Set<(event: LiveRecord) => void>();
  const clients = new Set<(event: LiveRecord) => void>();
  return {
    publish: (tx, event) => append(tx, [event]),
    publishAll: append,
    async since(id, limit) {
      const position = parseId(id);
      if (!position || await isForgotten(database.db, position)) return undefined;
      return await readAfter(database.db, position, limit);
    },
    subscribe(callback, { isClient } = { isClient: false }) {
      listeners.add(callback);
      if (isClient) clients.add(callback);
      return () => {
        clients.delete(callback);
        listeners.delete(callback);
      };
    },
    clients: () => clients.size,
    async run(signal) {
      const waker = newWaker();
      const stop = await database.listen(CHANNEL, () => waker.wake());
      let position = await end(database.db);
      for (let round = 0; !signal.aborted; round++) {
        try {
          const events = await readAfter(database.db, position, BATCH);
          for (const event of events) for (const tell of listeners) tell(event);
          position = parseId(events.at(-1)?.id) ?? position;
          if (round % 1000 === 0) await forget(database.db);
          if (events.length === BATCH) continue;
        } catch (error) {
          log.warn("live.follow.failed", { error: messageOf(error) });
        }
        await waker.wait(pollMs, signal);
        await delay(GATHER_MS, signal);
      }
      await stop();
    },
  };
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

/** Only rows no running transaction can still precede, so that a reader never skips one that commits late. */
async function readAfter(db: Db, { xid, id }: Position, limit: number): Promise<LiveRecord[]> {
  const result = await db.execute(sql`
    select xid, id, topic, type, data, permission, audience from live_events
    where (xid, id) > (${xid}::bigint, ${id}::bigint)
      and xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
    order by xid, id limit ${limit}`);
  type Row = Omit<LiveRecord, "id" | "audience"> & {
    xid: string;
    id: string;
    audience: string | null;
  };
  return rowsOf<Row>(result).map(({ xid, id, audience, ...event }) => ({
    ...event,
    id: `${xid}-${id}`,
    ...audience !== null && { audience },
  }));
}

async function end(db: Db): Promise<Position> {
  const result = await db.execute(sql`select xid, id from live_events
    where xid < pg_snapshot_xmin(pg_current_snapshot())::text::bigint order by xid desc, id desc limit 1`);
  const [last] = rowsOf<{ xid: string; id: string }>(result);
  return last ? { xid: Number(last.xid), id: Number(last.id) } : { xid: 0, id: 0 };
}

async function isForgotten(db: Db, { xid, id }: Position): Promise<boolean> {
  const result = await db.execute(
    sql`select 1 from live_events where (xid, id) <= (${xid}::bigint, ${id}::bigint) limit 1`,
  );
  return !rowsOf(result).length;
}

async function forget(db: Db): Promise<void> {
  await db.execute(sql`delete from live_events where created_at < now() - ${KEPT}::interval`);
}

function parseId(text: string | undefined): Position | undefined {
  const [, xid, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? "") ?? [];
  return xid && id ? { xid: Number(xid), id: Number(id) } : undefined;
}
