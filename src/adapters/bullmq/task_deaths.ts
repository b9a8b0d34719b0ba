import { toColumns } from "#src/kernel/i18n/kept.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { tasks } from "#drizzle/schema/mod.ts";
import type { TaskDeath } from "#drizzle/schema/tasks.ts";
import type { Db } from "#src/ports/db.ts";
import type { QueueName } from "#src/ports/task_queue.ts";
import { type ClaimedTask, ownClaim } from "./task_rows.ts";

/** Task that was quarantined because processes died of it, and is not reported yet. */
interface PoisonedTask {
  readonly id: number;
  readonly name: string;
  readonly payload: unknown;
  readonly evidence: readonly TaskDeath[];
}

/**
 * Makes lost work due again: tasks with an expired lease, which counts as an attempt, and tasks that the broker
 * forgot. Every task of a dead process becomes a suspect and is tried alone. A task that was tried alone is
 * charged with the death. One death is not enough, since the process may have been killed from outside.
 */
export async function sweep(
  db: Db,
  { relayTimeoutMs, deaths }: { relayTimeoutMs: number; deaths: number },
): Promise<void> {
  await db.execute(sql`
    update tasks set ${
    afterDeath(GONE, ON_TRIAL, deaths)
  } where state = 'running' and lease_until < now()`);
  await db.execute(sql`
    update tasks set relayed_at = null where id in (
      select id from tasks where state = 'ready' and relayed_at < now() - ${relayTimeoutMs} * interval '1 millisecond'
      for update skip locked)`);
}

/**
 * Releases the tasks of an earlier process at once. The embedded product uses this, since its data folder has one
 * process.
 */
export async function releaseAllLeases(db: Db, { deaths }: { deaths: number }): Promise<void> {
  await db.execute(
    sql`update tasks set ${afterDeath(GONE, ON_TRIAL, deaths)} where state = 'running'`,
  );
  await db.execute(sql`update tasks set relayed_at = null where relayed_at is not null`);
}

/** Lets other tasks run in parallel with a suspect whose trial took too long; a later death may be their fault. */
export async function endSoleTrial(db: Db, task: ClaimedTask): Promise<void> {
  await db.update(tasks).set({ alone: false }).where(ownClaim(task));
}

/**
 * Counts the death of a child process against the current task. Returns true if the task is quarantined for it;
 * otherwise it goes on.
 */
export async function countDeath(
  db: Db,
  task: ClaimedTask,
  { how, deaths }: { how: Sentence; deaths: number },
): Promise<boolean> {
  const poisons = task.deaths + 1 >= deaths;
  const certain = sql`true`;
  const changed = poisons ? afterDeath(how, certain, deaths) : oneMore(how, certain);
  await db.execute(sql`
    update tasks set ${changed} where id = ${task.id} and fence = ${task.fence} and state = 'running'`);
  return poisons;
}

/** Withdraws the deaths charged to a process that was slow and not dead, unless they were already reported. */
export async function takeBackDeaths(
  db: Db,
  ids: readonly number[],
  holder: string,
): Promise<void> {
  await db.execute(sql`
    update tasks set deaths = deaths - (evidence->-1->>'counts')::boolean::int, evidence = evidence - -1,
      suspect = jsonb_array_length(evidence) > 1,
      state = case when state = 'poisoned' then 'ready' else state end
    where id in ${ids} and told_at is null and evidence->-1->>'holder' = ${holder}
      and evidence->-1->>'how' = ${String(GONE)}`);
}

/** Returns the poisoned tasks of these queues that are not reported yet, each once. */
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
    evidence: tasks.evidence,
  });
}

const GONE = say`the process ended, or stood still until its lease was over`;
const ON_TRIAL = sql`(suspect and alone)`;

/**
 * Number of further deaths after which a task that never ran alone is quarantined, so that processes do not die
 * for ever.
 */
const IN_COMPANY = 2;

/** Returns the new state of a task whose process died: due again, or quarantined with its evidence. */
function afterDeath(how: Sentence, counts: SQL, deaths: number): SQL {
  const isOver = sql`deaths + ${counts}::int >= ${deaths} or jsonb_array_length(evidence) + 1 >= ${
    deaths + IN_COMPANY
  }`;
  const { how: en, howFr: fr } = toColumns("how", how);
  return sql`
    state = case when ${isOver} then 'poisoned' else 'ready' end,
    last_error = case when ${isOver} then ${en} else last_error end,
    last_error_fr = case when ${isOver} then ${fr} else last_error_fr end,
    lease_until = null, relayed_at = null, suspect = true, alone = false, ${oneMore(how, counts)}`;
}

function oneMore(how: Sentence, counts: SQL): SQL {
  const { how: en, howFr: fr } = toColumns("how", how);
  return sql`
    deaths = deaths + ${counts}::int, evidence = evidence || jsonb_build_array(
      jsonb_build_object('at', now(), 'holder', holder, 'how', ${en}::text, 'howFr', ${fr}::text, 'counts', ${counts}))`;
}
