import type { CheckModel, DiagnosticModel, MessagePart } from "./model.ts";
import { attribute, fail, type ReadExpr, requireAttribute, SCH, type Sourced } from "./source.ts";

const XML = "http://www.w3.org/XML/1998/namespace";
/** Elements of ISO Schematron that mark a part of a sentence. */
const INLINE = new Set(["emph", "dir", "span"]);

/** Published rules that have no id name themselves where their sentence begins: `[BR-01] …`. */
const NAMED = /^\s*\[([\w.-]+)\]/;

/** An assertion or report; `flag` is that of its rule. */
export function checkModel(
  source: Sourced,
  { flag, expr }: { readonly flag: string | undefined; readonly expr: ReadExpr },
): CheckModel {
  const id = attribute(source, "id") ?? NAMED.exec(source.element.text)?.[1] ?? "";
  const subject = attribute(source, "subject") === undefined ? undefined : expr("subject", source);
  return {
    report: source.element.local === "report",
    id,
    test: expr("test", source),
    flag: attribute(source, "flag") ?? flag,
    role: attribute(source, "role"),
    see: attribute(source, "see"),
    subject,
    parts: messageParts(source, { owner: id, expr }),
    diagnostics: (attribute(source, "diagnostics") ?? "").split(/\s+/).filter((it) => it !== ""),
  };
}

export function diagnosticModel(source: Sourced, expr: ReadExpr): DiagnosticModel {
  const id = requireAttribute(source, "id");
  return {
    id,
    lang: source.element.attr("lang", XML),
    role: attribute(source, "role"),
    parts: messageParts(source, { owner: id, expr }),
  };
}

/** `owner`, the id of the assertion or diagnostic, is named where a part is refused. */
function messageParts(
  source: Sourced,
  { owner, expr }: { readonly owner: string; readonly expr: ReadExpr },
): MessagePart[] {
  const parts: MessagePart[] = [];
  for (const node of source.element.children) {
    if (!("local" in node)) {
      if (node.kind === 3) parts.push({ part: "text", text: node.text });
      continue;
    }
    const child = { ...source, element: node };
    if (node.local === "value-of") {
      parts.push({ part: "value", select: expr("select", child) });
    } else if (node.local === "name") {
      const path = attribute(child, "path") === undefined ? undefined : expr("path", child);
      parts.push({ part: "name", path });
    } else if (node.ns === SCH && !INLINE.has(node.local)) {
      const { qname } = node;
      fail(
        child,
        `${qname} is not supported in a sentence`,
        `${qname} n'est pas pris en charge dans une phrase`,
        owner,
      );
    } else parts.push(...messageParts(child, { owner, expr }));
  }
  return parts;
}
