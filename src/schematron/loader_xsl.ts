import { ELEMENT, TEXT, type XmlElement } from "#src/xml/mod.ts";
import type { ExprText, FunctionModel, Instruction, KeyModel } from "./model.ts";
import { attribute, fail, type ReadExpr, type Sourced } from "./source.ts";
import { XSL } from "./xpath/namespaces.ts";

export function keyModel(source: Sourced, expr: ReadExpr): KeyModel {
  return {
    name: expr("name", source).text,
    match: expr("match", source),
    use: expr("use", source),
  };
}

export function functionModel(source: Sourced, expr: ReadExpr): FunctionModel {
  const params: FunctionModel["params"][number][] = [];
  for (const element of source.element.elements()) {
    if (element.ns !== XSL || element.local !== "param") continue;
    const child = { ...source, element };
    params.push({ name: expr("name", child).text, as: optional("as", child, expr) });
  }
  return {
    name: expr("name", source),
    params,
    as: optional("as", source, expr),
    body: getBody(source, expr),
  };
}

function optional(name: string, source: Sourced, expr: ReadExpr): ExprText | undefined {
  return attribute(source, name) === undefined ? undefined : expr(name, source);
}

function getBody(source: Sourced, expr: ReadExpr): Instruction[] {
  const body: Instruction[] = [];
  for (const node of source.element.children) {
    if (node.kind === TEXT && node.text.trim() !== "") body.push({ i: "text", text: node.text });
    if (node.kind !== ELEMENT || (node.ns === XSL && isSilent(node))) continue;
    body.push(instruction({ ...source, element: node }, expr));
  }
  return body;
}

/** Checks that an instruction adds nothing to the value of a function; a terminating message does not qualify. */
function isSilent(element: XmlElement): boolean {
  const { local } = element;
  if (local === "message") return (element.attr("terminate") ?? "no").trim() === "no";
  return local === "param" || local === "fallback";
}

function instruction(source: Sourced, expr: ReadExpr): Instruction {
  const { element } = source;
  if (element.ns === XSL) {
    switch (element.local) {
      case "sequence":
        return { i: "sequence", select: expr("select", source) };
      case "value-of":
        return {
          i: "value-of",
          select: expr("select", source),
          separator: attribute(source, "separator") ?? " ",
        };
      case "text":
        return { i: "text", text: element.text };
      case "variable":
        return variable(source, expr);
      case "if":
        return { i: "choose", branches: [branch(source, expr)], otherwise: [] };
      case "choose":
        return choose(source, expr);
      case "for-each":
        return { i: "for-each", select: expr("select", source), body: getBody(source, expr) };
    }
  }
  return fail(
    source,
    `${element.qname} is not supported in a function`,
    `${element.qname} n'est pas pris en charge dans une fonction`,
  );
}

function variable(source: Sourced, expr: ReadExpr): Instruction {
  const body: Instruction[] = attribute(source, "select") === undefined
    ? getBody(source, expr)
    : [{ i: "sequence", select: expr("select", source) }];
  return { i: "variable", name: expr("name", source).text, as: optional("as", source, expr), body };
}

function branch(source: Sourced, expr: ReadExpr): { test: ExprText; body: Instruction[] } {
  return { test: expr("test", source), body: getBody(source, expr) };
}

function choose(source: Sourced, expr: ReadExpr): Instruction {
  const branches: { test: ExprText; body: Instruction[] }[] = [];
  let otherwise: Instruction[] = [];
  for (const element of source.element.elements()) {
    const child = { ...source, element };
    if (element.local === "when") branches.push(branch(child, expr));
    else if (element.local === "otherwise") otherwise = getBody(child, expr);
    else {fail(
        child,
        `${element.qname} is not allowed in choose`,
        `${element.qname} n'est pas admis dans choose`,
      );}
  }
  return { i: "choose", branches, otherwise };
}
