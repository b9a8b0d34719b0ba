import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Returns every XML file in a folder and its subfolders. */
export function xmlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.xml$/i.test(name)).sort().map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}
