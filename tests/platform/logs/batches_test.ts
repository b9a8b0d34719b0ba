import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { setTimeout as delay } from "node:timers/promises";
import { keepLogs, newLogBuffer } from "#src/platform/logs/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { postgresUrl, testDatabase } from "#tests/support/db.ts";

const clock = { now: () => new Date() };

/** Returns the sizes of the stored batches. */
async function batches(db: Db): Promise<number[]> {
  const found = await db.execute(sql`select entries from log_batches order by id`);
  return getRows<{ entries: number }>(found).map((it) => it.entries);
}

function lineAt(at: number, said = "") {
  const own = { time: clock.now().toISOString(), level: "INFO", event: "one.line" } as const;
  return { ...own, text: JSON.stringify({ ...own, at, said }) };
}

Deno.test("a process that logs all the time writes a row each half second, not one whenever the last is written", async () => {
  await using database = await testDatabase(postgresUrl);
  const buffer = newLogBuffer(10_000);
  const keeping = { buffer, process: "busy", keepDays: 1, keepEntries: 10_000, secrets: [] };
  const stop = new AbortController();
  const begun = performance.now();
  const following = keepLogs({ clock, db: database.db }, keeping, stop.signal);
  let logged = 0;
  while (performance.now() - begun < 1_800) {
    buffer.add(lineAt(logged++));
    await delay(2);
  }
  stop.abort();
  await following;
  const kept = await batches(database.db);
  assertEquals(kept.reduce((sum, it) => sum + it, 0), logged);
  // One at the beginning, one per half second, and the last one.
  const most = 2 + Math.ceil((performance.now() - begun) / 500);
  assert(kept.length <= most, `${kept.length} rows for ${logged} lines, ${most} at most`);
});

Deno.test("waiting lines are written at once, in rows of 500 lines and few statements", async () => {
  await using database = await testDatabase(postgresUrl);
  // Rows of one statement share a transaction id, which each row shows.
  await database.db.execute(
    sql`alter table log_batches add written xid8 not null default pg_current_xact_id()`,
  );
  const buffer = newLogBuffer(10_000);
  for (let at = 0; at < 1_700; at++) buffer.add(lineAt(at));
  const large = lineAt(1_700).text.length + 300;
  const most = Math.ceil(500_000 / large / 500) * 500;
  for (let at = 1_700; at < 1_700 + most; at++) buffer.add(lineAt(at, "x".repeat(300)));
  const keeping = { buffer, process: "late", keepDays: 1, keepEntries: 10_000, secrets: [] };
  const stop = new AbortController();
  const following = keepLogs({ clock, db: database.db }, keeping, stop.signal);
  while (buffer.first(1).length) await delay(5);
  const kept = await batches(database.db);
  assertEquals(kept.reduce((sum, it) => sum + it, 0), 1_700 + most);
  assertEquals(new Set(kept.slice(0, -1)), new Set([500]));
  const [written] = getRows<{ statements: number }>(
    await database.db.execute(
      sql`select count(distinct written)::int as statements from log_batches`,
    ),
  );
  assertEquals(written?.statements, 2, "half a million characters each");
  stop.abort();
  await following;
});

Deno.test("a line that is unreadable or refused by the database counts as lost, and its neighbours are stored", async () => {
  await using database = await testDatabase(postgresUrl);
  await database.db.execute(sql`alter table log_batches add check (strpos(lines, 'unheard') = 0)`);
  const buffer = newLogBuffer(10_000);
  for (let at = 0; at < 700; at++) buffer.add(lineAt(at));
  for (let at = 0; at < 2; at++) buffer.add({ ...lineAt(at), text: '{"event":"unheard of"}' });
  buffer.add({ ...lineAt(0), text: '{"key": no JSON' });
  for (let at = 0; at < 700; at++) buffer.add(lineAt(at));
  const keeping = { buffer, process: "odd", keepDays: 1, keepEntries: 10_000, secrets: [] };
  const stop = new AbortController();
  const following = keepLogs({ clock, db: database.db }, keeping, stop.signal);
  const given = performance.now();
  while (buffer.first(1).length && performance.now() - given < 5_000) await delay(5);
  stop.abort();
  await following;
  const kept = await batches(database.db);
  assertEquals(kept.reduce((sum, it) => sum + it, 0), 1_401);
  const [lost] = getRows<{ lines: string }>(
    await database.db.execute(sql`select lines from log_batches where 'log.lost' = any(events)`),
  );
  assertEquals(JSON.parse(lost?.lines.split("\n").at(-1) ?? "").line.lines, 3);
});
