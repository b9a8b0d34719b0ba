import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { remoteAdmin } from "#src/cli/admin_client.ts";
import { callProduct } from "#src/cli/call_product.ts";
import type { Io } from "#src/cli/io.ts";
import { loginCommand, logoutCommand } from "#src/cli/sign_in.ts";
import { AppError } from "#src/kernel/errors.ts";
import { ADMIN_PASSWORD, startAccess } from "#tests/support/access.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

/** Starts a product with sign-in on a real port, and the configuration folder of a user of the command line. */
async function startProduct() {
  const it = await startAccess();
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request, info) => {
    const { hostname } = info.remoteAddr as Deno.NetAddr;
    return it.app.fetch(request, { incoming: { socket: { remoteAddress: hostname } } });
  });
  const home = await mkdtemp(join(tmpdir(), "passerelle-home-"));
  const { PATH = "", DENO_DIR = "", HOME = "" } = process.env;
  const env = { LANG: "en_GB.UTF-8", XDG_CONFIG_HOME: home, DATA_DIR: home, PATH, DENO_DIR, HOME };
  const out: string[] = [];
  const io: Io = { out: (line) => void out.push(line), err: (line) => void out.push(line), env };
  return {
    it,
    io,
    env,
    out,
    url: `http://127.0.0.1:${server.addr.port}`,
    file: join(home, "passerelle", "sessions.json"),
    /** Runs the command in its own process, with the password on its standard input. */
    async cli(args: readonly string[], input = "") {
      const child = spawn(Deno.execPath(), ["run", "--no-check", "-A", "src/cli.ts", ...args], {
        cwd: ROOT,
        env,
      });
      const said = { out: "", err: "" };
      child.stdout.on("data", (chunk) => said.out += chunk);
      child.stderr.on("data", (chunk) => said.err += chunk);
      child.stdin.end(input);
      const code = await new Promise<number>((resolve) => child.on("close", resolve));
      return { code, ...said };
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await it[Symbol.asyncDispose]();
      await rm(home, { recursive: true });
    },
  };
}

Deno.test("login stores a session that every later call uses and renews, until logout", async (t) => {
  await using shell = await startProduct();
  const { io, url, file } = shell;
  const me = () => callProduct<{ username: string }>(io, `${url}/auth/me`);

  await t.step("before, the refusal says both ways", async () => {
    const error = await assertRejects(me, AppError);
    assertEquals(
      error.message,
      `A bearer token is needed: sign in with "login ${url}", or set PASSERELLE_TOKEN to an access token`,
    );
    assertMatch(error.messageFr, /ouvrez une session avec « login /);
  });
  await t.step("the password comes from standard input, and stays nowhere", async () => {
    const wrong = await shell.cli(["login", url, "--user", "admin", "--stdin"], "wrong");
    assertEquals(wrong.code, 2);
    assertMatch(wrong.err, /The username or the password is wrong/);
    const done = await shell.cli(
      ["login", url, "--user", "admin", "--stdin"],
      `${ADMIN_PASSWORD}\n`,
    );
    assertEquals([done.code, done.out], [0, `Signed in at ${url} as admin\n`]);
    assertEquals((await stat(file)).mode & 0o777, 0o600);
    assert(!(await readFile(file, "utf8")).includes(ADMIN_PASSWORD));
  });
  await t.step("later commands run as that user", async () => {
    assertEquals((await me()).username, "admin");
    assertEquals((await remoteAdmin(url, io).roles()).map((it) => it.name), ["admin", "anon"]);
  });
  await t.step("PASSERELLE_TOKEN comes first", async () => {
    const other = { ...io, env: { ...io.env, PASSERELLE_TOKEN: "a.b.c" } };
    await assertRejects(() => callProduct(other, `${url}/auth/me`), AppError, "not valid");
  });
  await t.step("a token that ends is renewed, once", async () => {
    const kept = JSON.parse(await readFile(file, "utf8"));
    kept[url].endsAt = 0;
    await writeFile(file, JSON.stringify(kept));
    assertEquals((await me()).username, "admin");
    const renewed = JSON.parse(await readFile(file, "utf8"));
    assert(renewed[url].refreshToken !== kept[url].refreshToken);
    assertEquals((await stat(file)).mode & 0o777, 0o600);
  });
  await t.step("logout ends the session there and here", async () => {
    const { accessToken } = JSON.parse(await readFile(file, "utf8"))[url];
    assertEquals(await logoutCommand([url], io), 0);
    assertEquals(JSON.parse(await readFile(file, "utf8")), {});
    const again = { ...io, env: { ...io.env, PASSERELLE_TOKEN: accessToken } };
    await assertRejects(() => callProduct(again, `${url}/auth/me`), AppError, "not valid");
    assertEquals(await logoutCommand([url], io), 1);
  });
});

Deno.test("a password goes to no other machine in the clear, and a token to no other product", async () => {
  await using shell = await startProduct();
  const { io } = shell;
  for (
    const address of [
      "http://passerelle.example",
      "ftp://x",
      "nothing",
      "http://localhost.evil.example",
    ]
  ) {
    await assertRejects(() => loginCommand([address, "--user", "x"], io), AppError, "https://");
  }
});
