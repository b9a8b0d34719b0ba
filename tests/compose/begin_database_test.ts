import { assertEquals, assertRejects } from "@std/assert";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beginDatabase } from "#src/compose/begin_database.ts";
import { openEmbedded, shippedMigrations } from "#src/compose/database.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";

const migrations = (await shippedMigrations()).slice(0, 3);

Deno.test("a database is begun before the product is loaded", async (t) => {
  const root = await mkdtemp(join(tmpdir(), "passerelle-begin-"));
  const config = loadConfig({ DATA_DIR: root, CACHE_DIR: join(root, "cache") });

  await t.step("nothing is begun in an empty folder", async () => {
    assertEquals(beginDatabase(config), undefined);
    const { database, broker } = await openEmbedded(config, migrations);
    await database.script("create table kept (n int); insert into kept values (7)");
    await broker.close();
    await database[Symbol.asyncDispose]();
  });

  await t.step("the one that is begun is the one the product opens, and gives back", async () => {
    const begun = beginDatabase(config);
    const { database, broker } = await openEmbedded(config, migrations, { begun });
    assertEquals(database.client, (await begun)?.client);
    const { rows } = await database.client.query<{ n: number }>("select n from kept");
    assertEquals(rows, [{ n: 7 }]);
    await broker.close();
    await database[Symbol.asyncDispose]();
  });

  await t.step(
    "a folder another has is told to whoever opens the product, and to nobody before",
    async () => {
      const first = await beginDatabase(config);
      const second = beginDatabase(config);
      await second?.catch(() => {}); // it is refused before anybody opens the product with it
      const refused = await assertRejects(
        () => openEmbedded(config, migrations, { begun: second }),
        AppError,
      );
      assertEquals(refused.code, "conflict");
      await first?.client.close();
      await first?.unlock();
    },
  );

  await t.step("nothing is begun where the data lie on a server or have moved to one", async () => {
    assertEquals(beginDatabase({ ...config, databaseUrl: "postgres://127.0.0.1/any" }), undefined);
    await writeFile(join(config.privateDir, "database.json"), "{}");
    assertEquals(beginDatabase(config), undefined);
  });

  await rm(root, { recursive: true });
});
