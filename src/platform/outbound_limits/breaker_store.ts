import { type SQL, sql } from "drizzle-orm";
import { type Db, getRows } from "#src/ports/db.ts";

/** When a peer that fails is left alone, and for how long. */
export interface BreakerSettings {
  /** Consecutive failures that open the breaker, each less than `windowMs` after the first. */
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
  return getRows<{ state: "open" | "trial"; waitMs: number }>(result)[0];
}

/** Answer of a breaker to a caller: it may call, perhaps on trial, or must wait. */
export type BreakerAdmission =
  | { readonly isOpen: false; readonly trial: boolean }
  | { readonly isOpen: true; readonly state: "open" | "trial"; readonly waitMs: number };

/** Admits a call to a peer. After the open time, one caller makes the trial call, at most `trialMs` long. */
export async function admitCall(db: Db, name: string, trialMs: number): Promise<BreakerAdmission> {
  const breaker = await readBreaker(db, name);
  if (!breaker) return { isOpen: false, trial: false };
  if (!breaker.waitMs && await takeTrial(db, name, trialMs)) return { isOpen: false, trial: true };
  return { isOpen: true, ...breaker };
}

/**
 * Claims the trial call after the open time. One of all concurrent callers gets true, and tests whether the peer
 * answers.
 */
async function takeTrial(db: Db, name: string, trialMs: number): Promise<boolean> {
  const result = await db.execute(sql`
    update breakers set state = 'trial', until = now() + ${ms(trialMs)}, updated_at = now()
    where name = ${name} and state <> 'closed' and until <= now() returning name`);
  return getRows(result).length === 1;
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

/** Ends a pause and a row of failures: the peer was seen to answer. */
export async function closeBreaker(db: Db, name: string): Promise<void> {
  await db.execute(sql`
    update breakers set state = 'closed', failures = 0, reason = null, updated_at = now()
    where name = ${name} and (state <> 'closed' or failures > 0)`);
}

/** Records a failure; resolves to true when it opens the breaker. */
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
  return getRows<{ opened: boolean }>(result)[0]?.opened ?? false;
}

/**
 * SQL conditions on the breaker of a peer, with which other features begin an attempt and check the breaker in one
 * statement.
 */
export const breakerSql = {
  /** The peer may be called. */
  isClosed: (name: string): SQL =>
    sql`not exists (select 1 from breakers where name = ${name} and state <> 'closed')`,
  /** The peer has failures on record. */
  isTroubled: (name: string): SQL =>
    sql`exists (select 1 from breakers where name = ${name} and failures > 0)`,
};
