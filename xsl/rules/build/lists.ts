import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** One line of a tab-separated table, by column name; a column that the line leaves out is `""`. */
export type Row = Readonly<Record<string, string>>;

export interface CodeList {
  readonly title: string;
  /** Who maintains the list, with its number. */
  readonly origin: string;
  /** The release the codes were taken as of. */
  readonly version: string;
  readonly rows: readonly Row[];
}

/** Reads a code list of either folder; one that does not say where it comes from, and as of when, builds nothing. */
export function readCodeList(path: string): CodeList {
  const text = readFileSync(path, "utf8");
  const said = (key: string): string => {
    const value = new RegExp(`^# ${key}: (.+)$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`${basename(path)} has no line "# ${key}: …"`);
    return value;
  };
  return {
    title: said("title"),
    origin: said("origin"),
    version: said("version"),
    rows: readRows(text),
  };
}

/** Lines starting with `#` are comments, the first other line names the columns. */
export function readRows(text: string): Row[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const columns = (lines.shift() ?? "").split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]));
  });
}
