import { assert, assertEquals, assertMatch } from "@std/assert";
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { longTest } from "#tests/support/long.ts";
import { startProcess } from "#tests/support/processes.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Tutorials in their order: each continues with the data of the one before. */
const TUTORIALS = ["first-invoice", "first-application", "first-job"];

/** Block of commands of a tutorial. */
interface Step {
  /** Word after `sh`: `start` starts the product, `fails` ends with an error. */
  readonly kind: string;
  readonly script: string;
  /** Output as the page shows it; `…` stands for any text. */
  readonly shown: string | undefined;
}

function getSteps(name: string): Step[] {
  const blocks = /^```sh ?(\w*)\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm;
  return [...read(`docs/tutorials/${name}.md`).matchAll(blocks)].map(
    ([, kind = "", script = "", shown]) => ({ kind, script, shown }),
  );
}

/** Returns the items of the lists that a person does in the console. */
function getConsoleSteps(name: string): string[] {
  const [, text = ""] = /^<!-- console -->\n((?:\d+\. .*\n)+)/m
    .exec(read(`docs/tutorials/${name}.md`)) ?? [];
  return text.split("\n").filter(Boolean);
}

Deno.test("tutorials: each one has commands, and ends with steps in pages that the console has", () => {
  const words = globSync("src/console/pages/pages.ts", { cwd: ROOT }).map(read).join("\n");
  for (const name of TUTORIALS) {
    assert(getSteps(name).length >= 3, `${name} has commands`);
    const steps = getConsoleSteps(name);
    assert(steps.length >= 3, `${name} has steps in the console`);
    const pages = steps.flatMap((it) => [...it.matchAll(/\*\*(.+?)\*\*/g)])
      .map(([, it = ""]) => it);
    assertEquals(pages.filter((it) => !words.includes(`en: "${it}"`)), [], name);
  }
});

longTest({
  name: "tutorials: their commands, typed word by word, show what the pages show",
  fn: async () => {
    const folder = await mkdtemp(join(tmpdir(), "tutorials-"));
    const environment = {
      DATA_DIR: join(folder, "data"),
      XDG_CONFIG_HOME: join(folder, "config"),
      LANG: "en_US.UTF-8",
      AUTH: "on",
    };
    const [start, ...steps] = TUTORIALS.flatMap(getSteps);
    const [, password = ""] =
      /^ADMIN_PASSWORD=(\S+) deno task -q start$/m.exec(start?.script ?? "") ??
        [];
    assert(password, "the first command starts the product");
    try {
      await using product = await startProcess("start", {
        ...environment,
        ADMIN_PASSWORD: password,
      });
      for (const { kind, script, shown } of steps) {
        const typed = script.replaceAll("http://127.0.0.1:8080", product.url)
          .replace(/(?<![\w./])data(?=[/\n])/g, environment.DATA_DIR);
        const { code, output } = await runScript(typed, environment);
        assertEquals(code === 0, kind !== "fails", `${script}\n${output}`);
        const expected = (shown ?? "").replaceAll("http://127.0.0.1:8080", product.url);
        assertMatch(output, getPattern(expected), script);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

/** Runs a block of commands in the folder of the project; the first error ends it. */
function runScript(
  script: string,
  environment: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", script], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...environment, NO_COLOR: "1" },
    });
    let output = "";
    child.stdout.on("data", (chunk) => output += chunk);
    child.stderr.on("data", (chunk) => output += chunk);
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, output }));
  });
}

/** Returns the pattern of an output as a page shows it. */
function getPattern(shown: string): RegExp {
  const lines = shown.trim().split("\n").map((it) =>
    it.split(/ *… */).map((part) => RegExp.escape(part)).join(".*")
  );
  return new RegExp(lines.join("\\s*\\n\\s*"));
}
