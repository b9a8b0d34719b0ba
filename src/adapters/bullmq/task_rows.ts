import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import { and, count, eq, inArray, sql } from "drizzle-orm";
import { tasks } from "#drizzle/schema/mod.ts";
import { currentTrace } from "#src/adapters/telemetry/spans.ts";
import { takeFrom } from "#src/kernel/gather.ts";
import { type Db, formatArray, getRows } from "#src/ports/db.ts";
import {
  type EnqueueOptions,
  STOPPED,
  type StoppedTask,
  type Task,
} from "#src/ports/task_queue.ts";

/** A trigger of the table notifies here of every insert. */
export const CHANNEL = "passerelle_tasks";

/** A task this process works on; every write about it carries its `fence`. */
export interface ClaimedTask {
  readonly id: number;
  readonly name: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly fence: number;
  readonly lastError: string | null;
  readonly lastErrorFr: string | null;
  /** Processes that died while it was their only task. */
  readonly deaths: number;
  /** A process died while it worked on it. */
  readonly suspect: boolean;
  /** Number of fair-share tasks of its queue that are now in the broker's line, if it uses fair share. */
  readonly inLine: number | null;
  /** `traceparent` of the task's origin. */
  readonly trace: string | null;
}

/** Adds tasks in the caller's transaction; those whose `dedupeKey` waits already are left out. */
export async function insertTasks<P>(
  tx: Db,
  task: Task<P>,
  payloads: readonly P[],
  options: EnqueueOptions = {},
): Promise<void> {
  if (!payloads.length) return;
  const { dedupeKey = null, delayMs = 0, turn } = options;
  const given = JSON.stringify(payloads.map((it) => task.payload.parse(it)));
  // One value for all payloads: the statement is written and planned once, whatever their number.
  await tx.execute(sql`
    insert into tasks (queue, name, payload, max_attempts, run_at, dedupe_key, turn_of, turn_in, trace)
    select ${task.queue}::text, ${task.name}::text, payload, ${task.attempts}::int, now() + ${delayMs} * interval '1 millisecond',
      ${dedupeKey}::text, ${turn?.of ?? null}::text, ${turn?.in ?? null}::text, ${
    currentTrace() ?? null
  }::text
    from jsonb_array_elements(${given}::jsonb) with ordinality as it (payload, n) order by n
    on conflict do nothing`);
}

/** Removes dead and poisoned tasks of this name and payload; returns true if a live one is left. */
export async function removeDead<P>(tx: Db, { name }: Task<P>, payload: P): Promise<boolean> {
  const same = sql`name = ${name} and payload = ${JSON.stringify(payload)}::jsonb`;
  await tx.execute(sql`delete from tasks where ${same} and state in ('dead', 'poisoned')`);
  return getRows(await tx.execute(sql`select 1 from tasks where ${same} limit 1`)).length > 0;
}

/** Makes the waiting task of this name and payload due now. */
export async function hasten<P>(tx: Db, { name }: Task<P>, payload: P): Promise<boolean> {
  const hastened = await tx.execute(
    sql`update tasks set run_at = least(run_at, now()) where name = ${name} and state = 'ready'
      and payload = ${JSON.stringify(payload)}::jsonb returning id`,
  );
  if (!getRows(hastened).length) return false;
  await tx.execute(sql`select pg_notify(${CHANNEL}, '')`);
  return true;
}

/** Makes the waiting tasks of this name due now, or only those without a counted attempt. */
export async function hastenAll(
  tx: Db,
  name: string,
  { isUntried = false }: { readonly isUntried?: boolean } = {},
): Promise<void> {
  const hastened = await tx.execute(sql`update tasks set run_at = now() where id in (
    select id from tasks where name = ${name} and state = 'ready' and run_at > now()
      and (attempts = 0 or not ${isUntried}::boolean)
    order by id for update) returning id`);
  if (getRows(hastened).length) await tx.execute(sql`select pg_notify(${CHANNEL}, '')`);
}

/** Tasks of this name that are due and not claimed. */
export async function countWaiting(db: Db, name: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(tasks)
    .where(and(eq(tasks.name, name), eq(tasks.state, "ready"), sql`run_at <= now()`));
  return row?.n ?? 0;
}

/** Takes back the hand-over to the broker, so that the relay offers these tasks again. */
export async function undoRelay(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length) {
    await db.execute(
      sql`update tasks set relayed_at = null where id in ${ids} and state = 'ready'`,
    );
  }
}

/** A task to be claimed. */
interface Wanted {
  readonly id: number;
  /** It has its process to itself. */
  readonly alone: boolean;
}

/**
 * Claims tasks in one statement, so that only one of two workers with the same id gets the task. The result is
 * undefined for a task that is done or belongs to another worker. Rows are locked in the order of their ids,
 * which avoids deadlocks.
 */
export async function claim(
  db: Db,
  wanted: readonly Wanted[],
  { leaseMs, holder }: { leaseMs: number; holder: string },
): Promise<(ClaimedTask | undefined)[]> {
  const ids = wanted.map((it) => it.id);
  const alone = wanted.filter((it) => it.alone).map((it) => it.id);
  const result = await db.execute(sql`
    with mine as (
      select id from tasks where id = any(${
    formatArray(ids)
  }::bigint[]) and state = 'ready' and run_at <= now()
      order by id for update
    ), claimed as (
      update tasks set state = 'running', attempts = attempts + 1, fence = fence + 1, relayed_at = null, dedupe_key = null,
        lease_until = now() + ${leaseMs} * interval '1 millisecond', holder = ${holder},
        alone = tasks.id = any(${formatArray(alone)}::bigint[])
      from mine where tasks.id = mine.id returning tasks.*
    ), line as (
      select queue, count(*)::int as n from tasks
      where state = 'ready' and relayed_at is not null and turn_in is not null group by queue
    )
    select id, name, payload, attempts, max_attempts as "maxAttempts", fence, last_error as "lastError",
      last_error_fr as "lastErrorFr", deaths, suspect, trace, case when turn_in is not null then coalesce(line.n, 0) end as "inLine"
    from claimed left join line using (queue)`);
  const claimed = new Map(
    getRows<ClaimedTask>(result).map((it) => [
      Number(it.id),
      { ...it, id: Number(it.id), fence: Number(it.fence) },
    ]),
  );
  return ids.map((id) => takeFrom(claimed, id)); // a task queued twice is claimed once
}

/** Restarts a stopped task; resolves to its earlier state. */
export async function replay(tx: Db, id: number): Promise<StoppedTask | undefined> {
  const { name, state, attempts, deaths, lastError } = tasks;
  const stopped = and(eq(tasks.id, id), inArray(state, [...STOPPED]));
  const [before] = await tx.select({ name, state, attempts, deaths, lastError }).from(tasks)
    .where(stopped).for("update");
  if (!before) return undefined;
  await tx.update(tasks).set({
    state: "ready",
    attempts: 0,
    deaths: 0,
    suspect: false,
    evidence: [],
    toldAt: null,
    ...toColumns("lastError", null),
    runAt: sql`now()`,
  }).where(stopped);
  return before;
}

/** Done: the rows go whose claim still holds. */
export async function finish(db: Db, done: readonly ClaimedTask[]): Promise<void> {
  await db.execute(
    sql`delete from tasks using (${lockClaimed(done)}) as mine where tasks.id = mine.id`,
  );
}

/** Makes the task due again after `delayMs`; `free` does not count the attempt. */
export async function retryAfter(
  db: Db,
  task: ClaimedTask,
  { delayMs, error, free }: { delayMs: number; error: Sentence; free: boolean },
): Promise<void> {
  await db.update(tasks).set({
    state: "ready",
    leaseUntil: null,
    relayedAt: null,
    runAt: sql`now() + ${delayMs} * interval '1 millisecond'`,
    ...toColumns("lastError", error),
    ...(free ? { attempts: sql`attempts - 1` } : {}),
  }).where(ownClaim(task));
}

/** Marks a task without attempts left as dead: the row stays and is not tried again. */
export async function markDead(db: Db, task: ClaimedTask, error: Sentence): Promise<void> {
  await db.update(tasks).set({ state: "dead", leaseUntil: null, ...toColumns("lastError", error) })
    .where(ownClaim(task));
}

/** Extends the leases of held tasks; resolves to the ids still held. */
export async function heartbeat(
  db: Db,
  inHand: readonly ClaimedTask[],
  leaseMs: number,
): Promise<Set<number>> {
  const result = await db.execute(sql`
    update tasks set lease_until = now() + ${leaseMs} * interval '1 millisecond'
    from (${lockClaimed(inHand)}) as mine where tasks.id = mine.id returning tasks.id`);
  return new Set(getRows<{ id: string }>(result).map((it) => Number(it.id)));
}

/** Locks the rows that are still claimed by this process, in the order of their ids, which avoids deadlocks. */
function lockClaimed(claimed: readonly ClaimedTask[]) {
  const [ids, fences] = [claimed.map((it) => it.id), claimed.map((it) => it.fence)];
  return sql`
    select tasks.id from tasks join unnest(${formatArray(ids)}::bigint[], ${
    formatArray(fences)
  }::bigint[]) as own (id, fence) using (id, fence)
    where state = 'running' order by tasks.id for update of tasks`;
}

/** Matches the row while no other process has claimed it since. */
export function ownClaim(task: ClaimedTask) {
  return and(eq(tasks.id, task.id), eq(tasks.fence, task.fence), eq(tasks.state, "running"));
}
