import type { ClarkName, Expr, SequenceType, Span } from "./ast.ts";
import { XPathSyntaxError } from "./faults.ts";
import { type Token, tokens } from "./lexer.ts";
import { parseOr } from "./parse_operators.ts";
import { XS } from "./namespaces.ts";

export interface TokenReader {
  readonly list: readonly Token[];
  readonly prefixes: ReadonlyMap<string, string>;
  at: number;
  depth: number;
}

type Shape<E> = E extends unknown ? Omit<E, "span"> : never;
const MAX_DEPTH = 200;

/** Parses an expression of XPath 2.0 (with `||`, `!`, `let`, `=>` of 3.1); prefixes are resolved here. */
export function parseXPath(source: string, prefixes: ReadonlyMap<string, string>): Expr {
  const reader: TokenReader = { list: tokens(source), prefixes, at: 0, depth: 0 };
  const expr = parseExpr(reader);
  const rest = peek(reader);
  if (rest.kind !== "end") fail(reader, `unexpected "${rest.text}"`, `« ${rest.text} » inattendu`);
  return expr;
}

/** `Expr`: single expressions with commas between. */
export function parseExpr(reader: TokenReader): Expr {
  const from = reader.at;
  const items = [parseSingle(reader)];
  while (accept(reader, ",")) items.push(parseSingle(reader));
  const [first] = items;
  return items.length === 1 && first !== undefined
    ? first
    : locate(reader, from, { t: "sequence", items });
}

export function parseSingle(reader: TokenReader): Expr {
  if (++reader.depth > MAX_DEPTH) {
    fail(reader, "the expression is nested too deeply", "l'expression est trop imbriquée");
  }
  const word = peek(reader).text;
  const next = peek(reader, 1).text;
  let expr: Expr;
  if (peek(reader).kind !== "name") expr = parseOr(reader);
  else if (next === "$" && isBinder(word)) expr = parseBinder(reader, word);
  else if (word === "if" && next === "(") expr = parseIf(reader);
  else expr = parseOr(reader);
  reader.depth--;
  return expr;
}

function isBinder(word: string): word is "for" | "let" | "some" | "every" {
  return word === "for" || word === "let" || word === "some" || word === "every";
}

function parseBinder(reader: TokenReader, t: "for" | "let" | "some" | "every"): Expr {
  const from = reader.at++;
  const bound: { name: ClarkName; over: Expr }[] = [];
  do {
    expect(reader, "$");
    const name = variableName(reader);
    if (acceptWord(reader, "as")) parseSequenceType(reader);
    if (t === "let") expect(reader, ":=");
    else expectWord(reader, "in");
    bound.push({ name, over: parseSingle(reader) });
  } while (accept(reader, ","));
  expectWord(reader, t === "some" || t === "every" ? "satisfies" : "return");
  const body = parseSingle(reader);
  return bound.reduceRight<Expr>((then, { name, over }) => {
    return locate(reader, from, { t, name, over, then });
  }, body);
}

function parseIf(reader: TokenReader): Expr {
  const from = reader.at++;
  expect(reader, "(");
  const when = parseExpr(reader);
  expect(reader, ")");
  expectWord(reader, "then");
  const then = parseSingle(reader);
  expectWord(reader, "else");
  return locate(reader, from, { t: "if", when, then, otherwise: parseSingle(reader) });
}

const OCCURS = { "?": "optional", "*": "many", "+": "some" } as const;

export function parseSequenceType(reader: TokenReader): SequenceType {
  const token = next(reader);
  if (token.kind !== "name") fail(reader, "a type is expected", "un type est attendu");
  if (!accept(reader, "(")) {
    return { name: atomicName(reader, token), node: undefined, occurs: occurs(reader) };
  }
  const inside: string[] = [];
  while (!accept(reader, ")")) {
    if (peek(reader).kind === "end") fail(reader, '")" is missing', "« ) » manque");
    inside.push(next(reader).text);
  }
  switch (token.text) {
    case "empty-sequence":
      return { name: "empty", node: undefined, occurs: "empty" };
    case "item":
      return { name: "item", node: undefined, occurs: occurs(reader) };
    default:
      return { name: "node", node: kindTest(reader, token.text, inside), occurs: occurs(reader) };
  }
}

/** Returns the test behind `element(cbc:ID)`, `text()`, `node()` and their like. */
export function kindTest(reader: TokenReader, kind: string, inside: readonly string[]) {
  const [name] = inside;
  const named = name === undefined || name === "*" ? undefined : clark(reader, name, "");
  switch (kind) {
    case "node":
    case "text":
    case "comment":
      return { test: kind } as const;
    case "document-node":
      return { test: "document" } as const;
    case "processing-instruction":
      return { test: "instruction", target: name } as const;
    case "element":
    case "attribute":
      return named === undefined
        ? { test: kind } as const
        : { test: "name", ns: getNamespace(named), local: getLocal(named) } as const;
    default:
      return fail(reader, `"${kind}()" is not a type`, `« ${kind}() » n'est pas un type`);
  }
}

function occurs(reader: TokenReader): "one" | "optional" | "many" | "some" {
  const sign = peek(reader).text;
  if (sign !== "?" && sign !== "*" && sign !== "+") return "one";
  reader.at++;
  return OCCURS[sign];
}

function atomicName(reader: TokenReader, token: Token): string {
  const name = clark(reader, token.text, XS);
  if (getNamespace(name) !== XS) {
    fail(reader, `the type ${token.text} is unknown`, `le type ${token.text} est inconnu`);
  }
  return getLocal(name);
}

export function variableName(reader: TokenReader): ClarkName {
  const token = next(reader);
  if (token.kind !== "name") {
    fail(reader, "a variable name is expected", "un nom de variable est attendu");
  }
  return clark(reader, token.text, "");
}

/** Expands a QName; `fallback` is the namespace of names without prefix. */
export function clark(reader: TokenReader, qname: string, fallback: string): ClarkName {
  if (qname.startsWith("Q{")) return qname.slice(1);
  const colon = qname.indexOf(":");
  if (colon < 0) return `{${fallback}}${qname}`;
  const prefix = qname.slice(0, colon);
  const ns = reader.prefixes.get(prefix);
  if (ns === undefined) {
    fail(
      reader,
      `the prefix ${prefix} is not declared`,
      `le préfixe ${prefix} n'est pas déclaré`,
      -1,
    );
  }
  return `{${ns}}${qname.slice(colon + 1)}`;
}

export function getNamespace(name: ClarkName): string {
  return name.slice(1, name.lastIndexOf("}"));
}

export function getLocal(name: ClarkName): string {
  return name.slice(name.lastIndexOf("}") + 1);
}

export function peek(reader: TokenReader, ahead = 0): Token {
  return reader.list[reader.at + ahead] ?? { kind: "end", text: "", at: 0, end: 0 };
}

export function next(reader: TokenReader): Token {
  const token = peek(reader);
  if (token.kind !== "end") reader.at++;
  return token;
}

export function accept(reader: TokenReader, symbol: string): boolean {
  const token = peek(reader);
  if (token.kind !== "op" || token.text !== symbol) return false;
  reader.at++;
  return true;
}

export function acceptWord(reader: TokenReader, word: string): boolean {
  const token = peek(reader);
  if (token.kind !== "name" || token.text !== word) return false;
  reader.at++;
  return true;
}

export function expect(reader: TokenReader, symbol: string): void {
  if (!accept(reader, symbol)) failExpected(reader, symbol);
}

function expectWord(reader: TokenReader, word: string): void {
  if (!acceptWord(reader, word)) failExpected(reader, word);
}

function failExpected(reader: TokenReader, wanted: string): never {
  const found = peek(reader).kind === "end" ? "the end" : `"${peek(reader).text}"`;
  const fr = peek(reader).kind === "end" ? "la fin" : `« ${peek(reader).text} »`;
  fail(reader, `"${wanted}" is expected, found ${found}`, `« ${wanted} » attendu, trouvé ${fr}`);
}

export function fail(reader: TokenReader, en: string, fr: string, shift = 0): never {
  throw new XPathSyntaxError(en, fr, peek(reader, shift).at);
}

export function locate(reader: TokenReader, from: number, shape: Shape<Expr>): Expr {
  return { ...shape, span: spanFrom(reader, from) };
}

export function spanFrom(reader: TokenReader, from: number): Span {
  return { list: reader.list, from, to: reader.at };
}
