import { parseDecimal } from "#src/kernel/decimal.ts";
import type { Axis, AxisStep, Expr, NodeTest, PathStep } from "./ast.ts";
import { Double } from "./items.ts";
import { FN } from "./namespaces.ts";
import { parseArguments } from "./parse_operators.ts";
import {
  accept,
  clark,
  expect,
  fail,
  getLocal,
  getNamespace,
  kindTest,
  locate,
  next,
  parseExpr,
  peek,
  spanFrom,
  type TokenReader,
  variableName,
} from "./parser.ts";

const AXES: ReadonlySet<string> = new Set<Axis>([
  "child",
  "attribute",
  "self",
  "parent",
  "ancestor",
  "ancestor-or-self",
  "descendant",
  "descendant-or-self",
  "following",
  "following-sibling",
  "preceding",
  "preceding-sibling",
]);
const KINDS: ReadonlySet<string> = new Set([
  "node",
  "text",
  "comment",
  "processing-instruction",
  "element",
  "attribute",
  "document-node",
]);

export function parsePath(reader: TokenReader): Expr {
  const from = reader.at;
  const steps: PathStep[] = [];
  let rooted = true;
  if (accept(reader, "//")) steps.push(anywhere(reader), parseStep(reader));
  else if (accept(reader, "/")) {
    if (startsStep(reader)) steps.push(parseStep(reader));
  } else {
    rooted = false;
    steps.push(parseStep(reader));
  }
  for (;;) {
    if (accept(reader, "//")) steps.push(anywhere(reader));
    else if (!accept(reader, "/")) break;
    steps.push(parseStep(reader));
  }
  const [only] = steps;
  if (!rooted && steps.length === 1 && only?.step === "expr") return only.expr;
  return locate(reader, from, { t: "path", rooted, steps: steps.map(asStep) });
}

/** `.` as a step is the self axis, so that paths stay made of axes where they can. */
function asStep(step: PathStep): PathStep {
  return step.step === "expr" && step.expr.t === "context"
    ? { step: "axis", span: step.span, axis: "self", test: { test: "node" }, predicates: [] }
    : step;
}

/** Returns the step that `//` abbreviates. */
function anywhere(reader: TokenReader): AxisStep {
  const span = spanFrom(reader, reader.at - 1);
  return { step: "axis", span, axis: "descendant-or-self", test: { test: "node" }, predicates: [] };
}

function startsStep(reader: TokenReader): boolean {
  const { kind, text } = peek(reader);
  if (kind === "end") return false;
  return kind !== "op" || ["@", ".", "..", "*", "(", "$"].includes(text);
}

function parseStep(reader: TokenReader): PathStep {
  const from = reader.at;
  const { kind, text } = peek(reader);
  const following = peek(reader, 1);
  if (kind === "op" && text === "..") {
    reader.at++;
    return axisStep(reader, from, { axis: "parent", test: { test: "node" } });
  }
  if (kind === "op" && text === "@") {
    reader.at++;
    return axisStep(reader, from, { axis: "attribute", test: parseTest(reader) });
  }
  if (kind === "op" && text === "*") {
    return axisStep(reader, from, { axis: "child", test: parseTest(reader) });
  }
  if (kind !== "name") return exprStep(reader, from);
  if (following.text === "::" && following.kind === "op") {
    if (!isAxis(text)) fail(reader, `"${text}" is not an axis`, `« ${text} » n'est pas un axe`);
    reader.at += 2;
    return axisStep(reader, from, { axis: text, test: parseTest(reader) });
  }
  const call = following.text === "(" && following.kind === "op";
  if (call && !KINDS.has(text)) return exprStep(reader, from);
  const axis = call && text === "attribute" ? "attribute" : "child";
  return axisStep(reader, from, { axis, test: parseTest(reader) });
}

function exprStep(reader: TokenReader, from: number): PathStep {
  const expr = parsePostfix(reader);
  return { step: "expr", span: spanFrom(reader, from), expr };
}

function isAxis(text: string): text is Axis {
  return AXES.has(text);
}

function axisStep(
  reader: TokenReader,
  from: number,
  what: { axis: Axis; test: NodeTest },
): AxisStep {
  const predicates: Expr[] = [];
  while (accept(reader, "[")) {
    predicates.push(parseExpr(reader));
    expect(reader, "]");
  }
  return { step: "axis", span: spanFrom(reader, from), ...what, predicates };
}

function parseTest(reader: TokenReader): NodeTest {
  const token = next(reader);
  if (token.kind === "op" && token.text === "*") return { test: "any-name" };
  if (token.kind !== "name") {
    reader.at--;
    fail(
      reader,
      `a name is expected, found "${token.text}"`,
      `un nom est attendu, trouvé « ${token.text} »`,
    );
  }
  if (KINDS.has(token.text) && accept(reader, "(")) {
    const inside: string[] = [];
    while (!accept(reader, ")")) {
      if (peek(reader).kind === "end") fail(reader, '")" is missing', "« ) » manque");
      inside.push(next(reader).text);
    }
    return kindTest(reader, token.text, inside);
  }
  if (token.text.startsWith("*:")) return { test: "local", local: token.text.slice(2) };
  const name = clark(reader, token.text, "");
  return getLocal(name) === "*"
    ? { test: "namespace", ns: getNamespace(name) }
    : { test: "name", ns: getNamespace(name), local: getLocal(name) };
}

function parsePostfix(reader: TokenReader): Expr {
  const from = reader.at;
  let base = parsePrimary(reader);
  while (accept(reader, "[")) {
    const predicate = parseExpr(reader);
    expect(reader, "]");
    base = locate(reader, from, { t: "filter", base, predicate });
  }
  return base;
}

function parsePrimary(reader: TokenReader): Expr {
  const from = reader.at;
  const token = next(reader);
  switch (token.kind) {
    case "string":
      return locate(reader, from, { t: "literal", value: token.text });
    case "integer":
    case "decimal":
    case "double":
      return locate(reader, from, {
        t: "literal",
        value: readNumber(reader, token.kind, token.text),
      });
    case "name":
      return locate(reader, from, {
        t: "call",
        name: clark(reader, token.text, FN),
        args: parseArguments(reader),
      });
  }
  if (token.text === "$") {
    return locate(reader, from, { t: "variable", name: variableName(reader) });
  }
  if (token.text === ".") return locate(reader, from, { t: "context" });
  if (token.text !== "(") {
    reader.at = from;
    const found = token.kind === "end" ? "the end" : `"${token.text}"`;
    const fr = token.kind === "end" ? "la fin" : `« ${token.text} »`;
    fail(
      reader,
      `an expression is expected, found ${found}`,
      `une expression est attendue, trouvé ${fr}`,
    );
  }
  if (accept(reader, ")")) return locate(reader, from, { t: "sequence", items: [] });
  const values = constantList(reader);
  if (values !== undefined) return locate(reader, from, { t: "constants", values });
  const inner = parseExpr(reader);
  expect(reader, ")");
  return inner;
}

/** Parses the rest of `('A', 'B', …)`: lists of codes are long and need no tree. */
function constantList(reader: TokenReader): string[] | undefined {
  const values: string[] = [];
  for (let at = reader.at;; at += 2) {
    const value = reader.list[at];
    const next = reader.list[at + 1];
    if (value?.kind !== "string" || next?.kind !== "op") return undefined;
    values.push(value.text);
    if (next.text === ")") {
      reader.at = at + 2;
      return values;
    }
    if (next.text !== ",") return undefined;
  }
}

function readNumber(reader: TokenReader, kind: "integer" | "decimal" | "double", text: string) {
  if (kind === "double") return new Double(Number(text));
  if (kind === "integer") {
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : BigInt(text);
  }
  return parseDecimal(text) ?? fail(reader, `"${text}" is too long`, `« ${text} » est trop long`);
}
