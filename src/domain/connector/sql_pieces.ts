/** SQL dialect of a database. */
export type SqlDialect = "postgres" | "mysql" | "sqlite" | "mssql" | "oracle";

/**
 * Part of an SQL text.
 * - `parameter`: `:name`.
 * - `begin`, `end`: brackets of an optional clause (`[[ … ]]`, with blanks inside).
 * - `open`: a string or comment that is not closed.
 * - `hidden`: a comment that a server runs as code.
 */
export interface SqlToken {
  readonly kind: "code" | "quoted" | "comment" | "parameter" | "begin" | "end" | "open" | "hidden";
  readonly text: string;
}

/** A dollar sign belongs to the name, as in PostgreSQL. Declared names have none, so such a name is rejected. */
const NAME = /[A-Za-z_][A-Za-z0-9_$]*(?:\.[A-Za-z_][A-Za-z0-9_$]*)?/y;

export interface PieceOptions {
  readonly dialect?: SqlDialect;
  /** `[[ … ]]` is an optional clause. */
  readonly clauses?: boolean;
  /** `:claims.company` is one parameter. */
  readonly dotted?: boolean;
}

/** Returns the parts of a text in their order; together they are the text. */
export function tokenizeSql(sql: string, options: PieceOptions = {}): SqlToken[] {
  const found: SqlToken[] = [];
  let plain = 0;
  for (let at = 0; at < sql.length;) {
    const piece = pieceAt(sql, at, options);
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

/** Returns the piece that begins here; undefined for a character of plain code. */
function pieceAt(sql: string, at: number, options: PieceOptions): SqlToken | undefined {
  const { dialect = "postgres", clauses = false } = options;
  const two = sql.slice(at, at + 2);
  const before = sql[at - 1] ?? "";
  switch (sql[at]) {
    case "'":
      if (dialect === "oracle" && /q/i.test(before) && !/\w/.test(sql[at - 2] ?? "")) {
        return oracleQuoted(sql, at);
      }
      return readQuoted(sql, at, {
        escapes: dialect === "mysql" ||
          dialect === "postgres" && /e/i.test(before) && !/\w/.test(sql[at - 2] ?? ""),
      });
    case '"':
      return readQuoted(sql, at, { escapes: dialect === "mysql" });
    case "`":
      return dialect === "mysql" || dialect === "sqlite"
        ? readQuoted(sql, at, { escapes: false })
        : undefined;
    case "[":
      if (clauses && two === "[[" && /\s/.test(sql[at + 2] ?? "")) {
        return { kind: "begin", text: two };
      }
      return dialect === "sqlite" || dialect === "mssql" ? readBracketed(sql, at) : undefined;
    case "]":
      return clauses && two === "]]" && /\s/.test(before) ? { kind: "end", text: two } : undefined;
    case "$":
      return dialect === "postgres" && !/\w/.test(before) ? dollarQuoted(sql, at) : undefined;
    case "#":
      return dialect === "mysql" ? lineComment(sql, at) : undefined;
    case "-":
      // MySQL takes two dashes for a comment only before a blank.
      if (two !== "--" || dialect === "mysql" && !/^(\s|$)/.test(sql.slice(at + 2, at + 3))) {
        return undefined;
      }
      return lineComment(sql, at);
    case "/":
      return two === "/*" ? comment(sql, at, dialect) : undefined;
    case ":":
      return parameter(sql, at, options);
  }
  return undefined;
}

function lineComment(sql: string, at: number): SqlToken {
  return { kind: "comment", text: /^[^\n]*/.exec(sql.slice(at))?.[0] ?? "" };
}

function readQuoted(sql: string, at: number, { escapes }: { escapes: boolean }): SqlToken {
  const quote = sql[at];
  for (let end = at + 1; end < sql.length; end++) {
    if (escapes && sql[end] === "\\") end++;
    else if (sql[end] === quote && sql[end + 1] === quote) end++;
    else if (sql[end] === quote) return { kind: "quoted", text: sql.slice(at, end + 1) };
  }
  return { kind: "open", text: sql.slice(at) };
}

/** Reads `[a name]`, where `]]` is an escaped bracket in SQL Server. */
function readBracketed(sql: string, at: number): SqlToken {
  const [text] = /^\[(?:[^\]]|\]\])*\]/.exec(sql.slice(at)) ?? [];
  return text === undefined ? { kind: "open", text: sql.slice(at) } : { kind: "quoted", text };
}

const CLOSES: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}", "<": ">" };

/** Reads an Oracle literal such as `q'[it's]'`. */
function oracleQuoted(sql: string, at: number): SqlToken {
  const open = sql[at + 1] ?? "";
  const end = sql.indexOf(`${CLOSES[open] ?? open}'`, at + 2);
  return end < 0
    ? { kind: "open", text: sql.slice(at) }
    : { kind: "quoted", text: sql.slice(at, end + 2) };
}

function dollarQuoted(sql: string, at: number): SqlToken | undefined {
  const tag = /^\$(?:[A-Za-z_]\w*)?\$/.exec(sql.slice(at, at + 70))?.[0];
  if (tag === undefined) return undefined;
  const end = sql.indexOf(tag, at + tag.length);
  return end < 0
    ? { kind: "open", text: sql.slice(at) }
    : { kind: "quoted", text: sql.slice(at, end + tag.length) };
}

/** Comments nest in PostgreSQL and SQL Server, and MySQL and MariaDB run those that begin with `!`. */
function comment(sql: string, at: number, dialect: SqlDialect): SqlToken {
  const nests = dialect === "postgres" || dialect === "mssql";
  const kind = dialect === "mysql" && /^\/\*M?!/.test(sql.slice(at, at + 4)) ? "hidden" : "comment";
  let depth = 0;
  for (let end = at; end < sql.length; end++) {
    const two = sql.slice(end, end + 2);
    if (two === "/*") depth = nests ? depth + 1 : 1;
    else if (two === "*/") depth--;
    else continue;
    end++;
    if (depth === 0) return { kind, text: sql.slice(at, end + 1) };
  }
  return { kind: "open", text: sql.slice(at) };
}

/** Reads a parameter. A colon after another colon, a word or a bracket is a cast or the bounds of an array. */
function parameter(
  sql: string,
  at: number,
  { dotted = false }: PieceOptions,
): SqlToken | undefined {
  if (sql[at + 1] === ":") return { kind: "code", text: "::" };
  if (/[\w$\])"]/.test(sql[at - 1] ?? "") || sql[at - 1] === ":") return undefined;
  NAME.lastIndex = at + 1;
  const name = NAME.exec(sql)?.[0];
  if (name === undefined) return undefined;
  return { kind: "parameter", text: `:${dotted ? name : name.split(".")[0]}` };
}
