/** A Schematron schema as data, and its one way to text: every rule of the French sets is written here once, in two languages. */

/** Texts may hold XPath between braces: `{cbc:ID}` becomes a `value-of`. */
export interface Assertion {
  readonly id: string;
  /** Business terms the rule speaks of, space-separated. */
  readonly see: string;
  readonly test: string;
  readonly en: string;
  readonly fr: string;
  /** XPath of the offending value; the context node when absent, nothing when null. */
  readonly value?: string | null;
  /** Where the published rule stands, when that is not the node the value is read from. */
  readonly subject?: string;
  /** What would have been right, in signs both languages share. */
  readonly expected: string;
  readonly flag?: "fatal" | "warning";
}

export interface Let {
  readonly name: string;
  readonly value: string;
}

export interface Rule {
  readonly context: string;
  readonly lets?: readonly Let[];
  readonly asserts: readonly Assertion[];
}

export interface Pattern {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly Rule[];
}

export interface Schema {
  readonly title: string;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly lets: readonly Let[];
  /** `xsl:key` and `xsl:function` elements, and includes of other sets, as they stand in the schema. */
  readonly declarations: readonly string[];
  readonly patterns: readonly Pattern[];
}

export function renderSchema(schema: Schema): string {
  const asserts = schema.patterns.flatMap((pattern) =>
    pattern.rules.flatMap((rule) => rule.asserts)
  );
  refuseDuplicates(asserts);
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<!-- Generated from the tables in build/ and ../codelists-fr: change those and run build/main.ts. -->`,
    `<schema xmlns="http://purl.oclc.org/dsdl/schematron" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema" queryBinding="xslt2">`,
    `  <title>${escape(schema.title)}</title>`,
    ...Object.entries(schema.namespaces).map(([prefix, uri]) =>
      `  <ns prefix="${prefix}" uri="${uri}"/>`
    ),
    ...schema.lets.map((variable) => renderLet(variable, "  ")),
    ...schema.declarations.map((declaration) => `  ${declaration}`),
    ...schema.patterns.map(renderPattern),
    `  <diagnostics>`,
    ...asserts.flatMap(renderDiagnostics),
    `  </diagnostics>`,
    `</schema>`,
    ``,
  ].join("\n");
}

function refuseDuplicates(asserts: readonly Assertion[]): void {
  const seen = new Set<string>();
  for (const { id } of asserts) {
    if (seen.has(id)) throw new Error(`rule ${id} is written twice`);
    seen.add(id);
  }
}

function renderPattern(pattern: Pattern): string {
  return [
    `  <pattern id="${pattern.id}">`,
    `    <title>${escape(pattern.title)}</title>`,
    ...pattern.rules.map(renderRule),
    `  </pattern>`,
  ].join("\n");
}

function renderRule(rule: Rule): string {
  return [
    `    <rule context="${attribute(rule.context)}">`,
    ...(rule.lets ?? []).map((variable) => renderLet(variable, "      ")),
    ...rule.asserts.map(renderAssert),
    `    </rule>`,
  ].join("\n");
}

function renderAssert(assertion: Assertion): string {
  const { id, see, test, en, subject, flag = "fatal" } = assertion;
  const place = subject === undefined ? "" : ` subject="${subject}"`;
  const diagnostics = [
    `${id}-fr`,
    ...(assertion.value === null ? [] : [`${id}-value`]),
    `${id}-expected`,
  ];
  return `      <assert id="${id}" flag="${flag}" see="${see}"${place} test="${
    attribute(test)
  }" diagnostics="${diagnostics.join(" ")}">${text(en)}</assert>`;
}

function renderDiagnostics(assertion: Assertion): readonly string[] {
  const { id, fr, value = ".", expected } = assertion;
  return [
    `    <diagnostic id="${id}-fr" xml:lang="fr">${text(fr)}</diagnostic>`,
    ...(value === null
      ? []
      : [`    <diagnostic id="${id}-value" role="value">${text(`{${value}}`)}</diagnostic>`]),
    `    <diagnostic id="${id}-expected" role="expected">${text(expected)}</diagnostic>`,
  ];
}

function renderLet({ name, value }: Let, indent: string): string {
  return `${indent}<let name="${name}" value="${attribute(value)}"/>`;
}

function text(template: string): string {
  return template
    .split(/\{([^{}]+)\}/)
    .map((part, index) =>
      index % 2 === 0 ? escape(part) : `<value-of select="${attribute(part)}"/>`
    )
    .join("");
}

function escape(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function attribute(value: string): string {
  return escape(value).replaceAll('"', "&quot;");
}
