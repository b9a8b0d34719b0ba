import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { CANONICAL } from "../notification/context.ts";
import { INVOICE_COLUMNS } from "../notification/invoice_columns.ts";

/** SQL with `:name` parameters, as a driver takes it. */
export interface BoundSql {
  /** With `$1…$n` for the names. */
  readonly text: string;
  /** In the order of the numbers, each once. */
  readonly names: readonly string[];
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;

/** Replaces `:name` outside strings, quoted identifiers and comments; `::` and `:=` are left alone. */
export function bindNames(sql: string): BoundSql {
  const names: string[] = [];
  const text = pieces(sql).map(({ kind, text }) => {
    if (kind !== "parameter") return text;
    const name = text.slice(1);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  }).join("");
  return { text, names };
}

/** The name in a `{name}` of rules and endpoints, which SQL knows nothing of: no value would ever stand there. */
export function pastedPlaceholder(sql: string): string | undefined {
  const known = pieces(sql).filter((it) => it.kind === "code" || it.kind === "quoted")
    .flatMap(({ kind, text }) =>
      [...text.matchAll(/\{([A-Za-z]\w{0,60})\}/g)].map((match) => match[1] ?? "")
        .filter((name) => kind === "code" || PLACEHOLDERS.has(name))
    );
  return known[0];
}

/** In a string other words in braces may be meant: a path of JSON, an array. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([...CANONICAL, ...Object.keys(INVOICE_COLUMNS)]);

const READS = ["select", "with", "values", "table"];
const WRITES = ["insert", "update", "delete", "merge", "with", "select", "values"];

/** Why the text cannot be a query of a connector, or undefined: exactly one statement that reads or writes rows. */
export function problemOfSql(sql: string, { write }: { write: boolean }): Sentence | undefined {
  const pasted = pastedPlaceholder(sql);
  if (pasted) return say`values are bound: write :${pasted}, not {${pasted}}`;
  const code = pieces(sql).filter((it) => it.kind !== "comment");
  if (code.some((it) => it.kind === "open")) return say`a string or comment is not closed`;
  const plain = code.map((it) => it.kind === "code" ? it.text : " x ").join("").trim();
  if (plain.includes(";")) return say`one statement without a semicolon is expected`;
  if (/\$\d/.test(plain)) return say`parameters are written :name, not $1`;
  let depth = 0;
  for (const bracket of plain.match(/[()]/g) ?? []) {
    depth += bracket === "(" ? 1 : -1;
    if (depth < 0) break;
  }
  if (depth !== 0) return say`the brackets do not pair`;
  const first = /^[(\s]*([a-z]+)/i.exec(plain)?.[1]?.toLowerCase() ?? "";
  const allowed = write ? WRITES : READS;
  return allowed.includes(first)
    ? undefined
    : write
    ? say`a write query begins with ${allowed}`
    : say`a read query begins with ${allowed}`;
}

interface Piece {
  readonly kind: "code" | "quoted" | "comment" | "parameter" | "open";
  readonly text: string;
}

function pieces(sql: string): Piece[] {
  const found: Piece[] = [];
  let plain = 0;
  for (let at = 0; at < sql.length;) {
    const piece = pieceAt(sql, at);
    if (!piece) {
      at++;
      continue;
    }
    if (at > plain) found.push({ kind: "code", text: sql.slice(plain, at) });
    found.push(piece);
    plain = at += piece.text.length;
  }
  if (plain < sql.length) found.push({ kind: "code", text: sql.slice(plain) });
  return found;
}

/** What begins here and is no plain code; undefined for a character of code. */
function pieceAt(sql: string, at: number): Piece | undefined {
  const two = sql.slice(at, at + 2);
  const before = sql[at - 1] ?? "";
  switch (sql[at]) {
    case "'":
      return quoted(sql, at, { escapes: /e/i.test(before) && !/\w/.test(sql[at - 2] ?? "") });
    case '"':
      return quoted(sql, at, { escapes: false });
    case "$":
      return /\w/.test(before) ? undefined : dollarQuoted(sql, at);
    case "-":
      return two === "--"
        ? { kind: "comment", text: /^[^\n]*/.exec(sql.slice(at))?.[0] ?? "" }
        : undefined;
    case "/":
      return two === "/*" ? comment(sql, at) : undefined;
    case ":":
      return parameter(sql, at);
  }
  return undefined;
}

function quoted(sql: string, at: number, { escapes }: { escapes: boolean }): Piece {
  const quote = sql[at];
  for (let end = at + 1; end < sql.length; end++) {
    if (escapes && sql[end] === "\\") end++;
    else if (sql[end] === quote && sql[end + 1] === quote) end++;
    else if (sql[end] === quote) return { kind: "quoted", text: sql.slice(at, end + 1) };
  }
  return { kind: "open", text: sql.slice(at) };
}

function dollarQuoted(sql: string, at: number): Piece | undefined {
  const tag = /^\$(?:[A-Za-z_]\w*)?\$/.exec(sql.slice(at, at + 70))?.[0];
  if (tag === undefined) return undefined;
  const end = sql.indexOf(tag, at + tag.length);
  return end < 0
    ? { kind: "open", text: sql.slice(at) }
    : { kind: "quoted", text: sql.slice(at, end + tag.length) };
}

/** Comments nest in PostgreSQL. */
function comment(sql: string, at: number): Piece {
  let depth = 0;
  for (let end = at; end < sql.length; end++) {
    const two = sql.slice(end, end + 2);
    if (two === "/*") depth++;
    else if (two === "*/") depth--;
    else continue;
    end++;
    if (depth === 0) return { kind: "comment", text: sql.slice(at, end + 1) };
  }
  return { kind: "open", text: sql.slice(at) };
}

/** Not after another colon, a word or a bracket, where it is a cast or the bounds of an array. */
function parameter(sql: string, at: number): Piece | undefined {
  if (sql[at + 1] === ":") return { kind: "code", text: "::" };
  if (/[\w\])"]/.test(sql[at - 1] ?? "") || sql[at - 1] === ":") return undefined;
  NAME.lastIndex = at + 1;
  const name = NAME.exec(sql)?.[0];
  return name === undefined ? undefined : { kind: "parameter", text: `:${name}` };
}
