import { assertEquals } from "@std/assert";
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { copyPrepared } from "#src/adapters/pglite/prepared_cluster.ts";
import type { Migration } from "#src/adapters/postgres/migrate.ts";
import { openEmbedded, shippedMigrations } from "#src/compose/database.ts";
import { longTest } from "#tests/support/long.ts";

const shipped = await shippedMigrations();
const migrations: readonly Migration[] = [
  ...shipped,
  { version: "9990", name: "next", up: "create table carts (n int)", down: undefined },
];
const ALL = migrations.length;
const LONG_AGO = new Date("2020-01-01");

async function openIn(root: string, name: string, given: readonly Migration[] = migrations) {
  return await openEmbedded(
    { cacheDir: join(root, "cache"), privateDir: join(root, name) },
    given,
  );
}

async function apply(
  root: string,
  name: string,
  given: readonly Migration[] = migrations,
): Promise<number> {
  const { database, broker } = await openIn(root, name, given);
  const { rows } = await database.client.query<{ n: number }>(
    "select count(*)::int as n from schema_migrations",
  );
  await broker.close();
  await database[Symbol.asyncDispose]();
  return rows[0]?.n ?? 0;
}

longTest(
  "an empty folder begins with the cluster that an earlier start prepared, each version with its own",
  async () => {
    const root = await mkdtemp(join(tmpdir(), "passerelle-prepared-"));
    const keep = async () => (await readdir(join(root, "cache"))).sort();
    try {
      assertEquals(await apply(root, "first"), ALL);
      const [name = ""] = await keep();
      assertEquals(await apply(root, "second"), ALL);
      assertEquals(await keep(), [name]);
      // Later data of the first folder are not in the copy.
      const { database, broker } = await openIn(root, "first");
      await database.script("create table later (n int)");
      await broker.close();
      await database[Symbol.asyncDispose]();
      assertEquals(await apply(root, "third"), ALL);

      await utimes(join(root, "cache", name), LONG_AGO, LONG_AGO);
      assertEquals(await apply(root, "fourth", shipped), ALL - 1);
      const after = await keep();
      assertEquals(after.length, 1, "the version nobody used for a month is gone");
      assertEquals(after.includes(name), false);
    } finally {
      await rm(root, { recursive: true });
    }
  },
);

longTest(
  "two that begin at once in two folders, and one without a cache to write to, start all the same",
  async () => {
    const root = await mkdtemp(join(tmpdir(), "passerelle-prepared-"));
    try {
      assertEquals(await Promise.all([apply(root, "one"), apply(root, "two")]), [ALL, ALL]);
      assertEquals((await readdir(join(root, "cache"))).length, 1);
      await rm(join(root, "cache"), { recursive: true });
      await Deno.writeTextFile(join(root, "cache"), "a file where the folder should be");
      assertEquals(await apply(root, "three"), ALL);
    } finally {
      await rm(root, { recursive: true });
    }
  },
);

Deno.test("a prepared cluster another user may have written or put there is not taken", async () => {
  const root = await mkdtemp(join(tmpdir(), "passerelle-prepared-"));
  const cacheDir = join(root, "cache");
  const kept = join(cacheDir, "cluster-x");
  let tries = 0;
  const isTaken = () => copyPrepared({ cacheDir, name: "x" }, join(root, `taken ${tries++}`));
  try {
    await mkdir(kept, { recursive: true, mode: 0o700 });
    await writeFile(join(kept, "PG_VERSION"), "17");
    assertEquals(await isTaken(), true);
    for (const folder of [cacheDir, kept]) {
      for (const mode of [0o770, 0o707, 0o1777]) {
        await chmod(folder, mode);
        assertEquals(await isTaken(), false, `${folder} ${mode.toString(8)}`);
      }
      await chmod(folder, 0o755);
    }
    assertEquals(await isTaken(), true);
    await rename(kept, join(root, "elsewhere"));
    await symlink(join(root, "elsewhere"), kept);
    assertEquals(await isTaken(), false, "a link to one");
    const isAdministrator = process.getuid?.() === 0;
    if (!isAdministrator) return; // only the administrator may change a folder's owner
    await rm(kept);
    await rename(join(root, "elsewhere"), kept);
    await chown(kept, 65_534, 65_534);
    assertEquals(await isTaken(), false, "another user's");
  } finally {
    await rm(root, { recursive: true });
  }
});
