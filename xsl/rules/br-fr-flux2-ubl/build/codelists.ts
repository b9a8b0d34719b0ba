/** Code lists of `xsl/rules/codelists-fr` for the rules. */

import { fileURLToPath } from "node:url";
import { readCodeList, type TsvRow } from "../../build/lists.ts";

export function readList(name: string): readonly TsvRow[] {
  const path = new URL(`../../codelists-fr/${name}.tsv`, import.meta.url);
  return readCodeList(fileURLToPath(path)).rows;
}

/** Returns the codes of a list, optionally only those with a given word in a column. */
export function codes(name: string, column?: string, word?: string): readonly string[] {
  return readList(name)
    .filter((row) => column === undefined || row[column]?.split(" ").includes(word ?? ""))
    .map((row) => row["code"] ?? "");
}

/** Returns an XPath sequence of strings. */
export function sequence(values: readonly string[]): string {
  return `(${values.map((value) => `'${value}'`).join(", ")})`;
}

/** Returns all spellings of a rate with up to two decimals and no other superfluous digit: 5.5 and 5.50. */
export function spellings(rate: string): readonly string[] {
  const decimals = rate.split(".")[1]?.length ?? 0;
  const padded = Array.from({ length: 3 - decimals }, (_, zeros) => "0".repeat(zeros));
  return padded.map((zeros) => rate + (zeros !== "" && decimals === 0 ? "." : "") + zeros);
}
