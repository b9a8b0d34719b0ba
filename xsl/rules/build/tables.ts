import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCodeList, readRows, type TsvRow } from "./lists.ts";

export type { TsvRow } from "./lists.ts";

export const RULES = join(import.meta.dirname ?? ".", "..");
const TABLES = join(RULES, "en16931-ubl", "tables");
const LISTS = join(RULES, "codelists");

/** Reads a table of the rule set. */
export function table(name: string): TsvRow[] {
  return readRows(readFileSync(join(TABLES, `${name}.tsv`), "utf8"));
}

/** Returns the codes of one list, or of several joined by `+`. */
export function getCodes(lists: string): string[] {
  return lists.split("+").flatMap((name) =>
    readCodeList(join(LISTS, `${name}.tsv`)).rows.map((row) => cell(row, "code"))
  );
}

export function cell(row: TsvRow, column: string): string {
  const value = row[column];
  if (value === undefined) throw new Error(`no column ${column} in ${JSON.stringify(row)}`);
  return value;
}
