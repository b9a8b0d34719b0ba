import { eq, sql } from "drizzle-orm";
import { signInAttempts } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

export interface Limit {
  readonly key: string;
  /** Attempts before the first wait. */
  readonly free: number;
  /** Waits double from one second up to so many. */
  readonly capSeconds: number;
}

/** Time without an attempt after which counting restarts. */
const FORGOTTEN = sql`interval '1 hour'`;

/**
 * Counts an attempt before it is made, so that concurrent attempts count too. Resolves to the seconds to wait when the
 * key is blocked; a blocked attempt is not counted.
 */
export async function countAttempt(
  db: Db,
  { key, free, capSeconds }: Limit,
): Promise<{ wait: number; known: boolean }> {
  const failures = sql`case when a.last_at < now() - ${FORGOTTEN} then 1 else a.failures + 1 end`;
  const counted = getRows<{ succeeded: boolean }>(
    await db.execute(sql`
    insert into sign_in_attempts as a (key, failures, last_at) values (${key}, 1, now())
    on conflict (key) do update set failures = ${failures}, last_at = now(),
      blocked_until = case when ${failures} >= ${free}::int
        then now() + make_interval(secs => least(${capSeconds}::int, power(2, least(${failures} - ${free}::int, 20))))
        else null end
    where a.blocked_until is null or a.blocked_until <= now()
    returning coalesce(a.succeeded_at > now() - interval '30 days', false) as succeeded`),
  );
  const [row] = counted;
  return row
    ? { wait: 0, known: row.succeeded }
    : { wait: await secondsLeft(db, key), known: false };
}

/** Resets the count after a successful attempt, and marks this address and user as known. */
export async function countSuccess(db: Db, key: string): Promise<void> {
  await db.update(signInAttempts).set({ failures: 0, blockedUntil: null, succeededAt: sql`now()` })
    .where(eq(signInAttempts.key, key));
}

/** Uncounts an attempt that succeeded or was never made. */
export async function uncountAttempt(db: Db, key: string): Promise<void> {
  await db.update(signInAttempts).set({
    failures: sql`greatest(0, ${signInAttempts.failures} - 1)`,
    blockedUntil: null,
  })
    .where(eq(signInAttempts.key, key));
}

export async function pruneAttempts(db: Db): Promise<void> {
  await db.execute(sql`delete from sign_in_attempts where last_at < now() - interval '30 days'`);
}

async function secondsLeft(db: Db, key: string): Promise<number> {
  const rows = getRows<{ left: number }>(
    await db.execute(sql`
    select ceil(extract(epoch from blocked_until - now()))::int as left from sign_in_attempts where key = ${key}`),
  );
  return Math.max(1, rows[0]?.left ?? 1);
}
