import { say } from "#src/kernel/i18n/sentence.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import type { Deps } from "#src/deps.ts";
import { attemptCall } from "#src/gateway/submission/pa/attempt.ts";
import { PaError } from "#src/ports/pa.ts";
import { RetryLater } from "#src/ports/task_queue.ts";
import { getRows } from "#src/ports/db.ts";
import { embeddedTestDatabase } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";

/** Returns a PA that failed and is due for a retry: the next attempt is the trial. */
async function onTrial() {
  const database = await embeddedTestDatabase();
  const breaker = { failures: 1, windowMs: 30_000, openMs: 60_000 };
  const deps = {
    db: database.db,
    log: silentLog,
    settings: { submission: { breaker } },
  } as unknown as Deps;
  await database.db.execute(
    sql`insert into breakers (name, failures, state, until, reason) values ('pa', 5, 'open', now(), 'down')`,
  );
  const order: string[] = [];
  return {
    order,
    state: async () => {
      const rows = await database.db.execute(sql`select state from breakers where name = 'pa'`);
      return getRows<{ state: string }>(rows)[0]?.state;
    },
    attempt: (call: () => Promise<string>, ready: () => Promise<string | undefined>) =>
      attemptCall(deps, "pa", {
        begin: ({ admitted }) => {
          order.push(admitted ? "begin" : "begin refused");
          return Promise.resolve(admitted ? { troubled: true } : undefined);
        },
        prepare: () => {
          order.push("prepare");
          return ready();
        },
        call: () => {
          order.push("call");
          return call();
        },
        settle: (_, answer) => {
          order.push(`settle ${answer}`);
          return Promise.resolve(answer);
        },
        fail: (_, error) => {
          order.push(`fail ${error.outcome}`);
          return Promise.reject(new RetryLater(error.sentence, { delayMs: 1 }));
        },
      }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const ready = () => Promise.resolve("ready");
const failing = (outcome: "ambiguous" | "refused", errorCode?: string) => () =>
  Promise.reject(new PaError(say`no answer`, { outcome, errorCode }));

Deno.test("an answer ends the trial, then its meaning is written", async () => {
  await using it = await onTrial();
  assertEquals(await it.attempt(() => Promise.resolve("taken"), ready), "taken");
  assertEquals(await it.state(), "closed");
  assertEquals(it.order, ["begin refused", "begin", "prepare", "call", "settle taken"]);
});

Deno.test("a refusal is an answer, a lost answer blocks all calls", async () => {
  await using refused = await onTrial();
  await assertRejects(() => refused.attempt(failing("refused"), ready), RetryLater);
  assertEquals(await refused.state(), "closed");
  await using lost = await onTrial();
  await assertRejects(() => lost.attempt(failing("ambiguous", "TIMEOUT"), ready), RetryLater);
  assertEquals([await lost.state(), lost.order.at(-1)], ["open", "fail ambiguous"]);
});

for (const errorCode of ["ABORTED", "HELD_UP"]) {
  Deno.test(`a call this process ended itself (${errorCode}) says nothing of the PA: the trial is another's`, async () => {
    await using it = await onTrial();
    await assertRejects(() => it.attempt(failing("ambiguous", errorCode), ready), RetryLater);
    assertEquals(await it.state(), "open");
    assertEquals(await it.attempt(() => Promise.resolve("taken"), ready), "taken");
  });
}

Deno.test("an attempt that ends without a call, or by a fault of ours, gives the trial back", async () => {
  await using it = await onTrial();
  assertEquals(
    await it.attempt(() => Promise.resolve("taken"), () => Promise.resolve(undefined)),
    undefined,
  );
  assertEquals(await it.state(), "open");
  const broken = () => Promise.reject(new Error("the database is away"));
  await assertRejects(() => it.attempt(() => Promise.resolve(""), broken), Error, "away");
  await assertRejects(() => it.attempt(broken, ready), Error, "away");
  assertEquals(await it.state(), "open");
});
