import { sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";
import type { QueueName } from "#src/ports/task_queue.ts";

/** Task handed over to the broker, which wakes a worker. */
export interface HandedOver {
  readonly id: number;
  readonly queue: QueueName;
  readonly fence: number;
  /** A process died while it worked on it. */
  readonly suspect: boolean;
}

/**
 * Number of fair-share tasks per queue that the broker receives at once. The broker's line is first in, first
 * out, so new users wait for these.
 */
export const IN_LINE = 16;

/** Marks due rows as handed over and returns them. Tasks without fair share fill the broker up to `limit`. */
export async function takeForRelay(
  db: Db,
  queues: readonly QueueName[],
  { limit }: { limit: number },
): Promise<HandedOver[]> {
  const plain = await db.execute(sql`
    update tasks set relayed_at = now() where id in (
      select id from tasks
      where state = 'ready' and relayed_at is null and run_at <= now() and queue in ${queues}
        and (not suspect and turn_in is null or id = ${nextSuspect(queues)})
      order by run_at, id
      limit greatest(0, ${limit} - (select count(*) from tasks where state = 'ready' and relayed_at is not null))
      for update skip locked)
    returning id, queue, fence, suspect`);
  const inTurn = await db.execute(sql`
    update tasks set relayed_at = now() where id in (
      select id from tasks where id in (${
    selectBatches(queues)
  }) and state = 'ready' and relayed_at is null
      for update skip locked)
    returning id, queue, fence, suspect`);
  return [plain, inTurn].flatMap((it) =>
    getRows<{ id: string; queue: QueueName; fence: string; suspect: boolean }>(it)
  )
    .map((it) => ({
      id: Number(it.id),
      queue: it.queue,
      fence: Number(it.fence),
      suspect: it.suspect,
    }));
}

/**
 * Selects the next suspect: a task whose process died during its work. Suspects run one at a time, those with the
 * fewest deaths first. When the next process dies, only the guilty one of them is suspected again.
 */
function nextSuspect(queues: readonly QueueName[]) {
  return sql`(
    select id from tasks
    where suspect and state = 'ready' and relayed_at is null and run_at <= now() and queue in ${queues}
      and not exists (select 1 from tasks
        where suspect and (state = 'running' or (state = 'ready' and relayed_at is not null)))
    order by jsonb_array_length(evidence), run_at, id limit 1)`;
}

/**
 * Selects the next tasks of each queue by fair share: the user with the fewest running or queued tasks, then that
 * user's run with the fewest. The index finds the first tasks of each run, however many wait behind them.
 */
function selectBatches(queues: readonly QueueName[]) {
  const waits =
    sql`state = 'ready' and relayed_at is null and turn_in is not null and queue in ${queues}`;
  return sql`
    with recursive held as (
      select queue, turn_of, turn_in, count(*) as n, count(*) filter (where state = 'ready') as in_line
      from tasks where turn_in is not null and (state = 'running' or (state = 'ready' and relayed_at is not null))
      group by queue, turn_of, turn_in
    ), runs_waiting as (
      (select queue, turn_of, turn_in from tasks where ${waits} order by queue, turn_of, turn_in limit 1)
      union all
      select next.queue, next.turn_of, next.turn_in from runs_waiting as last cross join lateral (
        select queue, turn_of, turn_in from tasks
        where ${waits} and (queue, turn_of, turn_in) > (last.queue, last.turn_of, last.turn_in)
        order by queue, turn_of, turn_in limit 1) as next
    ), of_run as (
      select r.queue, r.turn_of, first.id, first.run_at, row_number() over (partition by r.queue, r.turn_of, r.turn_in order by first.run_at, first.id)
        + coalesce((select n from held h where (h.queue, h.turn_of, h.turn_in) = (r.queue, r.turn_of, r.turn_in)), 0) as nth_of_run
      from runs_waiting as r cross join lateral (
        select id, run_at from tasks
        where ${waits} and (queue, turn_of, turn_in) = (r.queue, r.turn_of, r.turn_in) and run_at <= now() and not suspect
        order by run_at, id limit ${IN_LINE}) as first
    ), of_person as (
      select *, row_number() over (partition by queue, turn_of order by nth_of_run, run_at, id)
        + coalesce((select sum(n) from held h where (h.queue, h.turn_of) = (p.queue, p.turn_of)), 0) as nth_of_person
      from of_run as p
    ), in_order as (
      select *, row_number() over (partition by queue order by nth_of_person, nth_of_run, run_at, id)
        + coalesce((select sum(in_line) from held h where h.queue = o.queue), 0) as place
      from of_person as o
    )
    select id from in_order where place <= ${IN_LINE}`;
}
