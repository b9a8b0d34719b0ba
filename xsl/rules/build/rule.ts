import { cell, getCodes, table, type TsvRow } from "./tables.ts";

/** Assertion with its texts. Sentences are templates: see `schematron.ts`. */
export interface RuleSource {
  readonly id: string;
  readonly flag: string;
  /** Key of a context in `contexts.tsv`, or an XSLT pattern. */
  readonly context: string;
  /** Business terms, space-separated. */
  readonly terms: string;
  readonly test: string;
  readonly en: string;
  readonly fr: string;
  /** XPaths of the offending and of the expected value. */
  readonly value?: string;
  readonly expected?: string;
  /** Explanation of the figures. */
  readonly why?: { readonly en: string; readonly fr: string };
}

export interface Context {
  readonly pattern: string;
  /** Values computed once per node, in order: `[name, XPath]`. */
  readonly lets: readonly (readonly [string, string])[];
}

/** Rules of one pattern, in the order in which their contexts are tried. */
export interface RulePattern {
  readonly name: string;
  readonly title: string;
  readonly rules: readonly RuleSource[];
  readonly contexts?: ReadonlyMap<string, Context>;
}

const WORDS: Readonly<Record<string, string>> = {
  VAT: "cac:TaxScheme/cbc:ID/upper-case(normalize-space(.)) = 'VAT'",
  ALLOWANCE: "cbc:ChargeIndicator/normalize-space(.) = ('false', '0')",
  CHARGE: "cbc:ChargeIndicator/normalize-space(.) = ('true', '1')",
};

/** Replaces `{VAT}`, `{ALLOWANCE}`, `{CHARGE}` and `{list:name+name}` in an XPath. */
export function expand(xpath: string): string {
  return xpath
    .replace(/\{([A-Z]+)\}/g, (whole, word: string) => WORDS[word] ?? whole)
    .replace(/\{list:([^}]+)\}/g, (_, lists: string) => literal(getCodes(lists)));
}

export function literal(codes: readonly string[]): string {
  return `(${codes.map((code) => `'${code}'`).join(", ")})`;
}

export function contexts(): Map<string, Context> {
  const found = new Map<string, Context>();
  for (const row of table("contexts")) {
    const key = cell(row, "context");
    const value = expand(cell(row, "value"));
    const known = found.get(key);
    found.set(
      key,
      known === undefined
        ? { pattern: value, lets: [] }
        : { ...known, lets: [...known.lets, [cell(row, "let"), value]] },
    );
  }
  return found;
}

/** Returns the rules of a table that lists them one by one, with explanations for arithmetic ones. */
export function writtenRules(name: string): RuleSource[] {
  const reasons = new Map(table("explanations").map((row) => [cell(row, "id"), row]));
  return table(name).map((row) => write(row, reasons.get(cell(row, "id"))));
}

function write(row: TsvRow, reason: TsvRow | undefined): RuleSource {
  const value = cell(row, "value");
  const expected = cell(row, "expected");
  return {
    id: cell(row, "id"),
    flag: cell(row, "flag"),
    context: cell(row, "context"),
    terms: cell(row, "terms"),
    test: expand(cell(row, "test")),
    en: cell(row, "en"),
    fr: cell(row, "fr"),
    ...(value === "" ? {} : { value: expand(value) }),
    ...(expected === "" ? {} : { expected: expand(expected) }),
    ...(reason === undefined ? {} : { why: { en: cell(reason, "en"), fr: cell(reason, "fr") } }),
  };
}
