import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { takePlace } from "#src/features/peers/mod.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";

const PACE = { calls: 3, perMs: 60_000 };

Deno.test("of callers side by side no more begin in a span than it has places; the others are told when the next begins", async () => {
  await using database = await testDatabase(postgresUrl);
  const { db } = database;
  const waits = await Promise.all(Array.from({ length: 10 }, () => takePlace(db, "fx", PACE)));
  assertEquals(waits.filter((it) => it === undefined).length, 3);
  for (const it of waits) assert(it === undefined || it > 0 && it <= PACE.perMs);
  assertEquals(await takePlace(db, "other", PACE), undefined, "another peer has places of its own");
  await db.execute(sql`update paces set begun_at = begun_at - interval '1 minute'`);
  assertEquals(await takePlace(db, "fx", PACE), undefined, "a span later there are places again");
});
