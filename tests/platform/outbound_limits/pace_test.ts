import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { takeRateSlot } from "#src/platform/outbound_limits/mod.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";

const PACE = { calls: 3, perMs: 60_000 };

Deno.test("parallel callers start at most a limited number per interval; the others learn when to retry", async () => {
  await using database = await testDatabase(postgresUrl);
  const { db } = database;
  const waits = await Promise.all(Array.from({ length: 10 }, () => takeRateSlot(db, "fx", PACE)));
  assertEquals(waits.filter((it) => it === undefined).length, 3);
  for (const it of waits) assert(it === undefined || it > 0 && it <= PACE.perMs);
  assertEquals(
    await takeRateSlot(db, "other", PACE),
    undefined,
    "another peer has places of its own",
  );
  await db.execute(sql`update paces set begun_at = begun_at - interval '1 minute'`);
  assertEquals(
    await takeRateSlot(db, "fx", PACE),
    undefined,
    "a span later there are places again",
  );
});
