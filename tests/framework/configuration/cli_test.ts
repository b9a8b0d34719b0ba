import { assert, assertEquals } from "@std/assert";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { configCommand } from "#src/cli/config.ts";
import { inFolder } from "#tests/support/folder.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { CONNECTORS, DICTIONARY, MENUS, POOLS, SCREENS } from "#tests/support/settings.ts";

const FILES: Readonly<Record<string, string>> = {
  "pools.yaml": POOLS,
  "connectors.yaml": CONNECTORS,
  "dictionary.yaml": DICTIONARY,
  "screens.yaml": SCREENS,
  "menus.yaml": MENUS,
  "i18n/fr.yaml": "version: 1\nlanguage: fr\nmessages: { save: Enregistrer }\n",
  "i18n/sales/fr.yaml": "version: 1\nlanguage: fr\nmessages: { save: Valider }\n",
};

async function writeAll(folder: string, files: Readonly<Record<string, string>>) {
  await mkdir(join(folder, "i18n/sales"), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

function report(env: Record<string, string>) {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    out: (it: string) => void out.push(it),
    err: (it: string) => void err.push(it),
    env: { LANG: "en", ...env },
  };
  const run = async (...args: string[]) => {
    out.length = err.length = 0;
    return await configCommand(args, io);
  };
  return { out, err, run };
}

Deno.test("a folder is checked without a database, each mistake with file, line and column", async () => {
  await inFolder(async (folder) => {
    const { out, err, run } = report({});
    await writeAll(folder, FILES);
    assertEquals([await run("validate", folder), out, err], [0, ["Sections: 7, in order"], []]);
    await writeFile(
      join(folder, "connectors.yaml"),
      CONNECTORS.replace("pool: main", "pool: mian"),
    );
    assertEquals([await run("validate", folder), err], [1, [
      "connectors.yaml:5:11: There is no pool named mian; did you mean main?",
    ]]);
    const french = report({ LANG: "fr" });
    assertEquals([await french.run("validate", folder), french.err, french.out], [
      1,
      ["connectors.yaml:5:11 : Introuvable : pool mian ; vouliez-vous dire main ?"],
      ["Sections : 7 ; erreurs : 1"],
    ]);
  });
});

Deno.test(
  "a folder is compared, applied in one transaction and written back byte for byte",
  deps("PostgreSQL", postgresUrl),
  async () => {
    await using database = await testDatabaseUrl(postgresUrl ?? "");
    await inFolder(async (folder) => {
      const env = {
        DATABASE_URL: database.url,
        DATA_DIR: join(folder, "data"),
        SECRET_KEY: "a key of the tests, which is long enough",
      };
      const { out, err, run } = report(env);
      const dir = join(folder, "config");
      await writeAll(dir, FILES);
      assertEquals(await run("diff", dir), 0, err.join("\n"));
      assert(out.join("\n").includes("+    driver: postgres"), out.join("\n"));
      assertEquals(out.at(-1)?.startsWith("Would change: "), true);
      assertEquals(await run("apply", dir), 0, err.join("\n"));
      assertEquals(await run("apply", dir), 0);
      assertEquals(out, ["Changed: nothing"]);
      await run("export", join(folder, "other"));
      for (const [name, text] of Object.entries(FILES)) {
        assertEquals(await readFile(join(folder, "other", name), "utf8"), text);
      }
      await writeFile(join(dir, "menus.yaml"), MENUS.replace("screen: orders", "screen: order"));
      await writeFile(join(dir, "pools.yaml"), POOLS.replace("erp", "crm"));
      assertEquals([await run("apply", dir), err], [1, [
        "menus.yaml:8:27: There is no screen named sales/order; did you mean sales/orders?",
        "Nothing was changed",
      ]]);
      await run("export", join(folder, "other"));
      assertEquals(await readFile(join(folder, "other/pools.yaml"), "utf8"), POOLS);
    });
  },
);
