import { assert, assertEquals } from "@std/assert";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname ?? ".", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = read("README.md");
const tasks = Object.keys((JSON.parse(read("deno.json")) as { tasks: object }).tasks);

/** What is made when the product runs, and names that are no file here. */
const NO_FILES = /^(data|path|name)\//;

Deno.test("README: its layout names every folder of the project and of src, and files that are there", () => {
  const [, layout = ""] = /## The layout\n+```\n([\s\S]*?)```/.exec(readme) ?? [];
  const folders = [
    ...readdirSync(join(ROOT, "src"), { withFileTypes: true }).map((it) => ({ in: "src/", it })),
    ...readdirSync(ROOT, { withFileTypes: true }).map((it) => ({ in: "", it })),
  ].filter(({ it }) => it.isDirectory() && !/^(\.|src$|node_modules$|data$)/.test(it.name));
  assert(folders.length > 20, "the folders were found");
  const named = ({ in: above, it }: (typeof folders)[number]) => `${above}${it.name}/`;
  assertEquals(folders.map(named).filter((it) => !layout.includes(it)), []);
  const files = [...layout.matchAll(/\b(?:src|workers)\/[\w/]+\.ts\b/g)].map(([it]) => it);
  assertEquals(files.filter((it) => !existsSync(join(ROOT, it))), []);
});

Deno.test("README: the files, folders and tasks it names are there", () => {
  const paths = [...readme.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, it = ""]) => it)
    .filter((it) => !NO_FILES.test(it));
  assert(paths.length > 20, "the paths were found");
  const missing = paths.filter((it) =>
    ![it, `src/${it}`].some((path) => existsSync(join(ROOT, path)))
  );
  assertEquals(missing, []);
  const started = [...readme.matchAll(/deno(?:@[\d.]+)? task (?:-q )?([\w-]+)/g)]
    .map(([, it = ""]) => it);
  assertEquals(started.filter((it) => !tasks.includes(it)), []);
});

/** Of other projects, and of the tests that kill the product. */
const OTHERS = /^(OTEL_|XDG_)|^CRASH_AT$/;

Deno.test("README: every variable the product reads is in the table, or its family is", () => {
  const files = globSync("src/config/*.ts", { cwd: ROOT });
  const config = files.filter((it) => !it.endsWith("sandbox_pa.ts")).map(read).join("\n");
  const variables = new Set(
    [...config.matchAll(/^ {2}([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+):/gm)].map(([, it = ""]) => it),
  );
  assert(variables.size > 40, "the variables were found");
  const [, table = ""] = /## Configuration\n([\s\S]*?)\nWhat the product talks to/.exec(readme) ??
    [];
  const families = [...table.matchAll(/`([A-Z]+_)\*`/g)].map(([, it = ""]) => it);
  const untold = [...variables].filter((it) =>
    !table.includes(`\`${it}\``) && !table.includes(`\`${it}=`) &&
    !families.some((family) => it.startsWith(family)) && !OTHERS.test(it)
  );
  assertEquals(untold, []);
});
