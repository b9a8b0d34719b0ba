import { assert, assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
const sources = globSync("{src,workers}/**/*.{ts,tsx}", { cwd: ROOT })
  .map((file) => ({ file, text: readFileSync(join(ROOT, file), "utf8") }));

function filesWith(pattern: RegExp): string[] {
  assert(sources.length > 500, "the files were found");
  return sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file).sort();
}

Deno.test("names that stood for anything, and so for nothing, were given up and do not come back", () => {
  const givenUp =
    /\b(?:const|let|function|class|interface|type|readonly) (?:told|beside|strangeness|mustBe|hearWebhook|giveWay|turnstile|Hand|Said|Word|Bench)\b/;
  assertEquals(filesWith(givenUp), []);
});

Deno.test("who acts is one type", () => {
  assertEquals(filesWith(/\bexport (?:interface|type) Actor\b/), ["src/ports/access.ts"]);
});
