import { readFileSync } from "node:fs";
import { join } from "node:path";

export const RULES = join(import.meta.dirname ?? ".", "..");
const TABLES = join(RULES, "en16931-ubl", "tables");
const LISTS = join(RULES, "codelists");

/** One line of a tab-separated table, by column name; a column that the line leaves out is `""`. */
export type Row = Readonly<Record<string, string>>;

/** A table of the rule set. Lines starting with `#` are comments, the first other line names the columns. */
export function table(name: string): Row[] {
  return readRows(join(TABLES, `${name}.tsv`));
}

/** The codes of one list, or of several joined by `+`. */
export function codesOf(lists: string): string[] {
  return lists.split("+").flatMap((name) =>
    readRows(join(LISTS, `${name}.tsv`)).map((row) => cell(row, "code"))
  );
}

export function cell(row: Row, column: string): string {
  const value = row[column];
  if (value === undefined) throw new Error(`no column ${column} in ${JSON.stringify(row)}`);
  return value;
}

function readRows(path: string): Row[] {
  const lines = readFileSync(path, "utf8").split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const columns = (lines.shift() ?? "").split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]));
  });
}
