/** The code lists of `xsl/rules/codelists-fr`, as the rules use them. */

import { fileURLToPath } from "node:url";
import { readCodeList, type Row } from "../../build/lists.ts";

export function readList(name: string): readonly Row[] {
  const path = new URL(`../../codelists-fr/${name}.tsv`, import.meta.url);
  return readCodeList(fileURLToPath(path)).rows;
}

/** The codes of a list, or those whose column holds the given word. */
export function codes(name: string, column?: string, word?: string): readonly string[] {
  return readList(name)
    .filter((row) => column === undefined || row[column]?.split(" ").includes(word ?? ""))
    .map((row) => row["code"] ?? "");
}

/** An XPath sequence of strings. */
export function sequence(values: readonly string[]): string {
  return `(${values.map((value) => `'${value}'`).join(", ")})`;
}

/** Every way a rate may be spelled with no superfluous digit but up to two decimals: 5.5 and 5.50. */
export function spellings(rate: string): readonly string[] {
  const decimals = rate.split(".")[1]?.length ?? 0;
  const padded = Array.from({ length: 3 - decimals }, (_, zeros) => "0".repeat(zeros));
  return padded.map((zeros) => rate + (zeros !== "" && decimals === 0 ? "." : "") + zeros);
}
