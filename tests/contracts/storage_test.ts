import { assertEquals, assertRejects } from "@std/assert";
import { AppError } from "#src/kernel/errors.ts";
import { sql } from "drizzle-orm";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { s3Chunks } from "#src/adapters/s3/s3_chunks.ts";
import type { Chunks } from "#src/ports/chunks.ts";
import { startS3 } from "#tests/support/s3_server.ts";
import { tableStorage } from "#src/adapters/postgres/table_storage.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { deps, embeddedTestDatabase, postgresUrl, testDatabase } from "#tests/support/db.ts";
import { STORAGE_CONTRACT } from "./storage.ts";

const ROOM = { maxBytes: 1_000_000_000 };

for (const [promise, check] of Object.entries(STORAGE_CONTRACT)) {
  Deno.test(`storage in a folder: ${promise}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), "passerelle-storage-"));
    await check(await folderStorage(folder));
    await rm(folder, { recursive: true });
  });
}

Deno.test("storage in an S3 bucket", async (t) => {
  await using database = await embeddedTestDatabase();
  await using s3 = await startS3();
  await stepsOn(t, database.db, s3Chunks(s3.settings));
});

async function stepsOn(t: Deno.TestContext, db: Db, chunks?: Chunks): Promise<void> {
  for (const [promise, check] of Object.entries(STORAGE_CONTRACT)) {
    await t.step(promise, async () => {
      await db.execute(sql`truncate stored_files, stored_contents cascade`);
      await check(
        tableStorage(db, {
          ...ROOM,
          ...chunks && { bucket: { chunks, installation: crypto.randomUUID() } },
        }),
      );
    });
  }
}

Deno.test("storage in the embedded database", async (t) => {
  await using database = await embeddedTestDatabase();
  await stepsOn(t, database.db);
});

Deno.test({
  name: "storage in PostgreSQL",
  ...deps("PostgreSQL", postgresUrl),
  async fn(t) {
    await using database = await testDatabase();
    await stepsOn(t, database.db);
  },
});

Deno.test("a folder deletes only leftovers of a writer that died a day ago", async () => {
  const folder = await mkdtemp(join(tmpdir(), "passerelle-storage-"));
  const storage = await folderStorage(folder);
  const old = new Date(Date.now() - 25 * 3_600_000);
  await mkdir(join(folder, "deep"));
  const names = [`.${crypto.randomUUID()}.part`, "report.part", "a.xml"];
  for (const name of names) {
    await writeFile(join(folder, "deep", name), "x");
    await utimes(join(folder, "deep", name), old, old);
  }
  await writeFile(join(folder, "deep", `.${crypto.randomUUID()}.part`), "being written");
  assertEquals(await storage.forget(), 1);
  assertEquals((await readdir(join(folder, "deep"))).length, 3);
  await rm(folder, { recursive: true });
});

Deno.test("more versions than one batch are deleted, and a failure does not affect the others", async () => {
  await using database = await embeddedTestDatabase();
  const { db } = database;
  const storage = tableStorage(db, ROOM);
  await db.execute(sql`insert into stored_contents (id, place, size, begun_at)
    select gen_random_uuid(), case when n = 7 then 's3' else 'database' end, 1, now() - interval '3 days'
    from generate_series(1, 250) as n`);
  await assertRejects(() => storage.forget(), AppError, "is in an S3 bucket");
  assertEquals(getRows(await db.execute(sql`select place from stored_contents`)), [{
    place: "s3",
  }]);
});

Deno.test("the database deletes files replaced days ago and leftovers of dead writers, with their bytes", async () => {
  await using database = await embeddedTestDatabase();
  const { db } = database;
  const storage = tableStorage(db, { maxBytes: 10 });
  const path = await storage.confine("a.txt");
  const write = (text: string) => storage.write(path, new TextEncoder().encode(text));
  await write("one");
  const { version } = await storage.stat(path);
  await write("two");
  assertEquals(await storage.free(), 4, "the replaced version takes room until it is forgotten");
  await db.execute(sql`insert into stored_contents (id, begun_at)
    values (${crypto.randomUUID()}, now() - interval '25 hours'), (${crypto.randomUUID()}, now())`);
  await db.execute(sql`update stored_contents set replaced_at = now() - interval '8 days'
    where id = ${version}`);
  assertEquals(await storage.forget(), 2);
  assertEquals(await storage.forget(), 0);
  const left = await db.execute(sql`select count(*)::int as n from stored_chunks`);
  assertEquals(getRows(left), [{ n: 1 }]);
  assertEquals(await storage.readAll(path, 10), new TextEncoder().encode("two"));
  assertEquals(await storage.free(), 7);
});
