import { cell, getCodes, table, type TsvRow } from "./tables.ts";
import { expand, literal, type RuleSource } from "./rule.ts";

/** Returns the rules "at most once" (UBL-SR). */
export function onceRules(): RuleSource[] {
  return table("once").map((row) => {
    const path = cell(row, "path");
    return {
      id: cell(row, "id"),
      flag: "fatal",
      context: cell(row, "context"),
      terms: cell(row, "terms"),
      test: `count(${path}) <= 1`,
      en: `No more than one ${cell(row, "en")} (${
        cell(row, "terms")
      }) is possible here; {count(${path})} are given.`,
      fr: `Pas plus d'un élément « ${cell(row, "fr")} » (${
        cell(row, "terms")
      }) n'est possible ici ; il y en a {count(${path})}.`,
      value: `(${path})[2][not(. instance of element()) or empty(*)]`, // a group contains no text
      expected: "'<= 1'",
    };
  });
}

/**
 * Returns the rules on two decimals at most (BR-DEC, UBL-DT-01). They test the text, so trailing blanks
 * count, as in the norm's tests.
 */
export function decimalRules(): RuleSource[] {
  return [...table("decimals").map(decimalRule), {
    id: "UBL-DT-01",
    flag: "fatal",
    context: "amount",
    terms: "",
    test: "string-length(substring-after(., '.')) <= 2 or ancestor::cac:Price[cac:AllowanceCharge]",
    en: "An amount has two decimals at most; only prices may have more.",
    fr: "Un montant porte deux décimales au plus ; seuls les prix peuvent en porter davantage.",
    value: ".",
  }];
}

function decimalRule(row: TsvRow): RuleSource {
  const path = cell(row, "path");
  const terms = cell(row, "terms");
  return {
    id: cell(row, "id"),
    flag: "fatal",
    context: cell(row, "context"),
    terms,
    test: `not(${path}[string-length(substring-after(., '.')) > 2])`,
    en: `The ${cell(row, "en")} (${terms}) has two decimals at most.`,
    fr: `Deux décimales au plus pour ${cell(row, "fr")} (${terms}).`,
    value: path,
  };
}

/** Returns the rules on values from a code list (BR-CL). */
export function codeRules(): RuleSource[] {
  return table("codes").map((row) => {
    const value = cell(row, "value");
    const terms = cell(row, "terms");
    const list = cell(row, "list");
    return {
      id: cell(row, "id"),
      flag: "fatal",
      context: expand(cell(row, "context")),
      terms,
      test: `normalize-space(${value}) = ${literal(getCodes(cell(row, "lists")))}`,
      en: `The ${cell(row, "en")} (${terms}) is not a code of ${list}.`,
      fr: `${cell(row, "fr")} (${terms}) n'est pas un code de la liste ${list}.`,
      value: value === "upper-case(.)" ? "." : value,
    };
  });
}

const LINE =
  "parent::*[self::cac:InvoiceLine or self::cac:CreditNoteLine]/parent::*/parent::document-node()";

/** Names that occur in every line, for which a search from the lines is faster. */
const COMMON: ReadonlySet<string> = new Set(
  [
    "ID",
    "Name",
    "Description",
    "AccountingCost",
    "AllowanceChargeReason",
    "AllowanceChargeReasonCode",
  ]
    .map((name) => `cbc:${name}`),
);

/** Returns the rules on elements outside the core invoice (UBL-CR). */
export function unusedRules(): RuleSource[] {
  const groups = table("groups").map((row) => [cell(row, "path"), cell(row, "term")] as const);
  return table("unused").map((row) => {
    const path = cell(row, "path");
    const shown = path.replace(/^Line\//, "cac:InvoiceLine/").replace(/^\/\//, "");
    const terms = getTerms(path, groups);
    const where = terms === "" ? "" : ` (${terms})`;
    return {
      id: cell(row, "id"),
      flag: "warning",
      context: "document",
      terms,
      test: path.startsWith("//@") ? absentAttribute(path.slice(3)) : `empty(${search(path)})`,
      en: `${shown}${where} is outside the core invoice of EN 16931: leave it out.`,
      fr: `${shown}${where} ne fait pas partie de la facture de base EN 16931 : ne pas l'utiliser.`,
    };
  });
}

/**
 * Returns a search for elements of lines by their own name first, so that a missing element costs nothing,
 * however many lines there are.
 */
function search(path: string): string {
  if (!path.startsWith("Line/")) return path;
  const names = path.split("/").slice(1);
  const leaf = names.pop() ?? "";
  if (COMMON.has(leaf)) return path.replace("Line/", "$lines/");
  const parents = names.reverse().map((name) => `parent::${name}/`).join("");
  return `//${leaf}[${parents}${LINE}]`;
}

function getTerms(path: string, groups: readonly (readonly [string, string])[]): string {
  const fitting = groups.filter(([prefix]) => path === prefix || path.startsWith(`${prefix}/`));
  return fitting.reduce(
    (best, group) => group[0].length > best[0].length ? group : best,
    ["", ""] as readonly [string, string],
  )[1];
}

function absentAttribute(name: string): string {
  return `not($attributeNames = '${name}')`;
}

/** Returns the rules on attributes of UBL data types that the norm does not use (UBL-DT). */
export function attributeRules(): RuleSource[] {
  return table("attributes").map((row) => {
    const name = cell(row, "attribute");
    return {
      id: cell(row, "id"),
      flag: "warning",
      context: "document",
      terms: "",
      test: absentAttribute(name),
      en: `EN 16931 does not use the attribute ${name}: leave it out.`,
      fr: `EN 16931 n'utilise pas l'attribut ${name} : ne pas l'utiliser.`,
    };
  });
}
