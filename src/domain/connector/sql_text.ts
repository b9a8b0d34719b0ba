import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { CANONICAL } from "../notification/context.ts";
import { INVOICE_COLUMNS } from "../notification/invoice_columns.ts";
import { piecesOf } from "./sql_pieces.ts";

/** SQL with `:name` parameters, as a driver takes it. */
interface BoundSql {
  /** With `$1…$n` for the names. */
  readonly text: string;
  /** In the order of the numbers, each once. */
  readonly names: readonly string[];
}

/** Replaces `:name` outside strings, quoted identifiers and comments; `::` and `:=` are left alone. */
export function bindNames(sql: string): BoundSql {
  const names: string[] = [];
  const text = piecesOf(sql).map(({ kind, text }) => {
    if (kind !== "parameter") return text;
    const name = text.slice(1);
    if (!names.includes(name)) names.push(name);
    return `$${names.indexOf(name) + 1}`;
  }).join("");
  return { text, names };
}

/** The name in a `{name}` of rules and endpoints, which SQL knows nothing of: no value would ever stand there. */
export function pastedPlaceholder(sql: string): string | undefined {
  const known = piecesOf(sql).filter((it) => it.kind === "code" || it.kind === "quoted")
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
  const code = piecesOf(sql).filter((it) => it.kind !== "comment");
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
