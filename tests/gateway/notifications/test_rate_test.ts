import { say } from "#src/kernel/i18n/sentence.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { callRates } from "#drizzle/schema/mod.ts";
import { countCall } from "#src/http/call_rate.ts";
import { AppError } from "#src/kernel/errors.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";
import { sql } from "drizzle-orm";
import { startNotifier } from "./support.ts";
import { longTest } from "#tests/support/long.ts";

longTest("the eleventh test of a rule within a minute is refused, and fires nothing", async () => {
  await using it = await startNotifier({ work: false });
  await it.invoice();
  const fire = () =>
    it.call("POST", "/api/notifications/test", {
      rule: { name: "trial", properties: { "portal.message": "x" } },
      doc: "100000",
      dct: "RI",
      kco: "00001",
    });
  const answers = await Promise.all(Array.from({ length: 14 }, fire));
  const statuses = answers.map(({ status }) => status).toSorted();
  assertEquals(statuses, [...Array(10).fill(200), ...Array(4).fill(429)]);
  const refused = answers.find(({ status }) => status === 429);
  const wait = Number(refused?.headers.get("retry-after"));
  assert(wait >= 1 && wait <= 6, `Retry-After is ${wait}`);
  assertEquals(refused?.body, {
    success: false,
    error: `Tests of notification rules: 10 a minute are allowed to anonymous; wait ${wait} s`,
  });
  assertEquals((await it.inbox()).length, 10);
});

Deno.test("calls are counted for each user, over all processes, and let go of with time", async () => {
  await using database = await testDatabase(postgresUrl);
  const ann = { what: "Trials", name: say`Trials`, username: "ann", perMinute: 3 };
  const call = (rate = ann) => countCall(database, rate);
  const atOnce = await Promise.allSettled(Array.from({ length: 8 }, () => call()));
  assertEquals(atOnce.filter((it) => it.status === "fulfilled").length, 3);
  const error = await assertRejects(call, AppError);
  assertEquals([error.code, error.retryAfter], ["throttled", 20]);
  await call({ ...ann, username: "bob" });
  await call({ ...ann, what: "Errors" });
  await database.db.update(callRates).set({ spentUntil: sql`spent_until - interval '20 s'` });
  await call();
  await assertRejects(call, AppError);
  await database.db.update(callRates).set({ spentUntil: sql`spent_until - interval '1 hour'` });
  for (let nth = 0; nth < 3; nth++) await call();
  await assertRejects(call, AppError);
});
