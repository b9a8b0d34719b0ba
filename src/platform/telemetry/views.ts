import { sql } from "drizzle-orm";
import type { Deps } from "#src/deps.ts";
import { getRows } from "#src/ports/db.ts";
import type { LevelName, LevelReading } from "#src/ports/telemetry.ts";

/** Levels of the whole installation, which every process tells alike. */
export const INSTALLATION_LEVELS = [
  "passerelle_tasks",
  "passerelle_task_oldest_seconds",
  "passerelle_invoices_not_deposited",
  "passerelle_breaker_open",
  "passerelle_deliveries_failed",
  "passerelle_clock_put_back_seconds",
] as const satisfies readonly LevelName[];

/** Ages in hours that invoices are counted by. */
const HOURS = [1, 4, 24];
/** Limit of counts for alarms; counting more costs time and helps no operator. */
const MAX = 10_000;
/** Peers are named by people. */
const MAX_PEERS = 100;

/** One statement: how the queues, the invoices and the peers of the installation are. */
export async function installationLevels({ db }: Pick<Deps, "db">): Promise<LevelReading[]> {
  const [tasks, invoices, breakers, deliveries, clock] = await Promise.all([
    db.execute(sql`
      select queue, state, count(*)::int as n,
        coalesce(extract(epoch from now() - min(run_at) filter (where state = 'ready' and run_at <= now())), 0)::float8 as oldest
      from tasks group by queue, state`),
    db.execute(sql`
      select h.hours, (select count(*)::int from (
        select 1 from invoices where direction = 'issued' and status in ('9900', '9901', '9906')
          and created_at < now() - h.hours * interval '1 hour' limit ${MAX}) as late) as n
      from unnest(array[${sql.join(HOURS.map((it) => sql`${it}::int`), sql`, `)}]) as h(hours)`),
    db.execute(sql`
      select name, state <> 'closed' as is_open from breakers order by updated_at desc limit ${MAX_PEERS}`),
    db.execute(sql`
      select count(*)::int as n from (select 1 from notification_deliveries
        where state in ('failed', 'dead') and created_at > now() - interval '1 day' limit ${MAX}) as failed`),
    db.execute(sql`
      select coalesce(max(put_back_s) filter (where put_back_at > now() - interval '7 days'), 0)::float8 as s from clock_marks`),
  ]);
  const byQueue = getRows<{ queue: string; state: string; n: number; oldest: number }>(tasks);
  return [
    ...byQueue.map(({ queue, state, n }): LevelReading => ({
      metric: "passerelle_tasks",
      labels: { queue, state },
      value: n,
    })),
    ...byQueue.filter((it) => it.state === "ready").map(({ queue, oldest }): LevelReading => ({
      metric: "passerelle_task_oldest_seconds",
      labels: { queue },
      value: Number(oldest),
    })),
    ...getRows<{ hours: number; n: number }>(invoices).map(({ hours, n }): LevelReading => ({
      metric: "passerelle_invoices_not_deposited",
      labels: { hours: String(hours) },
      value: n,
    })),
    ...getRows<{ name: string; is_open: boolean }>(breakers).map((
      { name, is_open },
    ): LevelReading => ({
      metric: "passerelle_breaker_open",
      labels: { peer: name },
      value: is_open ? 1 : 0,
    })),
    ...getRows<{ n: number }>(deliveries).map(({ n }): LevelReading => ({
      metric: "passerelle_deliveries_failed",
      value: n,
    })),
    ...getRows<{ s: number }>(clock).map(({ s }): LevelReading => ({
      metric: "passerelle_clock_put_back_seconds",
      value: s,
    })),
  ];
}
