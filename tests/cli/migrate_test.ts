import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "node:path";
import { migrateCommand } from "#src/cli/migrate.ts";
import { openBare } from "#src/compose/schema.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { contents, fillTables } from "#tests/support/filled.ts";
import { inFolder } from "#tests/support/folder.ts";

Deno.test("the command downgrades only without loss or with force, and lists the data that would be lost", () =>
  inFolder(async (folder) => {
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const env = { DATA_DIR: join(folder, "data"), SECRET_KEY: "k".repeat(40), LANG: "en_GB.UTF-8" };
    const io = { out: say, err: say, env };
    const store = async () => {
      await using database = await openBare(loadConfig(env));
      return await contents(database.db);
    };
    assertEquals(await migrateCommand([], io), 0);
    {
      await using database = await openBare(loadConfig(env));
      await fillTables(database.db, 2);
    }
    const before = await store();
    said.length = 0;
    const refused = await assertRejects(() => migrateCommand(["down", "0"], io), AppError);
    assertMatch(refused.message, /Version 0000 has no place for .*--force/);
    assert(said.includes("log_entries: 2 rows"), said.join("\n"));
    assertEquals(await store(), before);
    for (const wrong of [["down"], ["down", "x"], ["up", "1"], ["up", "--force"], ["sideways"]]) {
      await assertRejects(() => migrateCommand(wrong, io), AppError, "migrate [up | down VERSION");
    }
    await assertRejects(() => migrateCommand(["down", "--hurry", "1"], io), AppError, "--hurry");
    await assertRejects(() => migrateCommand(["down", "339"], io), AppError, "no version 0339");
    said.length = 0;
    assertEquals(await migrateCommand(["down", "0", "--force"], io), 0);
    assertMatch(said.at(-1) ?? "", /The schema of .* is at version 0000/);
    assertEquals(await store(), { sequences: [] });
    assertEquals(await migrateCommand(["up"], io), 0);
  }));
