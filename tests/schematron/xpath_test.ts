import { assertEquals } from "@std/assert";
import { evaluate } from "./support.ts";
import { DOCUMENT, EXPRESSIONS, TYPES } from "./xpath_table.ts";

for (const [group, expressions] of Object.entries({ ...EXPRESSIONS, ...TYPES })) {
  Deno.test(`XPath: ${group}`, async (test) => {
    for (const [expression, expected] of Object.entries(expressions)) {
      await test.step(expression, () => assertEquals(evaluate(expression, DOCUMENT), expected));
    }
  });
}
