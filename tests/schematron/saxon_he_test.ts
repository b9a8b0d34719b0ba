import { assertEquals } from "@std/assert";
import { evaluateAll, saxonTest } from "#tests/support/saxon_he.ts";
import { randomExpressions } from "./random_xpath.ts";
import { evaluate } from "./support.ts";
import { DOCUMENT, EXPRESSIONS, TYPES } from "./xpath_table.ts";

const RANDOM = 600;
/** Any seed works, but it must be constant to reproduce differences. */
const SEED = 20260901;

saxonTest("expressions of the tables and random ones give what Saxon-HE gives", async (saxon) => {
  const expected = Object.assign({}, ...Object.values({ ...EXPRESSIONS, ...TYPES }));
  const listed = Object.keys(expected);
  const random = randomExpressions(RANDOM, SEED);
  const found = await evaluateAll(saxon, [...listed, ...random], DOCUMENT);
  const said = listed.map((it, at) => [it, plain(found[at]?.text ?? "")]);
  assertEquals(Object.fromEntries(said), expected);
  const different = random.flatMap((expression, at) => {
    const reference = found[listed.length + at];
    // A static type error may concern an expression that is never evaluated.
    if (reference === undefined || reference.isStatic) return [];
    const ours = plain(evaluate(expression, DOCUMENT));
    const wanted = plain(reference.text);
    return ours === wanted ? [] : [`${expression} is ${wanted}, not ${ours}`];
  });
  assertEquals(different, []);
});

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
