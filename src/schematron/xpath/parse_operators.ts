import type { ArithmeticOp, ComparisonOp, Expr } from "./ast.ts";
import { FN } from "./namespaces.ts";
import { parsePath } from "./parse_paths.ts";
import {
  accept,
  acceptWord,
  clark,
  expect,
  fail,
  locate,
  next,
  parseSequenceType,
  parseSingle,
  peek,
  type TokenReader,
} from "./parser.ts";

const GENERAL: Readonly<Record<string, ComparisonOp>> = {
  "=": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
};
const VALUE: ReadonlySet<string> = new Set(["eq", "ne", "lt", "le", "gt", "ge"]);

export function parseOr(reader: TokenReader): Expr {
  return many(reader, "or", parseAnd);
}

function parseAnd(reader: TokenReader): Expr {
  return many(reader, "and", parseComparison);
}

function many(reader: TokenReader, t: "or" | "and", operand: (reader: TokenReader) => Expr): Expr {
  const from = reader.at;
  const first = operand(reader);
  if (peek(reader).kind !== "name" || peek(reader).text !== t) return first;
  const items = [first];
  while (acceptWord(reader, t)) items.push(operand(reader));
  return locate(reader, from, { t, items });
}

function parseComparison(reader: TokenReader): Expr {
  const from = reader.at;
  const left = parseConcat(reader);
  const { kind, text } = peek(reader);
  const general = kind === "op" ? GENERAL[text] : undefined;
  if (general !== undefined) {
    reader.at++;
    return locate(reader, from, { t: "general", op: general, left, right: parseConcat(reader) });
  }
  if (kind === "name" && isValueOp(text)) {
    reader.at++;
    return locate(reader, from, { t: "value", op: text, left, right: parseConcat(reader) });
  }
  if ((kind === "name" && text === "is") || (kind === "op" && (text === "<<" || text === ">>"))) {
    reader.at++;
    return locate(reader, from, {
      t: "order",
      op: text as "is",
      left,
      right: parseConcat(reader),
    });
  }
  return left;
}

function isValueOp(text: string): text is ComparisonOp {
  return VALUE.has(text);
}

function parseConcat(reader: TokenReader): Expr {
  const from = reader.at;
  const args = [parseRange(reader)];
  while (accept(reader, "||")) args.push(parseRange(reader));
  const [first] = args;
  return args.length === 1 && first !== undefined
    ? first
    : locate(reader, from, { t: "call", name: `{${FN}}concat`, args });
}

function parseRange(reader: TokenReader): Expr {
  const from = reader.at;
  const left = parseAdditive(reader);
  if (!acceptWord(reader, "to")) return left;
  return locate(reader, from, { t: "range", left, right: parseAdditive(reader) });
}

function parseAdditive(reader: TokenReader): Expr {
  const from = reader.at;
  let left = parseMultiplicative(reader);
  for (;;) {
    const op: ArithmeticOp | undefined = accept(reader, "+")
      ? "+"
      : accept(reader, "-")
      ? "-"
      : undefined;
    if (op === undefined) return left;
    left = locate(reader, from, { t: "arithmetic", op, left, right: parseMultiplicative(reader) });
  }
}

function parseMultiplicative(reader: TokenReader): Expr {
  const from = reader.at;
  let left = parseUnion(reader);
  for (;;) {
    const op = multiplicativeOp(reader);
    if (op === undefined) return left;
    left = locate(reader, from, { t: "arithmetic", op, left, right: parseUnion(reader) });
  }
}

function multiplicativeOp(reader: TokenReader): ArithmeticOp | undefined {
  if (accept(reader, "*")) return "*";
  if (acceptWord(reader, "div")) return "div";
  if (acceptWord(reader, "idiv")) return "idiv";
  return acceptWord(reader, "mod") ? "mod" : undefined;
}

function parseUnion(reader: TokenReader): Expr {
  const from = reader.at;
  let left = parseIntersect(reader);
  while (accept(reader, "|") || acceptWord(reader, "union")) {
    left = locate(reader, from, { t: "union", left, right: parseIntersect(reader) });
  }
  return left;
}

function parseIntersect(reader: TokenReader): Expr {
  const from = reader.at;
  let left = parseTypeOperators(reader);
  for (;;) {
    const t = acceptWord(reader, "intersect")
      ? "intersect"
      : acceptWord(reader, "except")
      ? "except"
      : undefined;
    if (t === undefined) return left;
    left = locate(reader, from, { t, left, right: parseTypeOperators(reader) });
  }
}

const TYPE_OPERATORS = [
  ["instance", "of"],
  ["treat", "as"],
  ["castable", "as"],
  ["cast", "as"],
] as const;

function parseTypeOperators(reader: TokenReader): Expr {
  const from = reader.at;
  let operand = parseArrow(reader);
  for (;;) {
    const found = TYPE_OPERATORS.find(([first, second]) =>
      peek(reader).kind === "name" && peek(reader).text === first && peek(reader, 1).text === second
    );
    if (found === undefined) return operand;
    reader.at += 2;
    operand = locate(reader, from, { t: found[0], operand, type: parseSequenceType(reader) });
  }
}

function parseArrow(reader: TokenReader): Expr {
  const from = reader.at;
  let left = parseUnary(reader);
  while (accept(reader, "=>")) {
    const token = next(reader);
    if (token.kind !== "name") {
      fail(reader, "a function name is expected", "un nom de fonction est attendu");
    }
    const name = clark(reader, token.text, FN);
    left = locate(reader, from, { t: "call", name, args: [left, ...parseArguments(reader)] });
  }
  return left;
}

export function parseArguments(reader: TokenReader): Expr[] {
  expect(reader, "(");
  const args: Expr[] = [];
  if (accept(reader, ")")) return args;
  do args.push(parseSingle(reader)); while (accept(reader, ","));
  expect(reader, ")");
  return args;
}

function parseUnary(reader: TokenReader): Expr {
  const from = reader.at;
  if (accept(reader, "-")) {
    return locate(reader, from, { t: "negate", operand: parseUnary(reader) });
  }
  if (accept(reader, "+")) return parseUnary(reader);
  let left = parsePath(reader);
  while (accept(reader, "!")) {
    left = locate(reader, from, { t: "map", left, right: parsePath(reader) });
  }
  return left;
}
