import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SchemaModel } from "#src/schematron/mod.ts";

type Pattern = SchemaModel["patterns"][number];
type Rule = Pattern["rules"][number];
type Check = Rule["checks"][number];
type Part = Check["parts"][number];
type Instruction = SchemaModel["functions"][number]["body"][number];

/**
 * A rule set as an XSLT 3.0 stylesheet for a reference processor: one mode per pattern, one template per rule. Its
 * output is `<report>` with one `<f rule="…">message</f>` for each finding, `fault="…"` where a test failed to evaluate.
 */
export function schematronToXslt(model: SchemaModel): string {
  const functions = model.functions.map((it) => it.name.prefixes);
  const prefixes = new Map([model.prefixes, ...functions].flatMap((map) => [...map]));
  const spaces = [...prefixes].filter(([prefix]) => prefix !== "" && prefix !== "xml")
    .map(([prefix, uri]) => ` xmlns:${prefix}="${quoted(uri)}"`).join("");
  const names = new Set<string>();
  const lets = [...model.lets, ...model.patterns.flatMap((it) => it.lets)]
    .filter(({ name }) => !names.has(name) && names.add(name));
  const base = quoted(pathToFileURL(resolve(model.file)).href); // of the files document() names
  return `<xsl:stylesheet version="3.0" xml:base="${base}" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"${
    spaces.replace(/ xmlns:xsl="[^"]*"/, "")
  }>
<xsl:output method="xml" omit-xml-declaration="yes"/>
${lets.map(({ name, value }) => variable(name, value.text)).join("\n")}
${
    model.keys.map((it) =>
      `<xsl:key name="${it.name}" match="${quoted(it.match.text)}" use="${quoted(it.use.text)}"/>`
    ).join("\n")
  }
${model.functions.map(functionOf).join("\n")}
<xsl:template match="/"><report>${
    model.patterns.map((_, nth) => `<xsl:apply-templates select="." mode="m${nth}"/>`).join("")
  }</report></xsl:template>
${model.patterns.map(patternOf).join("\n")}
</xsl:stylesheet>`;
}

function patternOf(pattern: Pattern, nth: number): string {
  const mode = `mode="m${nth}"`;
  const onward = `<xsl:apply-templates select="@*|node()" ${mode}/>`;
  const rules = pattern.rules.map((rule, at) =>
    `<xsl:template match="${quoted(rule.context.text)}" ${mode} priority="${
      pattern.rules.length - at
    }">
${rule.lets.map(({ name, value }) => variable(name, value.text)).join("\n")}
${rule.checks.map(checkOf).join("\n")}
${onward}</xsl:template>`
  );
  return `${rules.join("\n")}
<xsl:template match="*|/" ${mode} priority="-9">${onward}</xsl:template>
<xsl:template match="@*|text()|comment()|processing-instruction()" ${mode} priority="-9"/>`;
}

function checkOf(check: Check): string {
  const test = check.report ? check.test.text : `not(${check.test.text})`;
  const message = check.parts.map(partOf).join("");
  const place = check.subject === undefined ? "path()" : `((${check.subject.text}, .)[1])/path()`;
  return `<xsl:try><xsl:if test="${quoted(test)}"><f rule="${quoted(check.id)}" place="{${
    quoted(place)
  }}">${message}</f></xsl:if>
<xsl:catch><f rule="${quoted(check.id)}" fault="1"/></xsl:catch></xsl:try>`;
}

function partOf(part: Part): string {
  if (part.part === "text") return `<xsl:text>${quoted(part.text)}</xsl:text>`;
  const select = part.part === "value" ? part.select.text : `name(${part.path?.text ?? "."})`;
  return `<xsl:value-of select="${quoted(select)}"/>`;
}

function functionOf(model: SchemaModel["functions"][number]): string {
  const params = model.params.map(({ name, as }) => `<xsl:param name="${name}"${asOf(as)}/>`).join(
    "",
  );
  return `<xsl:function name="${model.name.text}"${asOf(model.as)}>${params}${
    bodyOf(model.body)
  }</xsl:function>`;
}

function asOf(as: { readonly text: string } | undefined): string {
  return as === undefined ? "" : ` as="${quoted(as.text)}"`;
}

function bodyOf(body: readonly Instruction[]): string {
  return body.map(instructionOf).join("");
}

function instructionOf(step: Instruction): string {
  switch (step.i) {
    case "sequence":
      return `<xsl:sequence select="${quoted(step.select.text)}"/>`;
    case "value-of":
      return `<xsl:value-of select="${quoted(step.select.text)}" separator="${
        quoted(step.separator)
      }"/>`;
    case "text":
      return `<xsl:text>${quoted(step.text)}</xsl:text>`;
    case "variable":
      return step.body.length === 1 && step.body[0]?.i === "sequence"
        ? `<xsl:variable name="${step.name}"${asOf(step.as)} select="${
          quoted(step.body[0].select.text)
        }"/>`
        : `<xsl:variable name="${step.name}"${asOf(step.as)}>${bodyOf(step.body)}</xsl:variable>`;
    case "choose": {
      const whens = step.branches.map(({ test, body }) =>
        `<xsl:when test="${quoted(test.text)}">${bodyOf(body)}</xsl:when>`
      );
      return `<xsl:choose>${whens.join("")}<xsl:otherwise>${
        bodyOf(step.otherwise)
      }</xsl:otherwise></xsl:choose>`;
    }
    case "for-each":
      return `<xsl:for-each select="${quoted(step.select.text)}">${
        bodyOf(step.body)
      }</xsl:for-each>`;
  }
}

function variable(name: string, select: string): string {
  return `<xsl:variable name="${name}" select="${quoted(select)}"/>`;
}

function quoted(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
