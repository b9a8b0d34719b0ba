import type { Context, Part, Rule } from "./rule.ts";

const XMLNS = 'xmlns="http://purl.oclc.org/dsdl/schematron"';
const NOTICE =
  "<!-- Written by xsl/rules/build/build.ts from the tables beside it: change those. -->";

/** The pattern of a part: one rule per context, in order of first use. */
export function patternOf(part: Part, contexts: ReadonlyMap<string, Context>): string {
  const byContext = Map.groupBy(part.rules, (rule) => rule.context);
  const rules = [...byContext].map(([key, asserts]) => {
    const { pattern, lets } = contexts.get(key) ?? { pattern: key, lets: [] };
    const used = neededLets(lets, asserts);
    return [
      `  <rule context=${quoted(pattern)}>`,
      ...used.map(([name, value]) => `    <let name="${name}" value=${quoted(value)}/>`),
      ...asserts.map(assertion),
      "  </rule>",
    ].join("\n");
  });
  return document(`<pattern ${XMLNS} id="${part.name}">`, [
    `  <title>${text(part.title)}</title>`,
    ...rules,
  ], "</pattern>");
}

/** The diagnostics of a part: French sentence, offending value, expected value, explanation in both languages. */
export function diagnosticsOf(part: Part): string {
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

/** Only what the assertions use, themselves or through another let. */
function neededLets(lets: Context["lets"], rules: readonly Rule[]): Context["lets"] {
  const texts = rules.map((rule) => JSON.stringify(rule));
  return lets.toReversed().filter(([name, value]) => {
    const used = texts.some((said) => new RegExp(`\\$${name}(?![\\w-])`).test(said));
    if (used) texts.push(value);
    return used;
  }).toReversed();
}

function assertion(rule: Rule): string {
  const see = rule.terms === "" ? "" : ` see="${rule.terms}"`;
  const diagnostics = diagnosticsFor(rule).map(({ name }) => `${rule.id}-${name}`).join(" ");
  return `    <assert id="${rule.id}" flag="${rule.flag}"${see} test=${quoted(rule.test)}\n` +
    `      diagnostics="${diagnostics}">${sentence(rule.en, "en")}</assert>`;
}

function diagnosticsFor(rule: Rule): { name: string; attributes: string; content: string }[] {
  const { value, expected, why } = rule;
  return [
    { name: "fr", attributes: 'xml:lang="fr"', content: sentence(rule.fr, "fr") },
    ...(value === undefined
      ? []
      : [{ name: "value", attributes: 'role="value"', content: shown(value, "en") }]),
    ...(expected === undefined
      ? []
      : [{ name: "expected", attributes: 'role="expected"', content: shown(expected, "en") }]),
    ...(why === undefined ? [] : (["en", "fr"] as const).map((lang) => ({
      name: lang === "en" ? "why" : "why-fr",
      attributes: `role="explanation" xml:lang="${lang}"`,
      content: sentence(why[lang], lang),
    }))),
  ];
}

/** `{xpath}` becomes the value of that XPath, `{€ xpath}` the same as an amount with two decimals at least. */
function sentence(template: string, lang: "en" | "fr"): string {
  return template.split(/(\{[^}]+\})/).map((piece) =>
    piece.startsWith("{") ? shown(piece.slice(1, -1), lang) : text(piece)
  ).join("");
}

function shown(xpath: string, lang: "en" | "fr"): string {
  const amount = xpath.startsWith("€ ") ? `f:amount(${xpath.slice(2)})` : undefined;
  const select = amount === undefined
    ? xpath
    : lang === "fr"
    ? `translate(${amount}, '.', ',')`
    : amount;
  return `<value-of select=${quoted(select)}/>`;
}

function quoted(value: string): string {
  return `"${text(value).replaceAll('"', "&quot;")}"`;
}

function text(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
