import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { join } from "node:path";
import { backupCommand, restoreCommand } from "#src/cli/backup.ts";
import { runSendingCommand } from "#src/cli/sending.ts";
import { openBare, openSchema } from "#src/compose/schema.ts";
import { loadConfig } from "#src/config/config.ts";
import { AppError } from "#src/kernel/errors.ts";
import { getRows } from "#src/ports/db.ts";
import { longTest } from "#tests/support/long.ts";

/** Characters that JSON leaves unescaped, a line longer than a chunk of the file, and multi-byte letters. */
const NAMES = ["a\u2028b\u2029c\u0085d\r\n", "é€😀".repeat(40_000)];

longTest("the restore command reads every line that the backup command wrote", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const ioOf = (name: string) => {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const env = {
        DATA_DIR: join(folder, name),
        SECRET_KEY: "k".repeat(40),
        LANG: "en_GB.UTF-8",
      };
      return { io: { out: say, err: say, env }, said };
    };
    const [from, to] = [ioOf("from"), ioOf("to")];
    {
      await using schema = await openSchema(loadConfig(from.io.env));
      await schema.up();
    }
    {
      await using database = await openBare(loadConfig(from.io.env));
      for (const name of NAMES) {
        await database.db.execute(sql`insert into log_entries (at, level, process, event, fields)
          values (now(), 'INFO', 'web', 'x', ${JSON.stringify({ name })}::jsonb)`);
      }
    }
    const file = join(folder, "all.backup");
    assertEquals(await backupCommand([file], from.io), 0);
    assertEquals(await restoreCommand([file], to.io), 0, to.said.join("\n"));
    assertMatch(to.said.join("\n"), /Restored and compared: tables \d+, rows \d+/);
    assertMatch(to.said.join("\n"), /Sending is off in this copy/);
    for (
      const [place, verb, state] of [
        [from, "show", /is on$/],
        [to, "show", /is off/],
        [to, "on", /is on$/],
        [to, "off", /is off/],
      ] as const
    ) {
      assertEquals(await runSendingCommand([verb], place.io), 0);
      assertMatch(place.said.at(-1) ?? "", state);
    }
    const bytes = await Deno.readFile(file);
    const bad = join(folder, "bad.backup");
    const damaged: readonly (readonly [Uint8Array, RegExp])[] = [
      [bytes.slice(0, -20), /^The backup is cut off$/],
      [new TextEncoder().encode("hello"), /is damaged or not a backup$/],
    ];
    for (const [content, told] of damaged) {
      await Deno.writeFile(bad, content);
      const error = await assertRejects(
        () => restoreCommand([bad], ioOf("empty").io),
        AppError,
      );
      assertMatch(error.message, told);
    }
    await assertRejects(
      () => restoreCommand([join(folder, "none")], ioOf("empty").io),
      AppError,
      "none cannot be read:",
    );
    await assertRejects(
      () => backupCommand([join(folder, "no", "x")], from.io),
      AppError,
      "x cannot be written:",
    );
    await assertRejects(
      () => backupCommand([folder], from.io),
      AppError,
      "cannot be written:",
    );
    const nothing = join(folder, "nothing.backup");
    await assertRejects(
      () => backupCommand([nothing], ioOf("elsewhere").io),
      AppError,
      "There is nothing to back up",
    );
    const left = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    assertEquals(left.filter((it) => /nothing|part$/.test(it)), [], "no file that looks like one");
    await using restored = await openBare(loadConfig(to.io.env));
    const rows = getRows<{ name: string }>(
      await restored.db.execute(sql`select fields ->> 'name' as name from log_entries order by id`),
    );
    assertEquals(rows.map(({ name }) => name), NAMES);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
