import { assert, assertEquals, assertMatch } from "@std/assert";
import { readdir, readFile, rm } from "node:fs/promises";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import "#tests/support/english.ts";
import process from "node:process";
import { ConfigError, loadConfig } from "#src/config/config.ts";
import { newDataFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

const MAIN = new URL("../../src/main.ts", import.meta.url).pathname;
const { PATH = "", DENO_DIR = "", HOME = "" } = process.env;

function getCommand(dataDir: string, environment: Record<string, string>): Deno.CommandOptions {
  return {
    args: ["run", "--no-check", "--no-prompt", "-A", MAIN, "start"],
    env: {
      PATH,
      HOME,
      ...DENO_DIR && { DENO_DIR },
      DATA_DIR: dataDir,
      PORT: "0",
      SANDBOX_PA: "off",
      POLL_SECONDS: "0",
      AUTH: "on",
      LANG: "en_GB.UTF-8",
      ...environment,
    },
    clearEnv: true,
    stdout: "piped",
  };
}

/** Runs a start that ends by itself. */
async function run(dataDir: string, environment: Record<string, string>) {
  return await new Deno.Command(Deno.execPath(), {
    ...getCommand(dataDir, environment),
    stderr: "piped",
  }).output();
}

/** Starts the product as its own process and waits until it listens; `text` is its output. */
async function start(dataDir: string, environment: Record<string, string> = {}) {
  const child = new Deno.Command(Deno.execPath(), {
    ...getCommand(dataDir, environment),
    stderr: "inherit",
  }).spawn();
  let text = "";
  const said = (async () => {
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) text += part;
  })();
  const status = child.status;
  let ended = false;
  status.then(() => ended = true);
  while (!/Data folder: .*\n/.test(text) || !text.includes("worker.started")) {
    if (ended) throw new Error(`It ended before it listened: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    text,
    url: /listens on (\S+)/.exec(text)?.[1] ?? "",
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await status;
      await said;
    },
  };
}

function login(url: string, password: string) {
  return fetch(`${url}/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ username: "admin", password }),
  });
}

Deno.test("the first start creates admin and shows a password once; keys and users outlive a restart", async () => {
  const dataDir = await newDataFolder();
  let password = "";
  let token = "";
  {
    await using product = await start(dataDir);
    password = /sign in as admin with the password ([^\s"]+)/.exec(product.text)?.[1] ?? "";
    for (const line of product.text.trim().split("\n")) assert(JSON.parse(line).event, line);
    assertMatch(password, /^[A-Za-z2-9]{6}(-[A-Za-z2-9]{6}){3}$/);
    const answer = await login(product.url, password);
    assertEquals(answer.status, 200);
    token = (await answer.json()).access_token;
    const anonymous = await fetch(`${product.url}/api/invoices`);
    assertEquals([anonymous.status, await anonymous.json()], [401, {
      success: false,
      error: "A bearer token is needed",
    }]);
  }
  {
    await using product = await start(dataDir);
    assert(!product.text.includes("First start"), product.text);
    const me = await fetch(`${product.url}/auth/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    assertEquals([me.status, (await me.json()).username], [200, "admin"]);
    const doubled = await fetch(`${product.url}/auth/me`, {
      headers: [["authorization", `Bearer ${token}`], ["authorization", `Bearer ${token}`]],
    });
    assertEquals(doubled.status, 401);
    await doubled.body?.cancel();
  }
  assert(!await anywhere(dataDir, password), "the password is stored nowhere");
  await rm(dataDir, { recursive: true, force: true });
});

longTest(
  "a first start that cannot listen has shown the password of the user it made",
  async () => {
    const dataDir = await newDataFolder();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { code, stdout } = await run(dataDir, {
      PORT: String((taken.address() as AddressInfo).port),
      LANG: "fr_FR.UTF-8",
    });
    taken.close();
    assertEquals(code, 1);
    const said = new TextDecoder().decode(stdout);
    const password = /en tant que admin avec le mot de passe ([^\s"]+)/.exec(said)?.[1] ?? said;
    await using product = await start(dataDir);
    const answer = await login(product.url, password);
    assertEquals(answer.status, 200);
    await answer.body?.cancel();
    await rm(dataDir, { recursive: true, force: true });
  },
);

longTest(
  "ADMIN_PASSWORD is used for the first user and never shown; a weak one is refused",
  async () => {
    const dataDir = await newDataFolder();
    {
      await using product = await start(dataDir, { ADMIN_PASSWORD: "given by the operator" });
      assert(!/First start|given by/.test(product.text), product.text);
      const answer = await login(product.url, "given by the operator");
      assertEquals(answer.status, 200);
      await answer.body?.cancel();
    }
    const weak = await newDataFolder();
    const { code, stderr } = await run(weak, { ADMIN_PASSWORD: "admin", LANG: "en" });
    assertEquals(code, 1);
    assertMatch(new TextDecoder().decode(stderr), /ADMIN_PASSWORD: The password has 5 characters/);
    await Promise.all([dataDir, weak].map((it) => rm(it, { recursive: true, force: true })));
  },
);

Deno.test("without authentication the product refuses to listen beyond this machine", () => {
  const problems = (env: Record<string, string>) => {
    try {
      loadConfig(env);
      return [];
    } catch (error) {
      return error instanceof ConfigError ? error.problems.map(String) : [String(error)];
    }
  };
  assertMatch(problems({ AUTH: "off", HOST: "0.0.0.0" })[0] ?? "", /HOST=0\.0\.0\.0 needs AUTH=on/);
  assertEquals(problems({ AUTH: "off", HOST: "127.0.0.1" }), []);
  assertEquals(problems({ AUTH: "on", HOST: "0.0.0.0" }), []);
  assertEquals(problems({ OIDC_ISSUER: "https://idp.example" }).length, 2);
  assertEquals(problems({ PASSWORD_MIN_LENGTH: "4", AUTH: "perhaps" }).length, 2);
});

/** Returns true if a file of the folder contains the text. */
async function anywhere(folder: string, text: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((it) => it.isFile())) {
    if ((await readFile(join(entry.parentPath, entry.name))).includes(text)) return true;
  }
  return false;
}
