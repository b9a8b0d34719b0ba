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
import { openEmbedded, shippedMigrations } from "#src/compose/database.ts";

const migrations = (await shippedMigrations()).slice(0, 3);
const LONG_AGO = new Date("2020-01-01");

async function openIn(root: string, name: string, given = migrations) {
  return await openEmbedded(
    { cacheDir: join(root, "cache"), privateDir: join(root, name) },
    given,
  );
}

async function applied(root: string, name: string, given = migrations): Promise<number> {
  const { database, broker } = await openIn(root, name, given);
  const { rows } = await database.client.query<{ n: number }>(
    "select count(*)::int as n from schema_migrations",
  );
  await broker.close();
  await database[Symbol.asyncDispose]();
  return rows[0]?.n ?? 0;
}

Deno.test("an empty folder begins with the cluster that an earlier start prepared, each version with its own", async () => {
  const root = await mkdtemp(join(tmpdir(), "passerelle-prepared-"));
  const kept = async () => (await readdir(join(root, "cache"))).sort();
  try {
    assertEquals(await applied(root, "first"), 3);
    const [name = ""] = await kept();
    assertEquals(await applied(root, "second"), 3);
    assertEquals(await kept(), [name]);
    // What the first folder was given later is not in the copy.
    const { database, broker } = await openIn(root, "first");
    await database.script("create table later (n int)");
    await broker.close();
    await database[Symbol.asyncDispose]();
    assertEquals(await applied(root, "third"), 3);

    await utimes(join(root, "cache", name), LONG_AGO, LONG_AGO);
    assertEquals(await applied(root, "fourth", migrations.slice(0, 2)), 2);
    const after = await kept();
    assertEquals(after.length, 1, "the version nobody used for a month is gone");
    assertEquals(after.includes(name), false);
  } finally {
    await rm(root, { recursive: true });
  }
});

Deno.test("two that begin at once in two folders, and one without a cache to write to, start all the same", async () => {
  const root = await mkdtemp(join(tmpdir(), "passerelle-prepared-"));
  try {
    assertEquals(await Promise.all([applied(root, "one"), applied(root, "two")]), [3, 3]);
    assertEquals((await readdir(join(root, "cache"))).length, 1);
    await rm(join(root, "cache"), { recursive: true });
    await Deno.writeTextFile(join(root, "cache"), "a file where the folder should be");
    assertEquals(await applied(root, "three"), 3);
  } finally {
    await rm(root, { recursive: true });
  }
});

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
    if (!isAdministrator) return; // only the administrator gives folders away
    await rm(kept);
    await rename(join(root, "elsewhere"), kept);
    await chown(kept, 65_534, 65_534);
    assertEquals(await isTaken(), false, "another user's");
  } finally {
    await rm(root, { recursive: true });
  }
});
