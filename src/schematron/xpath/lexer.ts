import { XPathSyntaxError } from "./faults.ts";

export interface Token {
  /** `name` covers QNames and `*:local`, `ns:*`; `op` every symbol; `end` closes the list. */
  readonly kind: "name" | "string" | "integer" | "decimal" | "double" | "op" | "end";
  readonly text: string;
  readonly at: number;
  /** Offset behind it. */
  readonly end: number;
}

const NCNAME = "[\\p{L}_][\\p{L}\\p{M}\\p{Nd}_.\\-·]*";
const NAME = new RegExp(
  `\\*:${NCNAME}|Q\\{[^{}]*\\}(?:${NCNAME}|\\*)|${NCNAME}(?::\\*|:${NCNAME}(?!:))?`,
  "uy",
);
const NUMBER = /(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][+-]?\d+)?/y;
const SYMBOLS = new Set("()[]{},.@$|+-*=<>/?!:;");
const PAIRS = new Set(["::", ":=", "..", "//", "<<", ">>", "<=", ">=", "!=", "||", "=>"]);

/** Splits an expression into tokens; comments `(: … :)` vanish, however deeply nested. */
export function tokens(source: string): Token[] {
  const list: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    if (char === " " || char === "\n" || char === "\t" || char === "\r") at++;
    else if (char === "(" && source.charAt(at + 1) === ":") at = commentEnd(source, at);
    else {
      const token = tokenAt(source, at, char);
      list.push(token);
      at = token.end;
    }
  }
  list.push({ kind: "end", text: "", at: source.length, end: source.length });
  return list;
}

function tokenAt(source: string, at: number, char: string): Token {
  if (char === "'" || char === '"') return stringAt(source, at, char);
  if (isDigit(char) || (char === "." && isDigit(source.charAt(at + 1)))) {
    return numberAt(source, at);
  }
  if (!SYMBOLS.has(char) || (char === "*" && source.charAt(at + 1) === ":")) {
    NAME.lastIndex = at;
    const name = NAME.exec(source)?.[0];
    if (name !== undefined) return { kind: "name", text: name, at, end: at + name.length };
  }
  const pair = source.slice(at, at + 2);
  if (PAIRS.has(pair)) return { kind: "op", text: pair, at, end: at + 2 };
  if (SYMBOLS.has(char)) return { kind: "op", text: char, at, end: at + 1 };
  const shown = source.slice(at, at + 12);
  throw new XPathSyntaxError(`unexpected "${shown}"`, `« ${shown} » inattendu`, at);
}

function isDigit(char: string): boolean {
  return char >= "0" && char <= "9";
}

/** Returns a literal; its delimiter inside is written twice. */
function stringAt(source: string, at: number, quote: string): Token {
  let end = source.indexOf(quote, at + 1);
  while (end >= 0 && source.charAt(end + 1) === quote) end = source.indexOf(quote, end + 2);
  if (end < 0) {
    const shown = source.slice(at, at + 12);
    throw new XPathSyntaxError(`unexpected "${shown}"`, `« ${shown} » inattendu`, at);
  }
  const inside = source.slice(at + 1, end);
  const text = inside.includes(quote) ? inside.replaceAll(quote + quote, quote) : inside;
  return { kind: "string", text, at, end: end + 1 };
}

function numberAt(source: string, at: number): Token {
  NUMBER.lastIndex = at;
  const text = NUMBER.exec(source)?.[0] ?? source.charAt(at);
  const kind = /[eE]/.test(text) ? "double" : text.includes(".") ? "decimal" : "integer";
  return { kind, text, at, end: at + text.length };
}

function commentEnd(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if (source.startsWith("(:", at)) {
      depth++;
      at++;
    } else if (source.startsWith(":)", at)) {
      depth--;
      at++;
      if (depth === 0) return at + 1;
    }
  }
  throw new XPathSyntaxError("a comment is not closed", "un commentaire n'est pas fermé", start);
}
