import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { type ProductProcess, startProcess } from "#tests/support/processes.ts";

const ROOT = join(import.meta.dirname ?? ".", "../..");

/** Tutorials in their order: each continues with the data of the one before. */
export const TUTORIALS = ["first-invoice", "first-application", "first-job"];

/** Block of commands of a tutorial. */
interface Step {
  /** Word after `sh`: `start` starts the product, `fails` ends with an error. */
  readonly kind: string;
  readonly script: string;
  /** Output as the page shows it; `…` stands for any text. */
  readonly shown: string | undefined;
}

/** Result of the commands of one step. */
export interface TypedStep extends Step {
  readonly code: number | null;
  readonly output: string;
}

export function readTutorial(name: string): string {
  return readFileSync(join(ROOT, `docs/tutorials/${name}.md`), "utf8");
}

export function getSteps(name: string): Step[] {
  const blocks = /^```sh ?(\w*)\n([\s\S]*?)^```$(?:\n+```text\n([\s\S]*?)^```$)?/gm;
  return [...readTutorial(name).matchAll(blocks)].map(
    ([, kind = "", script = "", shown]) => ({ kind, script, shown }),
  );
}

/** Starts the product as the first tutorial does, and types the commands of all tutorials into a shell. */
export async function followTutorials(
  check: (step: TypedStep) => void,
  then: (product: ProductProcess, password: string) => Promise<void> = async () => {},
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "tutorials-"));
  const environment = {
    DATA_DIR: join(folder, "data"),
    XDG_CONFIG_HOME: join(folder, "config"),
    LANG: "en_US.UTF-8",
    AUTH: "on",
  };
  const [start, ...steps] = TUTORIALS.flatMap(getSteps);
  const [, password] = /^ADMIN_PASSWORD=(\S+) deno task -q start$/m.exec(start?.script ?? "") ?? [];
  if (!password) throw new Error("The first command of the tutorials must start the product");
  try {
    await using product = await startProcess("start", { ...environment, ADMIN_PASSWORD: password });
    for (const { script, shown, kind } of steps) {
      const typed = script.replaceAll("http://127.0.0.1:8080", product.url)
        .replace(/(?<![\w./])data(?=[/\n])/g, environment.DATA_DIR);
      const { code, output } = await runScript(typed, environment);
      check({
        kind,
        script,
        shown: shown?.replaceAll("http://127.0.0.1:8080", product.url),
        code,
        output,
      });
    }
    await then(product, password);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

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
