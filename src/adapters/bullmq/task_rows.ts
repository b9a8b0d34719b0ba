import { and, eq, lt, sql } from "drizzle-orm";
import { tasks } from "#drizzle/schema/mod.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import type { EnqueueOptions, QueueName, Task } from "#src/ports/task_queue.ts";

/** A trigger of the table notifies here of every insert. */
export const CHANNEL = "passerelle_tasks";

export interface ClaimedTask {
  readonly id: number;
  readonly name: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly fence: number;
  readonly lastError: string | null;
}

export async function insertTasks<P>(
  tx: Db,
  task: Task<P>,
  payloads: readonly P[],
  options: EnqueueOptions = {},
): Promise<void> {
  if (!payloads.length) return;
  const runAt = options.delayMs
    ? sql`now() + ${options.delayMs} * interval '1 millisecond'`
    : sql`now()`;
  await tx.insert(tasks).values(payloads.map((payload) => ({
    queue: task.queue,
    name: task.name,
    payload: task.payload.parse(payload),
    maxAttempts: task.attempts,
    runAt,
    dedupeKey: options.dedupeKey ?? null,
  }))).onConflictDoNothing();
}

/** Marks due rows as handed over, no more than fill the broker up to `limit`, and returns them. */
export async function takeForRelay(
  db: Db,
  queues: readonly QueueName[],
  { limit }: { limit: number },
): Promise<{ id: number; queue: QueueName; fence: number }[]> {
  const result = await db.execute(sql`
    update tasks set relayed_at = now() where id in (
      select id from tasks
      where state = 'ready' and relayed_at is null and run_at <= now() and queue in ${queues}
      order by run_at, id
      limit greatest(0, ${limit} - (select count(*) from tasks where state = 'ready' and relayed_at is not null))
      for update skip locked)
    returning id, queue, fence`);
  return rowsOf<{ id: string; queue: QueueName; fence: string }>(result)
    .map((it) => ({ id: Number(it.id), queue: it.queue, fence: Number(it.fence) }));
}

export async function undoRelay(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length) {
    await db.execute(
      sql`update tasks set relayed_at = null where id in ${ids} and state = 'ready'`,
    );
  }
}

/** One statement, so that of two workers holding the same id one gets the task. */
export async function claim(db: Db, id: number, leaseMs: number): Promise<ClaimedTask | undefined> {
  const rows = await db.update(tasks).set({
    state: "running",
    attempts: sql`attempts + 1`,
    fence: sql`fence + 1`,
    leaseUntil: sql`now() + ${leaseMs} * interval '1 millisecond'`,
    relayedAt: null,
    dedupeKey: null,
  }).where(and(eq(tasks.id, id), eq(tasks.state, "ready"), sql`run_at <= now()`)).returning({
    id: tasks.id,
    name: tasks.name,
    payload: tasks.payload,
    attempts: tasks.attempts,
    maxAttempts: tasks.maxAttempts,
    fence: tasks.fence,
    lastError: tasks.lastError,
  });
  return rows[0];
}

export async function finish(db: Db, task: ClaimedTask): Promise<void> {
  await db.delete(tasks).where(mine(task));
}

export async function retryAfter(
  db: Db,
  task: ClaimedTask,
  { delayMs, error, free }: { delayMs: number; error: string; free: boolean },
): Promise<void> {
  await db.update(tasks).set({
    state: "ready",
    leaseUntil: null,
    relayedAt: null,
    runAt: sql`now() + ${delayMs} * interval '1 millisecond'`,
    lastError: error,
    ...(free ? { attempts: sql`attempts - 1` } : {}),
  }).where(mine(task));
}

export async function bury(db: Db, task: ClaimedTask, error: string): Promise<void> {
  await db.update(tasks).set({ state: "dead", leaseUntil: null, lastError: error }).where(
    mine(task),
  );
}

/** Extends the leases in hand; resolves to the ids still held. */
export async function heartbeat(
  db: Db,
  held: readonly ClaimedTask[],
  leaseMs: number,
): Promise<Set<number>> {
  const pairs = sql.join(held.map((it) => sql`(${it.id}::bigint, ${it.fence}::bigint)`), sql`, `);
  const result = await db.execute(sql`
    update tasks set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    where state = 'running' and (id, fence) in (${pairs}) returning id`);
  return new Set(rowsOf<{ id: string }>(result).map((it) => Number(it.id)));
}

/** Gives lost work back: leases run out (a crash counts as an attempt) and hand-overs the broker forgot. */
export async function sweep(db: Db, relayTimeoutMs: number): Promise<void> {
  await db.execute(sql`
    update tasks set state = 'ready', lease_until = null, relayed_at = null
    where state = 'running' and lease_until < now()`);
  await db.update(tasks).set({ relayedAt: null }).where(and(
    eq(tasks.state, "ready"),
    lt(tasks.relayedAt, sql`now() - ${relayTimeoutMs} * interval '1 millisecond'`),
  ));
}

/** For the embedded product, whose data folder has one process: what an earlier process held is free at once. */
export async function releaseAllLeases(db: Db): Promise<void> {
  await db.execute(
    sql`update tasks set state = 'ready', lease_until = null where state = 'running'`,
  );
  await db.execute(sql`update tasks set relayed_at = null where relayed_at is not null`);
}

function mine(task: ClaimedTask) {
  return and(eq(tasks.id, task.id), eq(tasks.fence, task.fence), eq(tasks.state, "running"));
}
