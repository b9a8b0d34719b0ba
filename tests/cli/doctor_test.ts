import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import process from "node:process";
import { aesVault } from "#src/adapters/crypto/vault.ts";
import { backupCommand, restoreCommand } from "#src/cli/backup.ts";
import { doctorCommand } from "#src/cli/doctor.ts";
import { secretsCommand } from "#src/cli/secrets.ts";
import { UNBOUND } from "#src/ports/vault.ts";
import { deps, postgresUrl, redisUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { startEmbedded } from "#tests/support/embedded.ts";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";
import { ownRedis } from "#tests/support/servers.ts";
import { startS3 } from "#tests/support/s3_server.ts";

const KEY = "a key for the tests of the doctor, long enough";

function getIo(env: Record<string, string>, said: string[]) {
  const { PATH = "", HOME = "", DENO_DIR } = process.env;
  return {
    out: (line: string) => void said.push(line),
    err: (line: string) => void said.push(line),
    env: { PATH, HOME, ...DENO_DIR && { DENO_DIR }, LANG: "en", ...env },
  };
}

async function rotate(env: Record<string, string>): Promise<string> {
  const said: string[] = [];
  assertEquals(await secretsCommand(["rotate"], getIo(env, said)), 0);
  return said.join("\n");
}

async function doctor(env: Record<string, string>) {
  const said: string[] = [];
  const io = getIo(env, said);
  const code = await doctorCommand(["--json"], io);
  const found = JSON.parse(said.join("\n")) as {
    what: string;
    state: string;
    found: string;
    advice?: string;
  }[];
  return { code, of: (what: string) => found.find((it) => it.what === what) };
}

const servers = deps("PostgreSQL", postgresUrl).ignore
  ? deps("PostgreSQL", postgresUrl)
  : deps("Redis", redisUrl);

Deno.test({
  name: "each part of a fleet is examined; problems are named with their solution",
  ...servers,
  async fn() {
    await using database = await testDatabaseUrl(postgresUrl ?? "");
    await using s3 = await startS3();
    await inFolder(async (folder) => {
      const fleet = {
        DATA_DIR: folder,
        DATABASE_URL: database.url,
        REDIS_URL: redisUrl ?? "",
        SECRET_KEY: KEY,
        FILES: "s3://files/doctor",
        AWS_ENDPOINT_URL_S3: s3.settings.endpoint ?? "",
        AWS_ACCESS_KEY_ID: s3.settings.accessKeyId,
        AWS_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
      };
      const well = await doctor(fleet);
      for (
        const what of [
          "version",
          "runtime",
          "reading role",
          "disk",
          "Redis",
          "S3 bucket",
          "database",
          "files",
          "secrets",
        ]
      ) {
        assertEquals(well.of(what)?.state, "ok", JSON.stringify(well.of(what)));
      }
      assertEquals([well.of("PA")?.state, well.of("mail")?.state], ["failed", "warning"]);
      assertEquals(well.code, 1);

      s3.fault("503", "PUT", 4);
      const busy = await doctor(fleet);
      assertMatch(busy.of("S3 bucket")?.found ?? "", /bucket files cannot be used: HTTP 503/);
      assertMatch(busy.of("S3 bucket")?.advice ?? "", /^Check FILES/);

      const nobody = await doctor({ ...fleet, DATABASE_URL: "postgres://x:secret@127.0.0.1:1/x" });
      assertEquals(nobody.of("database")?.state, "failed");
      assert(!JSON.stringify(nobody.of("database")).includes("secret"));
      assertMatch(nobody.of("database")?.advice ?? "", /^Check DATABASE_URL/);
      assertEquals(nobody.of("files"), undefined, "what needs the database is not asked");
    });
  },
});

Deno.test({
  name: "a database without its migrations and a Redis that throws work away are no places to work",
  ...servers,
  async fn() {
    await using redis = await ownRedis();
    redis.cli("config", "set", "maxmemory-policy", "allkeys-lru");
    await inFolder(async (folder) => {
      const found = await doctor({
        DATA_DIR: folder,
        DATABASE_URL: postgresUrl ?? "",
        REDIS_URL: redis.url,
        SECRET_KEY: KEY,
      });
      assertMatch(found.of("database")?.advice ?? "", /deno task migrate$/);
      assertMatch(found.of("Redis")?.found ?? "", /^Redis \d.*allkeys-lru$/);
      assertMatch(found.of("Redis")?.advice ?? "", /noeviction/);
    });
  },
});

Deno.test({
  name:
    "a key that opens what is stored no more is named, whatever it sealed, and one that is to be replaced",
  ...servers,
  async fn() {
    await using database = await testDatabaseUrl(postgresUrl ?? "");
    await inFolder(async (folder) => {
      const fleet = { DATA_DIR: folder, DATABASE_URL: database.url, REDIS_URL: redisUrl ?? "" };
      {
        await using web = await startProcess("web", {
          ...fleet,
          SECRET_KEY: KEY,
          AUTH: "on",
          ADMIN_PASSWORD: KEY,
        });
        const signIn = await fetch(`${web.url}/auth/login`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ username: "admin", password: KEY }),
        });
        await signIn.body?.cancel();
        assertEquals(signIn.status, 200); // the sign-in created a signing key; nothing else is sealed
      }
      const SECRET_KEY = `another ${KEY}`;
      const other = (await doctor({ ...fleet, SECRET_KEY })).of("secrets");
      assertEquals(other?.state, "failed", JSON.stringify(other));
      assertMatch(other?.advice ?? "", /SECRET_KEY_OLD/);
      const both = (await doctor({ ...fleet, SECRET_KEY, SECRET_KEY_OLD: KEY })).of("secrets");
      assertEquals([both?.state, both?.found], [
        "warning",
        "1 places are sealed by SECRET_KEY_OLD still",
      ]);
      assertMatch(both?.advice ?? "", /cli secrets rotate/);
      const sealed = {
        ...fleet,
        SECRET_KEY,
        SECRET_KEY_OLD: KEY,
        PUBLIC_URL: "https://passerelle.example",
        OIDC_ISSUER: "https://login.example",
        OIDC_CLIENT_ID: "passerelle",
        OIDC_CLIENT_SECRET: aesVault(KEY).seal("a secret between two", UNBOUND),
      };
      const said = await rotate(sealed);
      assertMatch(said, /SECRET_KEY_OLD is still needed for OIDC_CLIENT_SECRET/);
      const variable = (await doctor(sealed)).of("secrets");
      assertEquals([variable?.state, variable?.found], [
        "warning",
        "0 places and OIDC_CLIENT_SECRET are sealed by SECRET_KEY_OLD still",
      ]);
      const anew = aesVault(SECRET_KEY).seal("a secret between two", UNBOUND);
      assertMatch(await rotate({ ...sealed, OIDC_CLIENT_SECRET: anew }), /is no longer needed/);
    });
  },
});

longTest(
  "an installation of one machine: empty, at work, where it is backed up too, and stopped",
  async () => {
    await inFolder(async (folder) => {
      const empty = await doctor({ DATA_DIR: join(folder, "none") });
      assertEquals([empty.code, empty.of("product")?.state], [0, "warning"]);
    });
    await using embedded = await startEmbedded();
    const { files: { root }, product } = embedded;
    const atWork = await doctor({ DATA_DIR: root });
    assertEquals(atWork.of("product")?.found, `it runs at ${product.url}: database up, queue up`);
    assertEquals(
      ["version", "disk", "files", "secrets", "queues", "PA"].map((it) => atWork.of(it)?.state),
      ["ok", "ok", "ok", "ok", "ok", "ok"],
    );
    await inFolder(async (folder) => {
      const file = join(folder, "at-work.backup");
      const said: string[] = [];
      assertEquals(
        await backupCommand([file], getIo({ DATA_DIR: root }, said)),
        0,
        said.join("\n"),
      );
      assertMatch(said[0] ?? "", /at-work\.backup: tables \d\d+, rows \d\d+$/);
      const copy = getIo({ DATA_DIR: join(folder, "copy"), SECRET_KEY: KEY }, said);
      await restoreCommand([file], copy);
      const counts = said.flatMap((it) => /tables (\d+), rows (\d+)/.exec(it)?.slice(1) ?? []);
      assertEquals(counts.slice(2), counts.slice(0, 2), said.join("\n"));
    });
    await product.stop();
    const stopped = await doctor({
      DATA_DIR: root,
      SANDBOX_PA: "off",
      PRIVATE_HOSTS: "127.0.0.1",
    });
    assertEquals(
      ["files", "secrets", "queues", "PA"].map((it) => stopped.of(it)?.state),
      ["ok", "ok", "ok", "ok"],
    );
  },
);
