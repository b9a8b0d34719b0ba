import { sql } from "drizzle-orm";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

interface CallRate {
  /** What is called, for the count, and its name in a sentence. */
  readonly what: string;
  readonly name: Sentence;
  readonly username: string;
  readonly perMinute: number;
}

/**
 * Counts a call of this user over all processes: so many at once, and as many again spread over each minute. Throws
 * AppError `throttled`, in which case the call was not counted.
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
  if (rowsOf(counted).length) return;
  const [left] = rowsOf<{ seconds: number }>(
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
