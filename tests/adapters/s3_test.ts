import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { tableStorage } from "#src/adapters/postgres/table_storage.ts";
import { s3Chunks } from "#src/adapters/s3/s3_chunks.ts";
import { AppError } from "#src/kernel/errors.ts";
import { embeddedTestDatabase } from "#tests/support/db.ts";
import { ESCAPES } from "#tests/support/escapes.ts";
import { longTest } from "#tests/support/long.ts";
import { startS3 } from "#tests/support/s3_server.ts";

const MB = 1024 * 1024;
const US = crypto.randomUUID();
const bytes = new Uint8Array(MB + 500_000).map((_, n) => (n * 31) % 251);

longTest("calls to a busy, silent, broken or corrupt store are retried", async () => {
  await using s3 = await startS3();
  const chunks = s3Chunks({ ...s3.settings, timeoutMs: 2_000 });
  for (const kind of ["500", "503", "drop", "hang"] as const) {
    s3.fault(kind, "PUT", kind === "hang" ? 1 : 2);
    await chunks.put("a", 0, bytes);
    for (const reading of [kind, "truncate", "garble"] as const) s3.fault(reading, "GET", 1);
    assertEquals(await chunks.get("a", 0, { from: 0, length: bytes.length }), bytes, kind);
    s3.fault("truncate", "GET", 1);
    assertEquals(await chunks.get("a", 0, { from: 7, length: 9 }), bytes.slice(7, 16), kind);
    s3.fault(kind, "DELETE", 1);
    await chunks.remove("a");
    assertEquals(await chunks.get("a", 0, { from: 0, length: 2 }), undefined);
  }
});

Deno.test("a store that knows no ranges is read all the same", async () => {
  await using s3 = await startS3();
  const chunks = s3Chunks(s3.settings);
  await chunks.put("a", 0, bytes);
  s3.fault("no-ranges", "GET", 1);
  assertEquals(await chunks.get("a", 0, { from: 7, length: 9 }), bytes.slice(7, 16));
});

Deno.test("a permanent failure is unavailable, with the bucket and the reason and without the key", async () => {
  await using s3 = await startS3();
  const { settings } = s3;
  const reasons: Record<string, string> = {};
  const reasonOf = async (work: Promise<unknown>) => {
    const error = await assertRejects(() => work, AppError);
    assertEquals(error.code, "unavailable");
    assert(!error.message.includes("a secret of ours"), error.message);
    return error.message;
  };
  s3.fault("503", "PUT", 4);
  reasons["busy"] = await reasonOf(s3Chunks(settings).put("a", 0, bytes));
  const foreign = s3Chunks({ ...settings, secretAccessKey: "a secret of ours" });
  reasons["key"] = await reasonOf(foreign.put("a", 0, bytes));
  const missing = s3Chunks({ ...settings, bucket: "nowhere" });
  reasons["missing, written"] = await reasonOf(missing.put("a", 0, bytes));
  reasons["missing, read"] = await reasonOf(missing.get("a", 0, { from: 0, length: 1 }));
  const nobody = s3Chunks({ ...settings, endpoint: "http://127.0.0.1:65001" });
  reasons["nobody"] = (await reasonOf(nobody.remove("a"))).replace(
    /: [^:]*(connect|refused).*/is,
    ": …",
  );
  assertEquals(reasons, {
    "busy": "The S3 bucket files cannot be used: HTTP 503",
    "key": "The S3 bucket files cannot be used: HTTP 403 SignatureDoesNotMatch",
    "missing, written": "The S3 bucket nowhere cannot be used: HTTP 404 NoSuchBucket",
    "missing, read": "The S3 bucket nowhere cannot be used: NoSuchBucket",
    "nobody": reasons["nobody"] ?? "",
  });
});

Deno.test("a write that the store aborted leaves the old file and no objects; leftovers of a dead writer are deleted", async () => {
  await using database = await embeddedTestDatabase();
  await using s3 = await startS3();
  const { db } = database;
  const chunks = s3Chunks(s3.settings);
  const storage = tableStorage(db, { maxBytes: 10 * MB, bucket: { chunks, installation: US } });
  const path = await storage.confine("a.bin");
  await storage.write(path, bytes);
  async function* twoAndAFault() {
    yield bytes;
    s3.fault("503", "PUT", 4);
    yield bytes;
  }
  await assertRejects(() => storage.write(path, twoAndAFault()), AppError);
  assertEquals(await storage.readAll(path, bytes.length), bytes);
  const removed = s3.requests.filter((it) => it.startsWith("DELETE")).length;
  assertEquals(removed, 1, "the piece that was stored is gone");

  const dead = crypto.randomUUID();
  await chunks.put(dead, 0, bytes);
  await db.execute(sql`insert into stored_contents (id, place, installation, begun_at)
    values (${dead}, 's3', ${US}, now() - interval '2 days')`);
  assertEquals(await storage.forget(), 1);
  assertEquals(await chunks.get(dead, 0, { from: 0, length: 2 }), undefined);
});

Deno.test("files of the database stay readable once new ones go to a bucket", async () => {
  await using database = await embeddedTestDatabase();
  await using s3 = await startS3();
  const { db } = database;
  const before = tableStorage(db, { maxBytes: 10 * MB });
  const path = await before.confine("a.bin");
  await before.write(path, bytes);
  const after = tableStorage(db, {
    maxBytes: 10 * MB,
    bucket: { chunks: s3Chunks(s3.settings), installation: US },
  });
  assertEquals(await after.readAll(path, bytes.length), bytes);
  await after.write(path, bytes.subarray(1));
  assertEquals(await after.readAll(path, bytes.length), bytes.slice(1));
  const error = await assertRejects(() => before.readAll(path, bytes.length), AppError);
  assertEquals([error.code, error.message], [
    "unavailable",
    "The file is in an S3 bucket, but FILES names no bucket",
  ]);
});

Deno.test("a copy of a database reads its original's objects, and deletes only its own", async () => {
  await using database = await embeddedTestDatabase();
  await using s3 = await startS3();
  const { db } = database;
  const of = (installation: string | null) =>
    tableStorage(db, {
      maxBytes: 10 * MB,
      ...installation !== null && { bucket: { chunks: s3Chunks(s3.settings), installation } },
    });
  const [original, copy] = [of(US), of(crypto.randomUUID())];
  const path = await original.confine("a.bin");
  await original.write(path, bytes);
  assertEquals(await copy.readAll(path, bytes.length), bytes);
  await copy.write(path, bytes.subarray(1));
  await copy.write(path, bytes.subarray(2));
  await db.execute(sql`update stored_contents set replaced_at = replaced_at - interval '3 days',
    begun_at = begun_at - interval '3 days'`);
  const keys = () => s3.requests.filter((it) => it.startsWith("DELETE")).length;
  assertEquals(await copy.forget(), 2, "both rows");
  assertEquals(keys(), 2, "but the two pieces of its own alone");
});

Deno.test("no file name of a user becomes part of a key in the bucket", async (t) => {
  await using database = await embeddedTestDatabase();
  await using s3 = await startS3();
  const storage = tableStorage(database.db, {
    maxBytes: 10 * MB,
    bucket: { chunks: s3Chunks(s3.settings), installation: US },
  });
  const names = [
    ...ESCAPES,
    "other/installation.xml",
    "a?versionId=1.xml",
    "a#b.xml",
    "a&prefix=.xml",
    "%2e%2e%2fother.xml",
    `${crypto.randomUUID()}/0`,
    "a+b é ’.xml",
  ];
  const written: string[] = [];
  for (const name of names) {
    await t.step(JSON.stringify(name.slice(0, 60)), async () => {
      try {
        const path = await storage.confine(name);
        await storage.write(path, bytes.subarray(0, 10));
        assertEquals(await storage.readAll(path, 10), bytes.subarray(0, 10));
        await storage.write(path, bytes.subarray(0, 9));
        await storage.remove(path);
        written.push(name);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        assert(["forbidden", "refused"].includes(error.code), error.message);
      }
    });
  }
  await database.db.execute(
    sql`update stored_contents set replaced_at = replaced_at - interval '3 days',
    begun_at = begun_at - interval '3 days'`,
  );
  assert(await storage.forget() >= 2 * written.length && written.length >= 7, written.join());
  const uuid = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
  const object = new RegExp(`^(PUT|GET|DELETE) /files/passerelle/${uuid}/\\d+$`);
  const list = new RegExp(`^GET /files\\?list-type=2&prefix=passerelle%2F${uuid}%2F$`);
  assertEquals(s3.requests.filter((it) => !object.test(it) && !list.test(it)), []);
});

Deno.test("a store that lists the objects of others loses none of them to a deletion", async () => {
  await using s3 = await startS3();
  const other = s3Chunks({ ...s3.settings, prefix: "other/" });
  const chunks = s3Chunks(s3.settings);
  await other.put("a", 0, bytes);
  await chunks.put("a", 0, bytes);
  s3.fault("no-prefix", "GET", 4);
  const error = await assertRejects(() => chunks.remove("a"), AppError);
  assertEquals(
    error.message,
    "The S3 bucket files cannot be used: it lists objects outside the requested prefix",
  );
  assertEquals(await other.get("a", 0, { from: 0, length: 9 }), bytes.slice(0, 9));
  await chunks.remove("a");
  assertEquals(await chunks.get("a", 0, { from: 0, length: 9 }), undefined);
});
