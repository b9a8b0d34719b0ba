/** Writes the rules and messages of the set: `deno run -R -W xsl/rules/en16931-cii/build/main.ts`. */

import { parts as ublParts } from "../../build/build.ts";
import { readRows, type TsvRow } from "../../build/lists.ts";
import { writeFiles } from "../../build/profile.ts";
import { type Context, literal, type RulePattern, type RuleSource } from "../../build/rule.ts";
import { getDiagnostics, getPattern } from "../../build/schematron.ts";
import { cell, getCodes } from "../../build/tables.ts";
import { vatContexts, vatRules } from "./vat.ts";

const HERE = new URL("../", import.meta.url);

/** Rules on the document's VAT categories come before those on breakdown entries, whose nodes they share. */
const AFTER_FAMILIES = "subtotal";

/** Returns one pattern for each published one: within a pattern, a node takes the first matching context. */
export function parts(): RulePattern[] {
  const model = rows("model").map(modelRule);
  const at = model.findIndex(({ context }) => context === AFTER_FAMILIES);
  const families = vatRules().map(describe);
  return [
    {
      name: "model",
      title: "The invoice",
      rules: [...model.slice(0, at), ...families, ...model.slice(at)],
    },
    { name: "syntax", title: "Use of CII", rules: inPlaceOrder(syntaxRules()) },
    { name: "codes", title: "Code lists", rules: rows("codes").map(codeRule) },
  ];
}

export function places(): Map<string, Context> {
  const found = new Map<string, Context>(vatContexts());
  for (const row of rows("contexts")) {
    const key = cell(row, "context");
    const known = found.get(key);
    const value = cell(row, "value");
    const lets = known === undefined ? [] : [...known.lets, [cell(row, "let"), value] as const];
    found.set(key, { pattern: known?.pattern ?? value, lets });
  }
  return found;
}

export function build(): Map<string, string> {
  const known = places();
  return new Map(
    parts().flatMap((part): [string, string][] => [
      [`rules/${part.name}.sch`, getPattern(part, known)],
      [`messages/${part.name}.sch`, getDiagnostics(part)],
    ]),
  );
}

type Asked = Pick<RuleSource, "id" | "context" | "test"> & Partial<RuleSource>;

/** Returns a rule with the sentence and terms of the same rule on UBL and the paths of CII. */
function describe(rule: Asked): RuleSource {
  const ubl = SAID.get(rule.id);
  if (ubl === undefined) throw new Error(`${rule.id} has no sentence: it is no rule of EN 16931`);
  const { value: _value, expected: _expected, why, ...words } = ubl;
  const reasons = why && { why: { en: inCii(why.en), fr: inCii(why.fr) } };
  return { ...words, ...reasons, ...rule };
}

const SAID: ReadonlyMap<string, RuleSource> = new Map(
  ublParts().flatMap(({ rules }) => rules).map((rule) => [rule.id, rule]),
);

/** CII paths of the figures in explanations. */
const FIGURES: readonly (readonly [ubl: string, cii: string])[] = [
  ["count(cac:TaxSubtotal)", "count($settlement/ram:ApplicableTradeTax)"],
  ["cbc:TaxAmount/xs:decimal(.)", "xs:decimal(.)"],
  ["xs:decimal(cbc:TaxAmount) - $breakdownTax", "xs:decimal(.) - xs:decimal($breakdownTax)"],
  ["€ $breakdownTax", "€ xs:decimal($breakdownTax)"],
  ["€ $sumOfAllowances", "€ xs:decimal($sumOfAllowances)"],
  ["€ $sumOfCharges", "€ xs:decimal($sumOfCharges)"],
  ["- $sumOfAllowances", "- xs:decimal($sumOfAllowances)"],
  ["- $sumOfCharges", "- xs:decimal($sumOfCharges)"],
  ["string(cbc:DocumentCurrencyCode)", "string($currencies[1])"],
  ["cbc:LineExtensionAmount", "ram:LineTotalAmount"],
  ["cbc:AllowanceTotalAmount", "ram:AllowanceTotalAmount"],
  ["cbc:ChargeTotalAmount", "ram:ChargeTotalAmount"],
  ["cbc:TaxExclusiveAmount", "ram:TaxBasisTotalAmount"],
  ["cbc:TaxInclusiveAmount", "ram:GrandTotalAmount"],
  ["cbc:PrepaidAmount", "ram:TotalPrepaidAmount"],
  ["cbc:PayableRoundingAmount", "ram:RoundingAmount"],
  ["cbc:PayableAmount", "ram:DuePayableAmount"],
  ["cbc:TaxableAmount", "ram:BasisAmount"],
];

/** Replaces the UBL paths of a sentence by those of CII. */
export function inCii(sentence: string): string {
  return FIGURES.reduce((text, [ubl, cii]) => text.replaceAll(ubl, cii), sentence);
}

function modelRule(row: TsvRow): RuleSource {
  return describe({
    id: cell(row, "id"),
    flag: cell(row, "flag"),
    context: cell(row, "context"),
    test: withLists(cell(row, "test")),
    ...show(row),
  });
}

function codeRule(row: TsvRow): RuleSource {
  const value = cell(row, "value");
  const en = cell(row, "en");
  return describe({
    id: cell(row, "id"),
    flag: "fatal",
    ...(en === "" ? {} : { en, fr: cell(row, "fr") }),
    context: cell(row, "context"),
    test: `normalize-space(${value}) = ${literal(codes(cell(row, "lists")))}`,
    value: value === "upper-case(.)" ? "." : value,
  });
}

function syntaxRules(): RuleSource[] {
  const terms = new Map(
    rows("contexts").filter((row) => cell(row, "let") === "")
      .map((row) => [cell(row, "context"), cell(row, "terms")]),
  );
  return [
    ...rows("syntax").map((row) => usageRule(row, terms.get(cell(row, "context")) ?? "")),
    ...rows("written").map(writtenRule),
  ];
}

/** Returns a rule on the use of CII from its row: not used, at most once, or exactly once. */
export function usageRule(row: TsvRow, terms: string): RuleSource {
  const path = cell(row, "path");
  const where = terms === "" ? "" : ` (${terms})`;
  const rule = {
    id: cell(row, "id"),
    flag: cell(row, "flag"),
    context: cell(row, "context"),
    terms,
  };
  switch (cell(row, "kind")) {
    case "once":
      return {
        ...rule,
        test: `count(${path}) <= 1`,
        en: `No more than one ${path}${where} is possible here; {count(${path})} are given.`,
        fr: `Pas plus d'un ${path}${where} n'est possible ici ; il y en a {count(${path})}.`,
        value: `(${path})[2][empty(*)]`,
        expected: "'<= 1'",
      };
    case "one":
      return {
        ...rule,
        test: `count(${path}) = 1`,
        en: `Exactly one ${path}${where} is needed here; {count(${path})} are given.`,
        fr: `Il faut ici un ${path}${where} et un seul ; il y en a {count(${path})}.`,
        expected: "'1'",
      };
    default:
      return {
        ...rule,
        test: `empty(${path})`,
        en: `${path}${where} is outside the core invoice of EN 16931: leave it out.`,
        fr:
          `${path}${where} ne fait pas partie de la facture de base EN 16931 : ne pas l'utiliser.`,
      };
  }
}

function writtenRule(row: TsvRow): RuleSource {
  return {
    id: cell(row, "id"),
    flag: cell(row, "flag"),
    context: cell(row, "context"),
    terms: cell(row, "terms"),
    test: cell(row, "test"),
    en: cell(row, "en"),
    fr: cell(row, "fr"),
    ...show(row),
  };
}

function show(row: TsvRow): Pick<RuleSource, "value" | "expected"> {
  const value = cell(row, "value");
  const expected = row["expected"] ?? "";
  return { ...(value === "" ? {} : { value }), ...(expected === "" ? {} : { expected }) };
}

function inPlaceOrder(rules: readonly RuleSource[]): RuleSource[] {
  const order = [...places().keys()];
  return rules.toSorted((a, b) => order.indexOf(a.context) - order.indexOf(b.context));
}

function withLists(xpath: string): string {
  return xpath.replace(/\{list:([^}]+)\}/g, (_, lists: string) => literal(codes(lists)));
}

/**
 * Returns the codes of lists. The published CII lists still contain the Netherlands Antilles (AN) and lack
 * South Sudan (SS).
 */
function codes(lists: string): string[] {
  return lists.split("+").flatMap((list) =>
    list === "country"
      ? [...getCodes("iso-3166-1").filter((code) => code !== "SS"), "AN"]
      : getCodes(list)
  );
}

function rows(name: string): TsvRow[] {
  return readRows(Deno.readTextFileSync(new URL(`tables/${name}.tsv`, HERE)));
}

if (import.meta.main) await writeFiles(HERE, build());
