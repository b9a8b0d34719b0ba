import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attributeRules, codeRules, decimalRules, onceRules, unusedRules } from "./families.ts";
import { contexts, type RulePattern, writtenRules } from "./rule.ts";
import { getDiagnostics, getPattern } from "./schematron.ts";
import { RULES } from "./tables.ts";
import { vatContexts, vatRules } from "./vat.ts";

/**
 * Returns the parts of the EN 16931 set. Each becomes one pattern, so that contexts compete within a part
 * only.
 */
export function parts(): RulePattern[] {
  return [
    {
      name: "document",
      title: "Document, periods and references",
      rules: writtenRules("document"),
    },
    { name: "parties", title: "Parties and places", rules: writtenRules("parties") },
    { name: "payment", title: "Payment", rules: writtenRules("payment") },
    { name: "adjustments", title: "Allowances and charges", rules: writtenRules("adjustments") },
    { name: "lines", title: "Lines", rules: writtenRules("lines") },
    { name: "totals", title: "Totals", rules: writtenRules("totals") },
    {
      name: "vat",
      title: "VAT categories",
      rules: [...writtenRules("vat_document"), ...vatRules()],
    },
    { name: "decimals", title: "Decimals", rules: decimalRules() },
    {
      name: "codes",
      title: "Code lists",
      rules: [...writtenRules("codes_with_conditions"), ...codeRules()],
    },
    { name: "syntax", title: "Use of UBL", rules: writtenRules("syntax") },
    { name: "once", title: "At most once", rules: onceRules() },
    { name: "unused", title: "Elements outside the core invoice", rules: unusedRules() },
    { name: "attributes", title: "Attributes that are not used", rules: attributeRules() },
  ];
}

/** Returns all generated files by path under `xsl/rules`. */
export function build(): Map<string, string> {
  const places = new Map([...contexts(), ...vatContexts()]);
  return new Map(
    parts().flatMap((part) => [
      [`en16931-ubl/rules/${part.name}.sch`, getPattern(part, places)],
      [`en16931-ubl/messages/${part.name}.sch`, getDiagnostics(part)],
    ]),
  );
}

if (import.meta.main) {
  for (const [path, content] of build()) {
    const target = join(RULES, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}
