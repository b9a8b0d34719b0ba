import type { Context, RulePattern, RuleSource } from "./rule.ts";

const XMLNS = 'xmlns="http://purl.oclc.org/dsdl/schematron"';
const NOTICE =
  "<!-- Written by xsl/rules/build/build.ts from the tables beside it: change those. -->";

/** Returns the pattern of a part: one rule per context, in order of first use. */
export function getPattern(part: RulePattern, contexts: ReadonlyMap<string, Context>): string {
  const byContext = Map.groupBy(part.rules, (rule) => rule.context);
  const rules = [...byContext].map(([key, asserts]) => {
    const { pattern, lets } = contexts.get(key) ?? { pattern: key, lets: [] };
    const used = neededLets(lets, asserts);
    return [
      `  <rule context=${quote(pattern)}>`,
      ...used.map(([name, value]) => `    <let name="${name}" value=${quote(value)}/>`),
      ...asserts.map(assertion),
      "  </rule>",
    ].join("\n");
  });
  return document(`<pattern ${XMLNS} id="${part.name}">`, [
    `  <title>${text(part.title)}</title>`,
    ...rules,
  ], "</pattern>");
}

/**
 * Returns the diagnostics of a part: French sentence, offending value, expected value, explanation in both
 * languages.
 */
export function getDiagnostics(part: RulePattern): string {
  return document(
    `<diagnostics ${XMLNS}>`,
    part.rules.flatMap((rule) =>
      diagnosticsFor(rule).map(({ name, attributes, content }) =>
        `  <diagnostic id="${rule.id}-${name}" ${attributes}>${content}</diagnostic>`
      )
    ),
    "</diagnostics>",
  );
}

function document(open: string, body: readonly string[], close: string): string {
  return ['<?xml version="1.0" encoding="UTF-8"?>', NOTICE, open, ...body, close, ""].join("\n");
}

/** Returns the variables that the assertions use, directly or through other variables. */
function neededLets(lets: Context["lets"], rules: readonly RuleSource[]): Context["lets"] {
  const texts = rules.map((rule) => JSON.stringify(rule));
  return lets.toReversed().filter(([name, value]) => {
    const used = texts.some((said) => new RegExp(`\\$${name}(?![\\w-])`).test(said));
    if (used) texts.push(value);
    return used;
  }).toReversed();
}

function assertion(rule: RuleSource): string {
  const see = rule.terms === "" ? "" : ` see="${rule.terms}"`;
  const diagnostics = diagnosticsFor(rule).map(({ name }) => `${rule.id}-${name}`).join(" ");
  return `    <assert id="${rule.id}" flag="${rule.flag}"${see} test=${quote(rule.test)}\n` +
    `      diagnostics="${diagnostics}">${sentence(rule.en, "en")}</assert>`;
}

function diagnosticsFor(rule: RuleSource): { name: string; attributes: string; content: string }[] {
  const { value, expected, why } = rule;
  return [
    { name: "fr", attributes: 'xml:lang="fr"', content: sentence(rule.fr, "fr") },
    ...(value === undefined
      ? []
      : [{ name: "value", attributes: 'role="value"', content: show(value, "en") }]),
    ...(expected === undefined
      ? []
      : [{ name: "expected", attributes: 'role="expected"', content: show(expected, "en") }]),
    ...(why === undefined ? [] : (["en", "fr"] as const).map((lang) => ({
      name: lang === "en" ? "why" : "why-fr",
      attributes: `role="explanation" xml:lang="${lang}"`,
      content: sentence(why[lang], lang),
    }))),
  ];
}

/** Renders a sentence: `{xpath}` becomes its value, `{€ xpath}` an amount with at least two decimals. */
function sentence(template: string, lang: "en" | "fr"): string {
  return template.split(/(\{[^}]+\})/).map((piece) =>
    piece.startsWith("{") ? show(piece.slice(1, -1), lang) : text(piece)
  ).join("");
}

function show(xpath: string, lang: "en" | "fr"): string {
  const amount = xpath.startsWith("€ ") ? `f:amount(${xpath.slice(2)})` : undefined;
  const select = amount === undefined
    ? xpath
    : lang === "fr"
    ? `translate(${amount}, '.', ',')`
    : amount;
  return `<value-of select=${quote(select)}/>`;
}

function quote(value: string): string {
  return `"${text(value).replaceAll('"', "&quot;")}"`;
}

function text(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
