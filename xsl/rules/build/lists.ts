import { readFileSync } from "node:fs";
import { basename } from "node:path";

/** Line of a tab-separated table by column name; a missing column is `""`. */
export type TsvRow = Readonly<Record<string, string>>;

export interface CodeList {
  readonly title: string;
  /** Maintainer of the list, with its number. */
  readonly origin: string;
  /** Release that the codes were taken from. */
  readonly version: string;
  readonly rows: readonly TsvRow[];
}

/** Reads a code list of either folder. Throws if it declares no origin or version. */
export function readCodeList(path: string): CodeList {
  const text = readFileSync(path, "utf8");
  const describe = (key: string): string => {
    const value = new RegExp(`^# ${key}: (.+)$`, "m").exec(text)?.[1];
    if (value === undefined) throw new Error(`${basename(path)} has no line "# ${key}: …"`);
    return value;
  };
  return {
    title: describe("title"),
    origin: describe("origin"),
    version: describe("version"),
    rows: readRows(text),
  };
}

/** Parses a table. Lines that start with `#` are comments; the first other line names the columns. */
export function readRows(text: string): TsvRow[] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const columns = (lines.shift() ?? "").split("\t");
  return lines.map((line) => {
    const cells = line.split("\t");
    return Object.fromEntries(columns.map((column, i) => [column, cells[i] ?? ""]));
  });
}
