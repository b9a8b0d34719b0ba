import { assert, assertEquals, assertMatch } from "@std/assert";
import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { runCommandLine } from "#src/cli/command_line.ts";
import { COMMANDS } from "#src/cli/commands.ts";
import { chooseLanguage } from "#src/cli/io.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
const NOWHERE = { DATA_DIR: "/nowhere/at/all" };

/** Runs a command as its process does. */
async function cli(args: readonly string[], locale: Record<string, string> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(args, {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    env: { ...NOWHERE, ...locale },
  });
  return { code, stdout: out.join("\n"), stderr: err.join("\n") };
}

async function started(args: readonly string[], locale: Record<string, string>) {
  const { PATH = "", DENO_DIR = "", HOME = "" } = process.env;
  const env = { PATH, DENO_DIR, HOME, ...NOWHERE, ...locale };
  const run = ["run", "--no-check", "-A", "src/cli.ts", ...args];
  return await promisify(execFile)(Deno.execPath(), run, { cwd: ROOT, env })
    .then(({ stdout, stderr }) => ({ code: 0, stdout, stderr }))
    .catch(({ code, stdout, stderr }) => ({ code, stdout, stderr }));
}

Deno.test("a command's process has the output and exit code of its code", async () => {
  for (const args of [["help"], ["run", "--help"], ["dance"], ["--lang", "en", "run", "--dance"]]) {
    const { code, stdout, stderr } = await cli(args, { LANG: "fr_FR" });
    const line = (text: string) => text && `${text}\n`;
    assertEquals(await started(args, { LANG: "fr_FR" }), {
      code,
      stdout: line(stdout),
      stderr: line(stderr),
    });
  }
});

Deno.test("--help shows the usage of every command, and does nothing", async (t) => {
  for (const [name, { written, example }] of Object.entries(COMMANDS)) {
    await t.step(name, async () => {
      const { code, stdout, stderr } = await cli([name, "--help"], { LANG: "en_US.UTF-8" });
      assertEquals([code, stderr], [0, ""]);
      assertEquals(stdout.split("\n")[0], `usage: ${written}`);
      assert(example.split(" ")[0] === name, "the example calls the command");
      assertEquals(stdout.split("\n").at(-1), `  deno task -q cli ${example}`);
    });
  }
});

Deno.test("help lists every command; an unknown one is reported", async () => {
  const { stdout } = await cli(["help"], { LANG: "en" });
  for (const { written } of Object.values(COMMANDS)) assert(stdout.includes(written), written);
  const { code, stderr } = await cli(["dance"], { LANG: "en" });
  assertEquals(code, 2);
  assertMatch(stderr, /^There is no command dance\. Commands:/);
});

Deno.test("a command speaks one language: --lang, then the locale, then French", async () => {
  const wrong = ["run", "--dance"];
  const french = await cli(wrong, { LANG: "C.UTF-8" });
  assertMatch(french.stderr, /usage : run --template/);
  assertMatch((await cli(wrong, { LANG: "en_US" })).stderr, /usage: run --template/);
  assertMatch((await cli(["--lang", "en", ...wrong], { LANG: "fr_FR" })).stderr, /usage: run/);
  assertMatch((await cli([...wrong, "--lang=fr"], { LANG: "en_US" })).stderr, /usage : run/);
  const describe = async (...args: string[]) =>
    (await cli(args, { LANG: "fr_FR" })).stderr.split("\n")[0];
  assertEquals(
    [
      await describe("run", "--dance"),
      await describe("run", "--tempate=R42565"),
      await describe("run", "--file"),
      await describe("run", "--json=yes"),
      await describe("run", "a.xml"),
      await describe("service-admin"),
    ],
    [
      "L'option --dance n'existe pas",
      "L'option --tempate n'existe pas ; vouliez-vous dire --template ?",
      "--file demande une valeur",
      "--json ne prend pas de valeur",
      "a.xml est un argument de trop",
      "usage : service-admin",
    ],
  );
  assertMatch((await cli(["service-admin"], { LANG: "fr_FR" })).stderr, /rôles, leurs membres/);
  assertEquals(chooseLanguage({ env: { LC_ALL: "", LC_MESSAGES: "en_GB", LANG: "fr_FR" } }), "en");
  assertEquals(chooseLanguage({ env: { LANG: "english" } }), "fr");
});
