import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type SqlDialect, type SqlToken, tokenizeSql } from "./sql_pieces.ts";

/** Part of a named query: plain text, a value, or a clause that is included only if all its values are given. */
export type QueryPart =
  | { readonly text: string }
  | { readonly param: string }
  | { readonly clause: readonly QueryPart[] };

/** Each doubles the number of texts a query may have. */
const MAX_CLAUSES = 8;

const READS = ["select", "with", "values", "table"];
const WRITES = ["insert", "update", "delete", "merge", "replace", "with"];

/**
 * Explains why a text is no valid named query, or returns undefined. Without a dialect it is validated as
 * PostgreSQL.
 */
export function problemOfQuery(
  sql: string,
  { mode, dialect }: { mode: "read" | "write"; dialect: SqlDialect },
): Sentence | undefined {
  const pieces = tokenizeSql(sql, { dialect, clauses: true });
  if (pieces.some((it) => it.kind === "open")) return say`a string or comment is not closed`;
  if (pieces.some((it) => it.kind === "hidden")) return say`a comment that is run as code`;
  const plain = getPlain(pieces);
  if (plain.replace(/;\s*$/, "").includes(";")) return say`one statement is expected`;
  if (/\$\d|\?\d|@p\d/.test(plain)) return say`parameters are written :name`;
  const brackets = problemOfBrackets(plain);
  if (brackets) return brackets;
  const first = /^[(\s]*([a-z]+)/i.exec(plain)?.[1]?.toLowerCase() ?? "";
  if (mode === "read" && !READS.includes(first)) return say`a read query begins with ${READS}`;
  if (mode === "write" && !WRITES.includes(first)) return say`a write query begins with ${WRITES}`;
  return problemOfClauses(pieces);
}

function getPlain(pieces: readonly SqlToken[]): string {
  return pieces.map(({ kind, text }) =>
    kind === "code" ? text : kind === "begin" || kind === "end" || kind === "comment" ? " " : " x "
  ).join("").trim();
}

function problemOfBrackets(plain: string): Sentence | undefined {
  let depth = 0;
  for (const bracket of plain.match(/[()]/g) ?? []) {
    depth += bracket === "(" ? 1 : -1;
    if (depth < 0) break;
  }
  return depth === 0 ? undefined : say`the brackets do not pair`;
}

/** Validates the clauses: the brackets inside each are paired, and clauses are not nested. */
function problemOfClauses(pieces: readonly SqlToken[]): Sentence | undefined {
  let [inside, count, text] = [false, 0, ""];
  for (const { kind, ...piece } of pieces) {
    if (kind === "begin" === inside && (kind === "begin" || kind === "end")) {
      return say`the brackets of optional clauses do not pair`;
    }
    if (kind === "begin") [inside, count, text] = [true, count + 1, ""];
    else if (kind === "end") {
      const problem = problemOfBrackets(text);
      if (problem) return problem;
      inside = false;
    } else if (inside && kind === "code") text += piece.text;
  }
  if (inside) return say`the brackets of optional clauses do not pair`;
  return count > MAX_CLAUSES
    ? say`${count} optional clauses are too many; ${MAX_CLAUSES} are allowed`
    : undefined;
}

/** Returns the parameter names of a text, each once. */
export function paramsIn(sql: string, dialect: SqlDialect): string[] {
  const names = tokenizeSql(sql, { dialect, clauses: true }).filter((it) =>
    it.kind === "parameter"
  );
  return [...new Set(names.map((it) => it.text.slice(1)))];
}

/** Returns the parts of a text that `problemOfQuery` finds nothing wrong with, without the semicolon at its end. */
export function getParts(sql: string, dialect: SqlDialect): QueryPart[] {
  const parts: QueryPart[] = [];
  let clause: QueryPart[] | undefined;
  for (const { kind, text } of tokenizeSql(sql, { dialect, clauses: true })) {
    if (kind === "begin") clause = [];
    else if (kind === "end" && clause) {
      parts.push({ clause });
      clause = undefined;
    } else (clause ?? parts).push(kind === "parameter" ? { param: text.slice(1) } : { text });
  }
  return withoutSemicolon(parts);
}

function withoutSemicolon(parts: readonly QueryPart[]): QueryPart[] {
  const at = parts.findLastIndex((it) =>
    "text" in it && /;\s*$/.test(it.text) && !isComment(it.text)
  );
  return parts.map((it, index) =>
    index === at && "text" in it ? { text: it.text.replace(/;\s*$/, " ") } : it
  );
}

function isComment(text: string): boolean {
  return /^(--|\/\*|#)/.test(text);
}

/** Returns a condition on rows, with values of the caller: `company = :claims.company`. */
export function conditionParts(sql: string, dialect: SqlDialect): QueryPart[] {
  return tokenizeSql(sql, { dialect, dotted: true })
    .map(({ kind, text }) => kind === "parameter" ? { param: text.slice(1) } : { text });
}

/** Explains why a text cannot be a condition on rows, or returns undefined. */
export function problemOfCondition(sql: string, dialect: SqlDialect): Sentence | undefined {
  const pieces = tokenizeSql(sql, { dialect, dotted: true });
  if (pieces.some((it) => it.kind === "open")) return say`a string or comment is not closed`;
  if (pieces.some((it) => it.kind === "hidden")) return say`a comment that is run as code`;
  const plain = getPlain(pieces);
  if (plain.includes(";")) return say`one condition is expected`;
  const wrong = pieces.find((it) =>
    it.kind === "parameter" && !/^:(claims|user)\.\w+$/.test(it.text)
  );
  if (wrong) {
    return say`${wrong.text} is no value of the caller: write :claims.<name> or :user.<name>`;
  }
  return problemOfBrackets(plain);
}
