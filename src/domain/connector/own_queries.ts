import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { tokenizeSql } from "./sql_pieces.ts";

const words = (text: string) => text.trim().split(/\s+/);

/** SQL keywords that can precede a bracket without calling a function. */
const SYNTAX = words(`
  all and any as asc between by case cross cube desc distinct else end except exists filter following from full
  grouping group having ilike in inner intersect is join lateral left like limit materialized not null offset on or order outer over
  partition preceding range right rollup rows select sets similar some then to union using values when where with within
  char character decimal interval numeric time timestamp varchar
`);
/** Cheap for their arguments, without effect and without a way to run text as SQL. `replace` may only shorten its text. */
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
 * Explains why a query may not run on the product's own database; undefined if it may. The database role reads
 * views only, but SQL functions can take the product's locks, sleep or produce endless rows. Such a query would
 * slow down every user, so only listed functions are allowed.
 */
export function problemOfOwnQuery(sql: string): Sentence | undefined {
  const plain = tokenizeSql(sql, { dialect: "postgres", clauses: true, dotted: true }).map((it) =>
    it.kind === "code"
      ? it.text
      : it.kind === "quoted"
      ? (it.text.startsWith('"') ? ' "q" ' : ` ${measureLength(it.text)} `)
      : it.kind === "parameter"
      ? " $1 "
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
      : say`${name} is not a function allowed on the product's own database`;
  }
  for (const { index } of plain.matchAll(/\breplace\s*\(/gi)) {
    const [, from, to] = argumentsAt(plain, plain.indexOf("(", index) + 1);
    if (isLength(from) && isLength(to) && Number(to) <= Number(from)) continue;
    return say`replace takes two constant texts on the product's own database, the second no longer than the first`;
  }
  return undefined;
}

/** Measures a plain text constant. An escape or a dollar quote has no length here: its value may be shorter than its text. */
function measureLength(quoted: string): string {
  return quoted.startsWith("'") ? String(quoted.slice(1, -1).replaceAll("''", "'").length) : "$2";
}

function isLength(argument = ""): boolean {
  return /^\s*\d+\s*$/.test(argument);
}

/** Splits the arguments of a call at their commas, from its opening bracket on. */
function argumentsAt(plain: string, start: number): string[] {
  const found = [""];
  let depth = 0;
  for (const it of plain.slice(start)) {
    if (it === ")" && depth-- === 0) break;
    if (it === "(") depth++;
    if (it === "," && depth === 0) found.push("");
    else found[found.length - 1] += it;
  }
  return found;
}

/** Functions that take a role down within one SELECT, run text as SQL, or leave the tables for files, large objects and servers. */
const ESCAPES =
  /^(set_config|(query|cursor|table|schema|database)_to_xml\w*|ts_stat|ts_rewrite|dblink\w*|lo_\w+|loread|lowrite|pg_(read|ls|write|file|stat_file|logical|terminate|cancel)\w*|xpath_table|crosstab\w*|connectby)$/i;

const CALL = /(?:"([^"]*)"|([A-Za-z_][\w$]*))\s*\(/g;

/**
 * Explains why a text may not run on a PostgreSQL pool with a `read_role`, or returns undefined. The role is set
 * within a session of the pool's user, so these functions would undo it. A function of the database itself may do
 * the same: only `read_user` is a barrier.
 */
export function problemOfRoleQuery(sql: string): Sentence | undefined {
  const plain = tokenizeSql(sql, { dialect: "postgres", clauses: true, dotted: true }).map((it) =>
    it.kind === "code" || it.kind === "quoted" && it.text.startsWith('"') ? it.text : " "
  ).join("");
  if (/\bu&\s*"/i.test(plain)) return say`names are written without escapes`;
  for (const [, quoted, word] of plain.matchAll(CALL)) {
    const name = quoted ?? word ?? "";
    if (ESCAPES.test(name)) {
      return say`${name} would undo the read_role of the pool: give its reads a read_user`;
    }
  }
  return undefined;
}
