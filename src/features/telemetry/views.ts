import { sql } from "drizzle-orm";
import type { Deps } from "#src/deps.ts";
import { rowsOf } from "#src/ports/db.ts";
import type { LevelName, Reading } from "#src/ports/telemetry.ts";

/** Levels of the whole installation, which every process tells alike. */
export const INSTALLATION_LEVELS = [
  "passerelle_tasks",
  "passerelle_task_oldest_seconds",
  "passerelle_invoices_not_deposited",
  "passerelle_breaker_open",
  "passerelle_deliveries_failed",
] as const satisfies readonly LevelName[];

/** Ages in hours that invoices are counted by. */
const HOURS = [1, 4, 24];
/** Nobody needs to know by how many more an alarm is right, and counting them costs. */
const MOST = 10_000;
/** Peers are named by people. */
const MOST_PEERS = 100;

/** One statement: how the queues, the invoices and the peers of the installation are. */
export async function installationLevels({ db }: Pick<Deps, "db">): Promise<Reading[]> {
  const [tasks, invoices, breakers, deliveries] = await Promise.all([
    db.execute(sql`
      select queue, state, count(*)::int as n,
        coalesce(extract(epoch from now() - min(run_at) filter (where state = 'ready' and run_at <= now())), 0)::float8 as oldest
      from tasks group by queue, state`),
    db.execute(sql`
      select h.hours, (select count(*)::int from (
        select 1 from invoices where direction = 'issued' and status in ('9900', '9901', '9906')
          and created_at < now() - h.hours * interval '1 hour' limit ${MOST}) as late) as n
      from unnest(array[${sql.join(HOURS.map((it) => sql`${it}::int`), sql`, `)}]) as h(hours)`),
    db.execute(sql`
      select name, state <> 'closed' as is_open from breakers order by updated_at desc limit ${MOST_PEERS}`),
    db.execute(sql`
      select count(*)::int as n from (select 1 from notification_deliveries
        where state in ('failed', 'dead') and created_at > now() - interval '1 day' limit ${MOST}) as failed`),
  ]);
  const byQueue = rowsOf<{ queue: string; state: string; n: number; oldest: number }>(tasks);
  return [
    ...byQueue.map(({ queue, state, n }): Reading => ({
      metric: "passerelle_tasks",
      labels: { queue, state },
      value: n,
    })),
    ...byQueue.filter((it) => it.state === "ready").map(({ queue, oldest }): Reading => ({
      metric: "passerelle_task_oldest_seconds",
      labels: { queue },
      value: Number(oldest),
    })),
    ...rowsOf<{ hours: number; n: number }>(invoices).map(({ hours, n }): Reading => ({
      metric: "passerelle_invoices_not_deposited",
      labels: { hours: String(hours) },
      value: n,
    })),
    ...rowsOf<{ name: string; is_open: boolean }>(breakers).map(({ name, is_open }): Reading => ({
      metric: "passerelle_breaker_open",
      labels: { peer: name },
      value: is_open ? 1 : 0,
    })),
    ...rowsOf<{ n: number }>(deliveries).map(({ n }): Reading => ({
      metric: "passerelle_deliveries_failed",
      value: n,
    })),
  ];
}
