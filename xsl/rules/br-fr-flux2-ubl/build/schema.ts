/**
 * Schematron schema as data, with its only conversion to text. All rules of the French sets are written with
 * it, in two languages.
 */

/** Assertion. Texts may contain XPath in braces: `{cbc:ID}` becomes a `value-of`. */
export interface Assertion {
  readonly id: string;
  /** Business terms of the rule, space-separated. */
  readonly see: string;
  readonly test: string;
  readonly en: string;
  readonly fr: string;
  /** XPath of the offending value; by default the context node, nothing if null. */
  readonly value?: string | null;
  /** Node of the published rule, if the value is read from another node. */
  readonly subject?: string;
  /** Correct value, in notation common to both languages. */
  readonly expected: string;
  readonly flag?: "fatal" | "warning";
  /** Explanation after the sentence; an empty one is not shown. */
  readonly why?: { readonly en: string; readonly fr: string };
}

export interface Let {
  readonly name: string;
  readonly value: string;
}

export interface SchemaRule {
  readonly context: string;
  readonly lets?: readonly Let[];
  readonly asserts: readonly Assertion[];
}

export interface Pattern {
  readonly id: string;
  readonly title: string;
  readonly rules: readonly SchemaRule[];
}

export interface SchematronSource {
  readonly title: string;
  readonly namespaces: Readonly<Record<string, string>>;
  readonly lets: readonly Let[];
  /** `xsl:key` and `xsl:function` elements, and includes of other sets, copied unchanged. */
  readonly declarations: readonly string[];
  readonly patterns: readonly Pattern[];
}

/** Changes of a later publication. */
export interface Changes {
  /** New values of variables by name. */
  readonly lets?: Readonly<Record<string, string>>;
  /** New parts of assertions by id. */
  readonly asserts: Readonly<Record<string, Partial<Assertion>>>;
  /** Assertions to insert after another one, by the id of that one. */
  readonly added?: Readonly<Record<string, Assertion>>;
}

/** Applies the changes of a publication. Throws for an unknown variable or assertion. */
export function revise(
  schema: SchematronSource,
  { lets = {}, asserts, added = {} }: Changes,
): SchematronSource {
  const ids = schema.patterns.flatMap(({ rules }) => rules).flatMap((rule) => rule.asserts)
    .map(({ id }) => id);
  const names = schema.lets.map(({ name }) => name);
  const unknown = [
    ...[...Object.keys(asserts), ...Object.keys(added)].filter((id) => !ids.includes(id)),
    ...Object.keys(lets).filter((name) => !names.includes(name)),
  ];
  if (unknown.length > 0) throw new Error(`${schema.title} has no ${unknown.join(", ")}`);
  const reviseAssert = (assertion: Assertion) => {
    const after = added[assertion.id];
    return [{ ...assertion, ...asserts[assertion.id] }, ...after ? [after] : []];
  };
  const reviseRule = (rule: SchemaRule) => ({
    ...rule,
    asserts: rule.asserts.flatMap(reviseAssert),
  });
  return {
    ...schema,
    lets: schema.lets.map((it) => ({ ...it, value: lets[it.name] ?? it.value })),
    patterns: schema.patterns.map((it) => ({ ...it, rules: it.rules.map(reviseRule) })),
  };
}

export function renderSchema(schema: SchematronSource): string {
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

function renderRule(rule: SchemaRule): string {
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
    ...(assertion.why === undefined ? [] : [`${id}-why`, `${id}-why-fr`]),
  ];
  return `      <assert id="${id}" flag="${flag}" see="${see}"${place} test="${
    attribute(test)
  }" diagnostics="${diagnostics.join(" ")}">${text(en)}</assert>`;
}

function renderDiagnostics(assertion: Assertion): readonly string[] {
  const { id, fr, value = ".", expected, why } = assertion;
  return [
    `    <diagnostic id="${id}-fr" xml:lang="fr">${text(fr)}</diagnostic>`,
    ...(value === null
      ? []
      : [`    <diagnostic id="${id}-value" role="value">${text(`{${value}}`)}</diagnostic>`]),
    `    <diagnostic id="${id}-expected" role="expected">${text(expected)}</diagnostic>`,
    ...(why === undefined ? [] : [
      `    <diagnostic id="${id}-why" role="explanation" xml:lang="en">${
        text(why.en)
      }</diagnostic>`,
      `    <diagnostic id="${id}-why-fr" role="explanation" xml:lang="fr">${
        text(why.fr)
      }</diagnostic>`,
    ]),
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
