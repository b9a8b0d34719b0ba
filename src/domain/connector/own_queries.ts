import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { piecesOf } from "./sql_pieces.ts";

const words = (text: string) => text.trim().split(/\s+/);

/** What stands before a bracket and calls nothing. */
const SYNTAX = words(`
  all and any as asc between by case cross cube desc distinct else end except exists filter following from full
  grouping group having ilike in inner intersect is join lateral left like limit materialized not null offset on or order outer over
  partition preceding range right rollup rows select sets similar some then to union using values when where with within
  char character decimal interval numeric time timestamp varchar
`);
/** Cheap for their arguments, without effect and without a way to run text as SQL. */
const FUNCTIONS = words(`
  abs age array array_agg array_length avg bool_and bool_or cardinality cast ceil ceiling char_length coalesce concat concat_ws
  corr count cume_dist current_date current_timestamp date date_part date_trunc dense_rank every extract first_value floor
  format_type greatest initcap json_agg json_build_object json_object_agg jsonb_agg jsonb_build_object lag last_value lead least left
  length localtimestamp lower ltrim make_date max min mod mode now nth_value ntile nullif octet_length percent_rank
  percentile_cont percentile_disc position power rank replace right round row row_number rtrim sign split_part sqrt starts_with stddev
  string_agg strpos substr substring sum to_char to_date to_number to_timestamp trim trunc upper variance
`);
const KNOWN = new Set([...SYNTAX, ...FUNCTIONS]);

/**
 * Why a text may not run on the product's own database, or undefined. Its role reads views alone, but SQL has functions that take the
 * product's locks, sleep, or make rows without end, and a query beside the product would hold up everybody: what may be called is a list.
 */
export function problemOfOwnQuery(sql: string): Sentence | undefined {
  const plain = piecesOf(sql, { dialect: "postgres", clauses: true, dotted: true }).map((it) =>
    it.kind === "code"
      ? it.text
      : it.kind === "quoted"
      ? (it.text.startsWith('"') ? ' "q" ' : " 0 ")
      : it.kind === "parameter"
      ? " 0 "
      : " "
  ).join("");
  if (/\brecursive\b/i.test(plain)) {
    return say`nothing recursive runs on the product's own database`;
  }
  if (/\bu&\s*"/i.test(plain)) return say`names are written without escapes`;
  for (const [, name = ""] of plain.matchAll(/("q"|[A-Za-z_][\w$]*)\s*\(/g)) {
    if (KNOWN.has(name.toLowerCase())) continue;
    return name === '"q"'
      ? say`a quoted name cannot be called on the product's own database`
      : say`${name} is none of the functions that may be called on the product's own database`;
  }
  return undefined;
}
