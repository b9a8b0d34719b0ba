import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCodeList, readRows, type Row } from "./lists.ts";

export type { Row } from "./lists.ts";

export const RULES = join(import.meta.dirname ?? ".", "..");
const TABLES = join(RULES, "en16931-ubl", "tables");
const LISTS = join(RULES, "codelists");

/** A table of the rule set. */
export function table(name: string): Row[] {
  return readRows(readFileSync(join(TABLES, `${name}.tsv`), "utf8"));
}

/** The codes of one list, or of several joined by `+`. */
export function codesOf(lists: string): string[] {
  return lists.split("+").flatMap((name) =>
    readCodeList(join(LISTS, `${name}.tsv`)).rows.map((row) => cell(row, "code"))
  );
}

export function cell(row: Row, column: string): string {
  const value = row[column];
  if (value === undefined) throw new Error(`no column ${column} in ${JSON.stringify(row)}`);
  return value;
}
