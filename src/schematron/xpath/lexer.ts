import { XPathSyntaxError } from "./faults.ts";

export interface Token {
  /** `name` covers QNames and `*:local`, `ns:*`; `op` every symbol; `end` closes the list. */
  readonly kind: "name" | "string" | "integer" | "decimal" | "double" | "op" | "end";
  readonly text: string;
  readonly at: number;
}

const NCNAME = "[\\p{L}_][\\p{L}\\p{M}\\p{Nd}_.\\-·]*";
const TOKEN = new RegExp(
  [
    "\\s+",
    `(?<name>\\*:${NCNAME}|${NCNAME}:\\*|${NCNAME}:${NCNAME}(?!:)|Q\\{[^{}]*\\}(?:${NCNAME}|\\*)|${NCNAME})`,
    "(?<double>(?:\\.\\d+|\\d+(?:\\.\\d*)?)[eE][+-]?\\d+)",
    "(?<decimal>\\.\\d+|\\d+\\.\\d*(?!\\.))",
    "(?<integer>\\d+)",
    `(?<string>"(?:[^"]|"")*"|'(?:[^']|'')*')`,
    "(?<op>::|:=|\\.\\.|//|<<|>>|<=|>=|!=|\\|\\||=>|[()\\[\\]{},.@$|+\\-*=<>/?!:;])",
  ].join("|"),
  "uy",
);

/** Splits an expression into tokens; comments `(: … :)` vanish, however deeply nested. */
export function tokens(source: string): Token[] {
  const list: Token[] = [];
  let at = 0;
  while (at < source.length) {
    if (source.startsWith("(:", at)) {
      at = commentEnd(source, at);
      continue;
    }
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(source);
    if (match === null) {
      const shown = source.slice(at, at + 12);
      throw new XPathSyntaxError(`unexpected "${shown}"`, `« ${shown} » inattendu`, at);
    }
    const token = tokenOf(match, at);
    if (token !== undefined) list.push(token);
    at += match[0].length;
  }
  list.push({ kind: "end", text: "", at: source.length });
  return list;
}

function tokenOf(match: RegExpExecArray, at: number): Token | undefined {
  const text = match[0];
  const groups = match.groups ?? {};
  for (const kind of ["name", "op", "string", "integer", "decimal", "double"] as const) {
    if (groups[kind] === undefined) continue;
    if (kind !== "string") return { kind, text, at };
    const quote = text.slice(0, 1);
    return { kind, text: text.slice(1, -1).replaceAll(quote + quote, quote), at };
  }
  return undefined;
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
