import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { createLicense } from "#src/adapters/tokens/license.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { licenseCommand } from "#src/cli/license.ts";
import { serviceAdminCommand } from "#src/cli/service_admin.ts";
import { newDataFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

async function startShell() {
  const dataDir = await newDataFolder();
  const { PATH = "", DENO_DIR = "", HOME = "" } = process.env;
  const env = {
    DATA_DIR: dataDir,
    SANDBOX_PA: "off",
    LANG: "en",
    SERVICE_LOG_LEVEL: "ERROR",
    PATH,
    DENO_DIR,
    HOME,
  };
  return {
    dataDir,
    async run(command: typeof licenseCommand, ...args: string[]) {
      const said = { out: [] as string[], err: [] as string[] };
      const code = await command(args, {
        out: (line) => said.out.push(line),
        err: (line) => said.err.push(line),
        env,
      });
      return { code, ...said };
    },
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

longTest(
  "service-admin creates users, grants and revokes, and shows which role gives which permission",
  async () => {
    await using shell = await startShell();
    const admin = (...args: string[]) => shell.run(serviceAdminCommand, ...args);
    const created = await admin("create-user", "Boss", "--role", "admin", "--name", "The Boss");
    assertMatch(created.out[0] ?? "", /^Boss was created; the password, shown once: \S{27}$/);
    assertMatch((await admin("create-user", "alice")).out[0] ?? "", /^alice was created/);
    assertEquals((await admin("grant", "alice", "admin")).out, ["alice: admin"]);
    assertEquals((await admin("show", "alice")).out, [
      "alice    active",
      "roles: admin",
      "*  admin",
    ]);
    assertEquals((await admin("revoke", "alice", "admin")).out, ["alice: no roles"]);
    assertEquals((await admin("roles")).out, ["admin  members: 1: *", "anon  members: 0: nothing"]);
    assertMatch(
      (await admin("set-password", "alice")).out[0] ?? "",
      /^The password of alice was set; /,
    );
    assertMatch(
      (await admin("rotate-keys")).out[0] ?? "",
      /^Tokens are signed with \S+ from now on$/,
    );
    assertEquals(await admin("verify-audit"), { code: 0, out: ["6 entries are whole"], err: [] });
    await assertRejects(
      () => admin("revoke", "boss", "admin"),
      Error,
      "boss is the last active administrator",
    );
    await assertRejects(() => admin("show", "nobody"), Error, "User nobody does not exist");
    await assertRejects(
      () => admin("grant", "alice", "nothing"),
      Error,
      "There is no role nothing",
    );
    await assertRejects(() => admin("dance"), Error, "usage: service-admin");
  },
);

Deno.test("license issue signs licences that the product accepts with the displayed public key", async () => {
  await using shell = await startShell();
  const file = join(shell.dataDir, "vendor.jwk");
  const issue = (...args: string[]) =>
    shell.run(licenseCommand, "issue", "--customer", "Example SAS", "--key", file, ...args);
  const first = await issue(
    "--feature",
    "ai",
    "--feature",
    "jobs",
    "--limit",
    "users=5",
    "--days",
    "10",
  );
  const publicKeys = first.err[1];
  const stateOf = (key: string | undefined) =>
    createLicense({ read: () => Promise.resolve(key), publicKeys, clock: systemClock }).current();
  const state = await stateOf(first.out[0]);
  assertEquals([state.status, state.payload], ["valid", {
    customer: "Example SAS",
    edition: "professional",
    features: ["ai", "jobs"],
    limits: { users: 5 },
  }]);
  const second = await issue("--days=-1");
  assertEquals([second.err, (await stateOf(second.out[0])).status], [[], "expired"]);
  assertMatch(await readFile(file, "utf8"), /"d":/);
  await assertRejects(
    () => issue("--limit", "users=many"),
    Error,
    "--limit users=many is not NAME=NUMBER",
  );
  await assertRejects(() => shell.run(licenseCommand, "issue"), Error, "usage: license issue");
});
