import { sql } from "drizzle-orm";
import { type Db, rowsOf } from "#src/ports/db.ts";

/** When a peer that fails is left alone, and for how long. */
export interface BreakerSettings {
  /** So many in a row, each less than `windowMs` after the first. */
  readonly failures: number;
  readonly windowMs: number;
  readonly openMs: number;
}

const ms = (n: number) => sql`${n} * interval '1 millisecond'`;

/** Milliseconds until a peer may be tried again; undefined while it may be called. */
export async function readBreaker(
  db: Db,
  name: string,
): Promise<{ state: "open" | "trial"; waitMs: number } | undefined> {
  const result = await db.execute(sql`
    select state, greatest(0, extract(epoch from until - now()) * 1000)::int as "waitMs"
    from breakers where name = ${name} and state <> 'closed'`);
  return rowsOf<{ state: "open" | "trial"; waitMs: number }>(result)[0];
}

/** Of all that ask once the time is up, one gets true: it finds out whether the peer answers. */
export async function takeTrial(db: Db, name: string, trialMs: number): Promise<boolean> {
  const result = await db.execute(sql`
    update breakers set state = 'trial', until = now() + ${ms(trialMs)}, updated_at = now()
    where name = ${name} and state <> 'closed' and until <= now() returning name`);
  return rowsOf(result).length === 1;
}

/** The trial was not made: the next one may. */
export async function returnTrial(db: Db, name: string): Promise<void> {
  await db.execute(sql`update breakers set state = 'open', until = now(), updated_at = now()
    where name = ${name} and state = 'trial'`);
}

/** An answer: it ends a trial, and a row of failures; it does not lift a pause the peer asked for. */
export async function recordAnswer(
  db: Db,
  name: string,
  { trial }: { trial: boolean },
): Promise<void> {
  await db.execute(sql`
    update breakers set state = 'closed', failures = 0, reason = null, updated_at = now()
    where name = ${name} and (state = 'closed' or ${trial} and state = 'trial')`);
}

/** One more failure; resolves to true when it is the one that keeps everybody away. */
export async function recordFailure(
  db: Db,
  name: string,
  { failures, windowMs, openMs, pauseMs, reason }: BreakerSettings & {
    pauseMs: number | undefined;
    reason: string;
  },
): Promise<boolean> {
  const opens = sql`(b.state = 'trial' or ${pauseMs !== undefined} or
    case when b.window_from < now() - ${
    ms(windowMs)
  } then 1 else b.failures + 1 end >= ${failures})`;
  const result = await db.execute(sql`
    with before as (select state from breakers where name = ${name})
    insert into breakers as b (name, failures, state, until, reason)
    values (${name}, 1, ${pauseMs !== undefined || failures <= 1 ? "open" : "closed"}, now() + ${
    ms(pauseMs ?? openMs)
  }, ${reason})
    on conflict (name) do update set
      failures = case when b.window_from < now() - ${ms(windowMs)} then 1 else b.failures + 1 end,
      window_from = case when b.window_from < now() - ${
    ms(windowMs)
  } then now() else b.window_from end,
      state = case when b.state = 'open' or ${opens} then 'open' else 'closed' end,
      until = case when b.state = 'open' then greatest(b.until, now() + ${ms(pauseMs ?? 0)})
                   when ${opens} then now() + ${ms(pauseMs ?? openMs)} else b.until end,
      reason = excluded.reason,
      updated_at = now()
    returning state = 'open' and coalesce((select state from before), 'closed') <> 'open' as opened`);
  return rowsOf<{ opened: boolean }>(result)[0]?.opened ?? false;
}
