import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname ?? ".", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
/** The console and repository viewers load pictures at once. */
const MAX_PICTURE_BYTES = 120 * 1024;
const PATHS = [...read("src/console/pages/pages.ts").matchAll(/^ {4}path: "\/(\w*)",$/gm)]
  .map(([, it = ""]) => it || "home").toSorted();

Deno.test("user guide: each page of the console has its page in both languages, with the same parts", () => {
  assert(PATHS.length > 10, "the pages were found");
  for (const language of ["en", "fr"]) {
    const pages = globSync(`docs/guide/${language}/*.md`, { cwd: ROOT })
      .map((it) => it.replace(/^.*\/(.*)\.md$/, "$1")).toSorted();
    assertEquals(pages, PATHS, language);
  }
  const partsOf = (language: string, page: string) =>
    read(`docs/guide/${language}/${page}.md`).split("\n")
      .map((it) => /^(#+|\d+\.|\|)/.exec(it)?.[1]).filter(Boolean);
  for (const page of PATHS) assertEquals(partsOf("fr", page), partsOf("en", page), page);
});

Deno.test("user guide: the words in bold are words of the console", () => {
  const source = [
    ...globSync("src/console/**/*.{ts,tsx}", { cwd: ROOT }),
    "src/domain/invoice/status_catalogue.ts",
  ].map(read).join("\n");
  // A word with a count is a template: `Findings (${count})`.
  const words = new Set(
    [...source.matchAll(/"((?:[^"\\\n]|\\.)+)"|`([^`$\n]+) \(\$\{\w+\}\)`/g)]
      .map(([, it, counted]) => it ?? counted),
  );
  const unknown = globSync("docs/guide/*/*.md", { cwd: ROOT }).flatMap((path) => {
    const bold = [...read(path).matchAll(/\*\*([^*\n]+)\*\*/g)].map(([, it = ""]) => it);
    assert(bold.length > 2, `${path} names words of the console`);
    return bold.filter((it) => !words.has(it)).map((it) => `${path}: ${it}`);
  });
  assertEquals(unknown, []);
});

Deno.test("user guide: each picture of a page exists in its language, is small, and is used", () => {
  const namesIn = (language: string) => {
    const used = globSync(`docs/guide/${language}/*.md`, { cwd: ROOT }).flatMap((path) =>
      [...read(path).matchAll(/!\[([^\]]+)\]\(([^)]+)\)/g)]
        .map(([, alt = "", to = ""]) => ({ path, alt, to }))
    );
    assert(used.every(({ alt }) => alt.length > 10), "each has a text for readers who cannot see");
    const files = globSync(`docs/guide/${language}/pictures/*`, { cwd: ROOT });
    for (const file of files) assert(statSync(join(ROOT, file)).size <= MAX_PICTURE_BYTES, file);
    const names = used.map(({ to }) => to).toSorted();
    assertEquals(files.map((it) => it.replace(/^.*(pictures\/)/, "$1")).toSorted(), names);
    return names;
  };
  const names = namesIn("en");
  assert(names.length >= 6, "the pictures were found");
  assertEquals(namesIn("fr"), names);
});
