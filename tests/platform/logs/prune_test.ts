import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { pruneEntries } from "#src/platform/logs/store.ts";
import { getRows } from "#src/ports/db.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";

Deno.test("entries of the previous release are pruned like others", async () => {
  await using database = await testDatabase(postgresUrl);
  const { db } = database;
  await db.execute(sql`insert into log_entries (at, level, process, event, fields)
    select now() - days * interval '1 day', 'INFO', 'p', 'line.' || days, '{}' from unnest('{1,13,15,90}'::int[]) as days`);
  await pruneEntries(db, { keepDays: 14, keepEntries: 1 });
  const left = getRows<{ event: string }>(
    await db.execute(sql`select event from log_entries order by id`),
  );
  assertEquals(left.map((it) => it.event), ["line.1", "line.13"]);
});
