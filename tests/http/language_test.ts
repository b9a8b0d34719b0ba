import { assertEquals } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FRENCH } from "#src/kernel/sentences/french.ts";
import { said, say } from "#src/kernel/sentences/sentence.ts";
import { startProduct } from "#tests/support/product.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

Deno.test("X-Service-Lang chooses the language of errors", async () => {
  await using product = await startProduct();
  const ask = async (language: string) =>
    (await product.get("/api/templates/nowhere", { "x-service-lang": language })).body.error;
  assertEquals(await ask("fr"), "Template nowhere n'existe pas");
  assertEquals(await ask("en"), "Template nowhere does not exist");
});

Deno.test("a sentence keeps its values in every language, sentences inside sentences too", () => {
  const inner = say`The worker stops`;
  const sentence = say`Flow ${"F-1"} stays in quarantine: ${inner}`;
  assertEquals(said(sentence), "Flow F-1 stays in quarantine: The worker stops");
  assertEquals(
    said(sentence, FRENCH),
    "Le flux F-1 reste en quarantaine : Le processus de travail s'arrête",
  );
});

Deno.test("every sentence of the sources has its French, with the same values, and none is left over", () => {
  const keys = new Set(
    globSync("src/**/*.ts", { cwd: ROOT }).flatMap((file) =>
      keysOf(readFileSync(join(ROOT, file), "utf8"))
    ),
  );
  assertEquals([...keys].filter((key) => FRENCH[key] === undefined).sort(), []);
  assertEquals(Object.keys(FRENCH).filter((key) => !keys.has(key)), []);
  const values = (text: string) => (text.match(/\{\d+\}/g) ?? []).toSorted().join();
  const lost = Object.entries(FRENCH).filter(([key, text]) => values(key) !== values(text));
  assertEquals(lost, []);
});

/** The keys of the tagged templates in a source, as `say` makes them. */
function keysOf(source: string): string[] {
  const text = source.replace(/\/\*\*[\s\S]*?\*\//g, "");
  return [...text.matchAll(/\bsay`/g)].map(({ index }) => keyAt(text, index + "say`".length));
}

function keyAt(text: string, start: number): string {
  let key = "";
  let values = 0;
  for (let at = start; text[at] !== "`"; at++) {
    if (text.startsWith("${", at)) {
      at = endOfValue(text, at + 2);
      key += `{${++values}}`;
    } else if (text[at] === "\\") key += text[++at];
    else key += text[at];
  }
  return key;
}

function endOfValue(text: string, start: number): number {
  let depth = 1;
  let at = start;
  for (; depth > 0; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}") depth--;
  }
  return at - 1;
}
