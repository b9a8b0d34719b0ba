import { assert, assertEquals, assertMatch } from "@std/assert";
import postgres from "postgres";
import { doctorCommand } from "#src/cli/doctor.ts";
import { migrateCommand } from "#src/cli/migrate.ts";
import process from "node:process";
import { CACHE_DIR, deps, postgresUrl } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startProcess } from "#tests/support/processes.ts";

const SECRET_KEY = "a key for the tests of the reading role, long enough";
const STATEMENT = /create role "?passerelle_reader_[0-9a-f]{12}"? with login .* password '[^']+';/;

/** Creates an empty database whose owner may not create roles. */
async function ownedDatabase(server: string) {
  const admin = postgres(server, { max: 1, onnotice: () => {} });
  const name = `passerelle_owner_${crypto.randomUUID().slice(0, 8)}`;
  await admin.unsafe(`create role ${name} login password 'owner' nocreaterole`);
  await admin.unsafe(`create database ${name} owner ${name} template template0 encoding 'UTF8'`);
  const url = Object.assign(new URL(server), { pathname: name, username: name, password: "owner" });
  const roles: string[] = [name];
  return {
    url: url.href,
    async run(statement: string) {
      roles.unshift(/role "?(\w+)/.exec(statement)?.[1] ?? "");
      await admin.unsafe(statement);
    },
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database ${name} with (force)`);
      for (const role of roles) await admin.unsafe(`drop role ${role}`);
      await admin.end();
    },
  };
}

Deno.test({
  name:
    "migrate, start and doctor print the statement that creates the reading role; run, it ends the 503",
  ...deps("PostgreSQL", postgresUrl),
  fn: () =>
    inFolder(async (folder) => {
      await using database = await ownedDatabase(postgresUrl ?? "");
      const { PATH = "", HOME = "", DENO_DIR } = process.env;
      const env = {
        ...{ PATH, HOME, ...DENO_DIR && { DENO_DIR }, LANG: "en", CACHE_DIR, SECRET_KEY },
        ...{ DATABASE_URL: database.url, DATA_DIR: folder, SANDBOX_PA: "on" },
      };
      const said: string[] = [];
      const keep = (line: string) => void said.push(line);
      const io = { out: keep, err: keep, env };
      const linesWith = (lines: readonly string[]) => lines.filter((it) => STATEMENT.test(it));
      assertEquals(await migrateCommand([], io), 0);
      assertEquals(linesWith(said).length, 1, said.join("\n"));

      await using product = await startProcess("start", env);
      const [line = ""] = await product.says(/^.*reader\.role\.missing.*$/m);
      const { statement } = JSON.parse(line) as { statement: string };
      assertMatch(statement, STATEMENT);
      assertEquals(
        linesWith(said[said.length - 1]?.split("\n") ?? [])[0]?.includes(statement),
        true,
      );
      const read = () => fetch(`${product.url}/api/sql/invoicing/invoices?limit=1`);
      const refused = await read();
      assertEquals(refused.status, 503);
      const { detail } = await refused.json();
      assertMatch(
        detail,
        /^The reading role of the database is missing: .*may not create the role/,
      );
      assert(!detail.includes("SCRAM"), detail);
      await (await read()).body?.cancel();
      assertEquals(product.output().split("reader.role.missing").length, 2);

      said.length = 0;
      assertEquals(await doctorCommand(["--json"], io), 1);
      assert(said.join("\n").includes(JSON.stringify(statement).slice(1, -1)), said.join("\n"));
      await database.run(statement);
      const answered = await read();
      assertEquals(answered.status, 200, await answered.text());
      said.length = 0;
      await doctorCommand(["--json"], io);
      assertMatch(said.join("\n"), /"it signs in"/);
    }),
});
