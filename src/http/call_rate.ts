import { sql } from "drizzle-orm";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type Db, getRows } from "#src/ports/db.ts";

interface CallRate {
  /** Name of the counted call, as a key and in sentences. */
  readonly what: string;
  readonly name: Sentence;
  readonly username: string;
  readonly perMinute: number;
}

/**
 * Counts a call of this user over all processes: a burst, refilled by the same number per minute. Throws AppError
 * `throttled`; the call then does not count.
 */
export async function countCall(
  { db }: { db: Db },
  { what, name, username, perMinute }: CallRate,
): Promise<void> {
  const every = sql`make_interval(secs => ${60 / perMinute}::float8)`;
  const burst = sql`make_interval(secs => ${60 - 60 / perMinute}::float8)`;
  const counted = await db.execute(sql`
    insert into call_rates as r (what, username, spent_until) values (${what}, ${username}, now() + ${every})
    on conflict (what, username) do update set spent_until = greatest(r.spent_until, now()) + ${every}
    where r.spent_until <= now() + ${burst}
    returning 1 as one`);
  if (getRows(counted).length) return;
  const [left] = getRows<{ seconds: number }>(
    await db.execute(sql`
    select ceil(extract(epoch from spent_until - ${burst} - now()))::int as seconds
    from call_rates where what = ${what} and username = ${username}`),
  );
  const retryAfter = Math.max(1, left?.seconds ?? 1);
  throw new AppError(
    "throttled",
    say`${name}: ${perMinute} a minute are allowed to ${username}; wait ${retryAfter} s`,
    { retryAfter },
  );
}
