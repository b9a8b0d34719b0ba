import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { CANONICAL } from "../notification/context.ts";
import { INVOICE_COLUMNS } from "../notification/invoice_columns.ts";
import { type SqlDialect, tokenizeSql } from "./sql_pieces.ts";

/** SQL with `:name` parameters, as a driver takes it. */
interface BoundSql {
  /** The statement with the dialect's own parameters. */
  readonly text: string;
  /** The name of each parameter, in order. */
  readonly names: readonly string[];
}

const PARAMETER: Readonly<Record<SqlDialect, (at: number) => string>> = {
  postgres: (at) => `$${at}`,
  sqlite: (at) => `?${at}`,
  mssql: (at) => `@p${at}`,
  oracle: (at) => `:p${at}`,
  mysql: () => "?",
};

/** Replaces `:name` outside strings, quoted identifiers and comments; `::` and `:=` are left alone. */
export function bindNames(sql: string, dialect: SqlDialect = "postgres"): BoundSql {
  const names: string[] = [];
  const text = tokenizeSql(sql, { dialect }).map(({ kind, text }) => {
    if (kind !== "parameter") return text;
    const name = text.slice(1);
    const known = dialect === "mysql" ? -1 : names.indexOf(name); // MySQL numbers no parameter
    const at = known < 0 ? names.push(name) : known + 1;
    return PARAMETER[dialect](at);
  }).join("");
  return { text, names };
}

/**
 * Returns the name in a `{name}` of rules and endpoints. SQL does not support these placeholders, so they would
 * never be filled.
 */
export function pastedPlaceholder(sql: string): string | undefined {
  const known = tokenizeSql(sql).filter((it) => it.kind === "code" || it.kind === "quoted")
    .flatMap(({ kind, text }) =>
      [...text.matchAll(/\{([A-Za-z]\w{0,60})\}/g)].map((match) => match[1] ?? "")
        .filter((name) => kind === "code" || PLACEHOLDERS.has(name))
    );
  return known[0];
}

/** Braces in a string may be valid with other names: a JSON path or an array. */
const PLACEHOLDERS: ReadonlySet<string> = new Set([...CANONICAL, ...Object.keys(INVOICE_COLUMNS)]);

const READS = ["select", "with", "values", "table"];
const WRITES = ["insert", "update", "delete", "merge", "with", "select", "values"];

/**
 * Explains why the text cannot be a query of a connector, or returns undefined: exactly one statement that reads
 * or writes rows.
 */
export function problemOfSql(sql: string, { write }: { write: boolean }): Sentence | undefined {
  const pasted = pastedPlaceholder(sql);
  if (pasted) return say`values are bound: write :${pasted}, not {${pasted}}`;
  const code = tokenizeSql(sql).filter((it) => it.kind !== "comment");
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
