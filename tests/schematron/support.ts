import { compileSchema, type FailedAssertion, loadSchema } from "#src/schematron/mod.ts";
import type { SchemaReport } from "#src/schematron/report.ts";
import { parseXml } from "#src/xml/mod.ts";

export const SCH = "http://purl.oclc.org/dsdl/schematron";

/** Returns a schema around the given content, as text. */
export function schema(content: string): string {
  return `<schema xmlns="${SCH}" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" queryBinding="xslt2">
    <ns prefix="p" uri="urn:p"/><ns prefix="f" uri="urn:f"/>${content}</schema>`;
}

/** Loads a schema from files by path; the first one is the entry. */
export function compile(files: Record<string, string>, phase?: string) {
  const [entry = ""] = Object.keys(files);
  const model = loadSchema(entry, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error("no such file");
    return text;
  });
  return compileSchema(model, phase === undefined ? {} : { phase });
}

export function run(content: string, document: string): SchemaReport {
  return compile({ "s.sch": schema(content) }).run(parseXml(document));
}

/** Returns the sorted ids of the fired assertions. */
export function fire(report: SchemaReport): string[] {
  return report.failures.map((failure) => failure.rule).sort();
}

/** Evaluates an XPath at the root element: the items as text separated by bars, or the error code. */
export function evaluate(expression: string, document: string): string {
  const select = escape(`for $it in (${expression}) return string($it)`);
  const rule = `<let name="all" value="${select}"/>
    <report id="r" test="exists($all) or true()"><value-of select="string-join($all, '|')"/></report>`;
  const [failure] = run(`<pattern><rule context="/*">${rule}</rule></pattern>`, document).failures;
  return outcome(failure);
}

function outcome(failure: FailedAssertion | undefined): string {
  if (failure === undefined) return "nothing fired";
  return failure.kind === "failed" ? failure.message : `error ${failure.reason?.slice(0, 8)}`;
}

export function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
