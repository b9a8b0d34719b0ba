import { say } from "#src/kernel/i18n/sentence.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import type { Deps } from "#src/deps.ts";
import { admit, reportAnswer, reportFailure } from "#src/gateway/submission/pa/breaker.ts";
import { newRetryBudget } from "#src/gateway/submission/sending/retry_budget.ts";
import { listConnectionStates } from "#src/platform/connection_states/mod.ts";
import { PaError } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import { embeddedTestDatabase } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";

const DOWN = new PaError(say`no answer`, { outcome: "ambiguous" });
const OPEN_MS = 60_000;

async function newBreaker() {
  const database = await embeddedTestDatabase();
  const breaker = { failures: 3, windowMs: 30_000, openMs: OPEN_MS };
  const deps = {
    db: database.db,
    log: silentLog,
    settings: { submission: { breaker } },
  } as unknown as Deps;
  return {
    deps,
    /** Advances the breaker's time, which is the database's clock. */
    later: (ms: number) =>
      database.db.execute(
        sql`update breakers set until = until - ${ms} * interval '1 millisecond',
        window_from = window_from - ${ms} * interval '1 millisecond'`,
      ),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

Deno.test("failures in a row keep everybody away, then one finds out, and its answer lets everybody in", async () => {
  await using it = await newBreaker();
  for (let n = 0; n < 3; n++) {
    assertEquals(await admit(it.deps, "pa"), { trial: false });
    assertEquals(await listConnectionStates(it.deps.db), [], "one failure may be one invoice's");
    await reportFailure(it.deps, "pa", DOWN);
  }
  assertEquals((await listConnectionStates(it.deps.db)).map((it) => it.isWorking), [false]);
  const away = await assertRejects(() => admit(it.deps, "pa"), RetryLater);
  assert(
    away.free && away.delayMs > OPEN_MS - 5_000,
    "no attempt is used up, and nobody comes before the time",
  );
  assertEquals(await admit(it.deps, "another"), { trial: false }, "another PA is not meant");
  await it.later(OPEN_MS);
  assertEquals(await admit(it.deps, "pa"), { trial: true });
  await assertRejects(() => admit(it.deps, "pa"), RetryLater);
  await reportAnswer(it.deps, "pa", { trial: true, troubled: true });
  assertEquals(await admit(it.deps, "pa"), { trial: false });
});

Deno.test("a failed trial blocks all calls again", async () => {
  await using it = await newBreaker();
  for (let n = 0; n < 3; n++) await reportFailure(it.deps, "pa", DOWN);
  await it.later(OPEN_MS);
  assertEquals(await admit(it.deps, "pa"), { trial: true });
  await reportFailure(it.deps, "pa", DOWN);
  await assertRejects(() => admit(it.deps, "pa"), RetryLater);
});

Deno.test("a trial that never ends is given to another when its time is up", async () => {
  await using it = await newBreaker();
  for (let n = 0; n < 3; n++) await reportFailure(it.deps, "pa", DOWN);
  await it.later(OPEN_MS);
  await admit(it.deps, "pa");
  await it.later(OPEN_MS);
  assertEquals(await admit(it.deps, "pa"), { trial: true });
});

Deno.test("failures far apart, or with an answer between them, are no row", async () => {
  await using it = await newBreaker();
  for (let n = 0; n < 10; n++) {
    await reportFailure(it.deps, "pa", DOWN);
    if (n % 2) await reportAnswer(it.deps, "pa", { trial: false, troubled: true });
  }
  for (let n = 0; n < 5; n++) {
    await reportFailure(it.deps, "pa", DOWN);
    await it.later(31_000);
  }
  assertEquals(await admit(it.deps, "pa"), { trial: false });
});

Deno.test("a pause the PA requests applies at once for its full length, whatever answers still arrive", async () => {
  await using it = await newBreaker();
  await reportFailure(
    it.deps,
    "pa",
    new PaError(say`slow down`, { outcome: "throttled", retryAfter: 600 }),
  );
  await reportAnswer(it.deps, "pa", { trial: false, troubled: true });
  const away = await assertRejects(() => admit(it.deps, "pa"), RetryLater);
  assert(away.delayMs > 590_000);
});

Deno.test("retries are a tenth of the first attempts, and a few a second besides", () => {
  let now = 0;
  const budget = newRetryBudget({ perSecond: 1, now: () => now });
  const retries = (tries: number) =>
    Array.from({ length: tries }, () => budget.spend()).filter((wait) => wait === 0).length;
  assertEquals(retries(10), 2, "what was saved");
  for (let n = 0; n < 15; n++) budget.earn();
  assertEquals(retries(10), 1, "a tenth of what was sent");
  now += 1_000;
  assertEquals(retries(10), 1, "one a second");
});
