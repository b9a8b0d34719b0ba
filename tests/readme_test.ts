import { assert, assertEquals } from "@std/assert";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { COMMANDS } from "#src/cli/commands.ts";
import { Environment } from "#src/config/variables.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const readme = read("README.md");
const tasks = Object.keys((JSON.parse(read("deno.json")) as { tasks: object }).tasks);
const PAGES = globSync(["*.md", "docs/**/*.md", "{bench,drizzle,src,xsl}/**/*.md"], {
  cwd: ROOT,
}).toSorted();

/** Pages of a kind, whose text names files and tasks of the repository. */
const PLAIN = PAGES.filter((it) =>
  /^(\w+\.md|docs\/(index\.md|adr|explanation|guide|how-to|reference|tutorials))/.test(it)
);

/** Paths that exist only at run time, and names that are no files here. */
const NO_FILES =
  /^(data|\.passerelle|path|name|french|cen|i18n|text|transform|rules|xsd)\/|^\.\.\//;

Deno.test("README: it is a door of at most 120 lines and 7 kB", () => {
  assert(readme.split("\n").length <= 121, "at most 120 lines");
  assert(new TextEncoder().encode(readme).length <= 7000, "at most 7 kB");
});

Deno.test("architecture: its layout names every folder of the project and of src, and files that are there", () => {
  const [, layout = ""] =
    /## Layout\n+```\n([\s\S]*?)```/.exec(read("docs/explanation/architecture.md")) ?? [];
  const folders = [
    ...readdirSync(join(ROOT, "src"), { withFileTypes: true }).map((it) => ({ in: "src/", it })),
    ...readdirSync(ROOT, { withFileTypes: true }).map((it) => ({ in: "", it })),
  ].filter(({ it }) => it.isDirectory() && !/^(\.|src$|node_modules$|data$)/.test(it.name));
  assert(folders.length > 20, "the folders were found");
  const name = ({ in: above, it }: (typeof folders)[number]) => `${above}${it.name}/`;
  assertEquals(folders.map(name).filter((it) => !layout.includes(it)), []);
  const files = [...layout.matchAll(/\b(?:src|workers)\/[\w/]+\.ts\b/g)].map(([it]) => it);
  assertEquals(files.filter((it) => !existsSync(join(ROOT, it))), []);
});

Deno.test("documents: the files, folders and tasks they name are there", () => {
  const text = PLAIN.map(read).join("\n");
  const paths = [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g)].map(([, it = ""]) => it)
    .filter((it) => !NO_FILES.test(it));
  assert(paths.length > 20, "the paths were found");
  const missing = paths.filter((it) =>
    ![it, `src/${it}`, `tests/${it}`].some((path) => existsSync(join(ROOT, path)))
  );
  assertEquals(missing, []);
  const started = [...text.matchAll(/deno(?:@[\d.]+)? task (?:-q )?([\w:-]+)/g)]
    .map(([, it = ""]) => it);
  assert(started.length > 20, "the tasks were found");
  assertEquals(started.filter((it) => !tasks.includes(it)), []);
});

/** Returns the anchors of a page's headings, as GitHub makes them. */
function getAnchors(page: string): string[] {
  return [...page.matchAll(/^#+ (.*)$/gm)].map(([, it = ""]) =>
    it.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
  );
}

Deno.test("documents: every relative link leads to a file, and to a heading in it", () => {
  const links = PAGES.flatMap((page) =>
    [...read(page).replace(/```[^]*?```|`[^`\n]*`/g, "").matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, to = ""]) => ({ page, to }))
  ).filter(({ to }) => !/^[a-z]+:/.test(to));
  assert(links.length > 40, "the links were found");
  const broken = links.filter(({ page, to }) => {
    const [path = "", anchor] = to.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !getAnchors(read(target)).includes(anchor);
  });
  assertEquals(broken, []);
});

Deno.test("index: every document is listed", () => {
  const index = read("docs/index.md");
  const pages = globSync("docs/**/*.md", { cwd: ROOT }).map((it) => it.replace(/^docs\//, ""));
  assertEquals(pages.filter((it) => it !== "index.md" && !index.includes(`(${it})`)), []);
});

Deno.test("decision records: each has context, options, decision and consequence, in few lines", () => {
  const records = globSync("docs/adr/*.md", { cwd: ROOT }).toSorted();
  assert(records.length > 20, "the records were found");
  for (const [at, path] of records.entries()) {
    const text = read(path);
    const [title = "", ...parts] = [...text.matchAll(/^#+ (.*)$/gm)].map(([, it = ""]) => it);
    assert(title.startsWith(`${at + 1}. `), path);
    assertEquals(parts, ["Context", "Options", "Decision", "Consequence"], path);
    assert(text.split("\n").length <= 26, path);
  }
});

Deno.test("configuration: every variable is in the table, but that of the tests which kill the product", () => {
  const variables = Object.keys(Environment.shape);
  assert(variables.length > 60, "the variables were found");
  const table = read("docs/reference/configuration.md");
  assertEquals(variables.filter((it) => !table.includes(`| \`${it}\` |`)), ["CRASH_AT"]);
  const described = [...table.matchAll(/^\| `[A-Z_]+` \|.*\| ([A-Z`0-9].*\.) \|$/gm)];
  assert(described.length >= variables.length - 1, "each has a sentence");
});

Deno.test("commands: each command has its part, with a usage that begins with its name", () => {
  const page = read("docs/reference/commands.md");
  const names = Object.keys(COMMANDS);
  assert(names.length > 20, "the commands were found");
  const usage = (it: string) => new RegExp(`\n### ${it}\n\n.+\\.\n\n\`\`\`text\n${it}\\b`);
  assertEquals(names.filter((it) => !usage(it).test(page)), []);
});
