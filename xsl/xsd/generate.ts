/**
 * Writes the schemas of this folder from its tables of facts: `deno run -A xsl/xsd/generate.ts`. README.md
 * names the sources of the facts.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ublFiles } from "./generate_ubl.ts";
import { uncefactFiles } from "./generate_uncefact.ts";

const HERE = import.meta.dirname ?? ".";

const files = {
  ...ublFiles(await table("ubl-2.1-model.tsv"), await table("ubl-2.1-datatypes.tsv")),
  ...await uncefact("cdar"),
  ...await uncefact("cii-d16b"),
  ...await uncefact("cii-d22b"),
};
for (const [path, text] of Object.entries(files)) {
  await mkdir(dirname(`${HERE}/${path}`), { recursive: true });
  await writeFile(`${HERE}/${path}`, text);
}

async function uncefact(folder: string): Promise<Record<string, string>> {
  return uncefactFiles(
    folder,
    await table(`${folder}-model.tsv`),
    await table(`${folder}-datatypes.tsv`),
  );
}

async function table(name: string): Promise<string[][]> {
  const text = await readFile(`${HERE}/${name}`, "utf8");
  return text.split("\n").slice(1).filter((line) => line !== "").map((line) => line.split("\t"));
}
