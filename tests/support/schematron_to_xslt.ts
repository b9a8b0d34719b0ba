import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { SchemaModel } from "#src/schematron/mod.ts";

type Pattern = SchemaModel["patterns"][number];
type Rule = Pattern["rules"][number];
type Check = Rule["checks"][number];
type Part = Check["parts"][number];
type Instruction = SchemaModel["functions"][number]["body"][number];

/**
 * Converts a rule set to an XSLT 3.0 stylesheet for a reference processor: one mode per pattern, one template per rule.
 * The output is `<report>` with one `<f rule="…">message</f>` per finding, and `fault="…"` if a test could not be
 * evaluated.
 */
export function schematronToXslt(model: SchemaModel): string {
  const functions = model.functions.map((it) => it.name.prefixes);
  const prefixes = new Map([model.prefixes, ...functions].flatMap((map) => [...map]));
  const spaces = [...prefixes].filter(([prefix]) => prefix !== "" && prefix !== "xml")
    .map(([prefix, uri]) => ` xmlns:${prefix}="${quote(uri)}"`).join("");
  const names = new Set<string>();
  const lets = [...model.lets, ...model.patterns.flatMap((it) => it.lets)]
    .filter(({ name }) => !names.has(name) && names.add(name));
  const base = quote(pathToFileURL(resolve(model.file)).href); // base URL of files that document() names
  return `<xsl:stylesheet version="3.0" xml:base="${base}" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"${
    spaces.replace(/ xmlns:xsl="[^"]*"/, "")
  }>
<xsl:output method="xml" omit-xml-declaration="yes"/>
${lets.map(({ name, value }) => variable(name, value.text)).join("\n")}
${
    model.keys.map((it) =>
      `<xsl:key name="${it.name}" match="${quote(it.match.text)}" use="${quote(it.use.text)}"/>`
    ).join("\n")
  }
${model.functions.map(getFunction).join("\n")}
<xsl:template match="/"><report>${
    model.patterns.map((_, nth) => `<xsl:apply-templates select="." mode="m${nth}"/>`).join("")
  }</report></xsl:template>
${model.patterns.map(getPattern).join("\n")}
</xsl:stylesheet>`;
}

function getPattern(pattern: Pattern, nth: number): string {
  const mode = `mode="m${nth}"`;
  const onward = `<xsl:apply-templates select="@*|node()" ${mode}/>`;
  const rules = pattern.rules.map((rule, at) =>
    `<xsl:template match="${quote(rule.context.text)}" ${mode} priority="${
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
  return `<xsl:try><xsl:if test="${quote(test)}"><f rule="${quote(check.id)}" place="{${
    quote(place)
  }}">${message}</f></xsl:if>
<xsl:catch><f rule="${quote(check.id)}" fault="1"/></xsl:catch></xsl:try>`;
}

function partOf(part: Part): string {
  if (part.part === "text") return `<xsl:text>${quote(part.text)}</xsl:text>`;
  const select = part.part === "value" ? part.select.text : `name(${part.path?.text ?? "."})`;
  return `<xsl:value-of select="${quote(select)}"/>`;
}

function getFunction(model: SchemaModel["functions"][number]): string {
  const params = model.params.map(({ name, as }) => `<xsl:param name="${name}"${asOf(as)}/>`).join(
    "",
  );
  return `<xsl:function name="${model.name.text}"${asOf(model.as)}>${params}${
    getBody(model.body)
  }</xsl:function>`;
}

function asOf(as: { readonly text: string } | undefined): string {
  return as === undefined ? "" : ` as="${quote(as.text)}"`;
}

function getBody(body: readonly Instruction[]): string {
  return body.map(getInstruction).join("");
}

function getInstruction(step: Instruction): string {
  switch (step.i) {
    case "sequence":
      return `<xsl:sequence select="${quote(step.select.text)}"/>`;
    case "value-of":
      return `<xsl:value-of select="${quote(step.select.text)}" separator="${
        quote(step.separator)
      }"/>`;
    case "text":
      return `<xsl:text>${quote(step.text)}</xsl:text>`;
    case "variable":
      return step.body.length === 1 && step.body[0]?.i === "sequence"
        ? `<xsl:variable name="${step.name}"${asOf(step.as)} select="${
          quote(step.body[0].select.text)
        }"/>`
        : `<xsl:variable name="${step.name}"${asOf(step.as)}>${getBody(step.body)}</xsl:variable>`;
    case "choose": {
      const whens = step.branches.map(({ test, body }) =>
        `<xsl:when test="${quote(test.text)}">${getBody(body)}</xsl:when>`
      );
      return `<xsl:choose>${whens.join("")}<xsl:otherwise>${
        getBody(step.otherwise)
      }</xsl:otherwise></xsl:choose>`;
    }
    case "for-each":
      return `<xsl:for-each select="${quote(step.select.text)}">${
        getBody(step.body)
      }</xsl:for-each>`;
  }
}

function variable(name: string, select: string): string {
  return `<xsl:variable name="${name}" select="${quote(select)}"/>`;
}

function quote(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
