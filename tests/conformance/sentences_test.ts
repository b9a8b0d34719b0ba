import { assertEquals } from "@std/assert";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import type { MessagePart, SchemaModel } from "#src/schematron/model.ts";

for (const set of shippedRuleBook().sets()) {
  const { id, version } = set.manifest;
  Deno.test(`${id} ${version}: a sentence shows the same values in English as in French`, () => {
    const model = set.model();
    const different = getChecks(model).flatMap(({ id, parts, diagnostics }) => {
      const french = diagnostics.map((it) => model.diagnostics.get(it)).find((it) =>
        it?.lang === "fr"
      );
      const said = { rule: id, en: valuesIn(parts), fr: valuesIn(french?.parts ?? []) };
      return said.en === said.fr ? [] : [said];
    });
    assertEquals(different, []);
  });
}

Deno.test("the VAT point date is said to be of UNTDID 2005 in UBL, of 2475 in CII, in both languages", () => {
  for (const set of shippedRuleBook().sets()) {
    const isCii = set.manifest.id.endsWith("-cii");
    const model = set.model();
    for (const { parts } of getChecks(model).filter((it) => it.id === "BR-CL-06")) {
      const french = model.diagnostics.get("BR-CL-06-fr")?.parts ?? [];
      for (const said of [parts, french]) {
        const text = said.map((it) => it.part === "text" ? it.text : "").join("");
        assertEquals([text.includes("UNTDID 2005"), text.includes("2475")], [!isCii, isCii]);
      }
    }
  }
});

function getChecks({ patterns }: SchemaModel) {
  return patterns.flatMap(({ rules }) => rules.flatMap(({ checks }) => checks));
}

/** Returns the XPaths that a sentence shows; French amounts have a comma. */
function valuesIn(parts: readonly MessagePart[]): string {
  const shown = parts.flatMap((it) => it.part === "value" ? [it.select.text] : [])
    .map((it) => it.replace(/^translate\((.*), '\.', ','\)$/, "$1"));
  return [...new Set(shown)].sort().join(" | ");
}
