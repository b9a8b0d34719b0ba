import { and, count, eq, inArray, isNull, lt, sql } from "drizzle-orm";
import { tasks } from "#drizzle/schema/mod.ts";
import type { TaskDeath } from "#drizzle/schema/tasks.ts";
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
  /** Processes that died at its hand. */
  readonly deaths: number;
  /** Where it takes turns: tasks of its queue that do and stand in the broker's line now. */
  readonly inLine: number | null;
}

/** Set aside, for processes died of it; not told yet. */
export interface PoisonedTask {
  readonly id: number;
  readonly name: string;
  readonly payload: unknown;
  readonly deaths: number;
  readonly evidence: readonly TaskDeath[];
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
    turnOf: options.turn?.of ?? null,
    turnIn: options.turn?.in ?? null,
  }))).onConflictDoNothing();
}

/** Takes dead and poisoned tasks of this name and payload away; true when one that lives is left. */
export async function removeDead<P>(tx: Db, { name }: Task<P>, payload: P): Promise<boolean> {
  const same = sql`name = ${name} and payload = ${JSON.stringify(payload)}::jsonb`;
  await tx.execute(sql`delete from tasks where ${same} and state in ('dead', 'poisoned')`);
  return rowsOf(await tx.execute(sql`select 1 from tasks where ${same} limit 1`)).length > 0;
}

export async function countWaiting(db: Db, name: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(tasks)
    .where(and(eq(tasks.name, name), eq(tasks.state, "ready"), sql`run_at <= now()`));
  return row?.n ?? 0;
}

export async function undoRelay(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length) {
    await db.execute(
      sql`update tasks set relayed_at = null where id in ${ids} and state = 'ready'`,
    );
  }
}

/** One statement, so that of two workers holding the same id one gets the task. */
export async function claim(
  db: Db,
  id: number,
  { leaseMs, holder }: { leaseMs: number; holder: string },
): Promise<ClaimedTask | undefined> {
  const rows = await db.update(tasks).set({
    state: "running",
    attempts: sql`attempts + 1`,
    fence: sql`fence + 1`,
    leaseUntil: sql`now() + ${leaseMs} * interval '1 millisecond'`,
    relayedAt: null,
    dedupeKey: null,
    holder,
  }).where(and(eq(tasks.id, id), eq(tasks.state, "ready"), sql`run_at <= now()`)).returning({
    id: tasks.id,
    name: tasks.name,
    payload: tasks.payload,
    attempts: tasks.attempts,
    maxAttempts: tasks.maxAttempts,
    fence: tasks.fence,
    lastError: tasks.lastError,
    deaths: tasks.deaths,
    inLine: sql<
      number | null
    >`case when turn_in is not null then (select count(*)::int from tasks as line
      where state = 'ready' and relayed_at is not null and turn_in is not null and line.queue = tasks.queue) end`,
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

/**
 * Gives lost work back: leases run out (a crash counts as an attempt, and as a death) and hand-overs the broker forgot. With
 * `deaths` deaths a task is poisoned.
 */
export async function sweep(
  db: Db,
  { relayTimeoutMs, deaths }: { relayTimeoutMs: number; deaths: number },
): Promise<void> {
  await db.execute(sql`
    update tasks set ${afterDeath(GONE, deaths)} where state = 'running' and lease_until < now()`);
  await db.update(tasks).set({ relayedAt: null }).where(and(
    eq(tasks.state, "ready"),
    lt(tasks.relayedAt, sql`now() - ${relayTimeoutMs} * interval '1 millisecond'`),
  ));
}

/** For the embedded product, whose data folder has one process: what an earlier process held is free at once. */
export async function releaseAllLeases(db: Db, { deaths }: { deaths: number }): Promise<void> {
  await db.execute(sql`update tasks set ${afterDeath(GONE, deaths)} where state = 'running'`);
  await db.execute(sql`update tasks set relayed_at = null where relayed_at is not null`);
}

/** A child process died of the task in hand. True when that poisons it; else it is still in hand. */
export async function countDeath(
  db: Db,
  task: ClaimedTask,
  { how, deaths }: { how: string; deaths: number },
): Promise<boolean> {
  const poisons = task.deaths + 1 >= deaths;
  const changed = poisons ? afterDeath(how, deaths) : oneMore(how);
  await db.execute(sql`
    update tasks set ${changed} where id = ${task.id} and fence = ${task.fence} and state = 'running'`);
  return poisons;
}

/** A process that lost leases was slow, not gone: the deaths it was taken for are not charged, unless they were told. */
export async function takeBackDeaths(
  db: Db,
  ids: readonly number[],
  holder: string,
): Promise<void> {
  await db.execute(sql`
    update tasks set deaths = deaths - 1, evidence = evidence - -1,
      state = case when state = 'poisoned' then 'ready' else state end
    where id in ${ids} and deaths > 0 and told_at is null and evidence->-1->>'holder' = ${holder}
      and evidence->-1->>'how' = ${GONE}`);
}

/** Poisoned tasks of these queues nobody was told of, each given once. */
export async function takePoisoned(
  db: Db,
  queues: readonly QueueName[],
): Promise<PoisonedTask[]> {
  return await db.update(tasks).set({ toldAt: sql`now()` }).where(and(
    eq(tasks.state, "poisoned"),
    isNull(tasks.toldAt),
    inArray(tasks.queue, [...queues]),
  )).returning({
    id: tasks.id,
    name: tasks.name,
    payload: tasks.payload,
    deaths: tasks.deaths,
    evidence: tasks.evidence,
  });
}

const GONE = "the process ended, or stood still until its lease was over";

/** What becomes of a task whose process died: tried again, or set aside with its evidence. */
function afterDeath(how: string, deaths: number) {
  return sql`
    state = case when deaths + 1 >= ${deaths} then 'poisoned' else 'ready' end,
    last_error = case when deaths + 1 >= ${deaths} then ${how} else last_error end,
    lease_until = null, relayed_at = null, ${oneMore(how)}`;
}

function oneMore(how: string) {
  return sql`
    deaths = deaths + 1, evidence = evidence ||
      jsonb_build_array(jsonb_build_object('at', now(), 'holder', holder, 'how', ${how}::text))`;
}

function mine(task: ClaimedTask) {
  return and(eq(tasks.id, task.id), eq(tasks.fence, task.fence), eq(tasks.state, "running"));
}
