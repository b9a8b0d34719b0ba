import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ublFiles } from "../../xsl/xsd/generate_ubl.ts";
import { uncefactFiles } from "../../xsl/xsd/generate_uncefact.ts";

const FOLDER = resolve(import.meta.dirname ?? ".", "../../xsl/xsd");

Deno.test("the schemas in the project equal those generated from the tables", async () => {
  const files = {
    ...ublFiles(await table("ubl-2.1-model.tsv"), await table("ubl-2.1-datatypes.tsv")),
    ...await uncefact("cdar"),
    ...await uncefact("cii-d16b"),
    ...await uncefact("cii-d22b"),
  };
  for (const [path, text] of Object.entries(files)) {
    assertEquals(await readFile(`${FOLDER}/${path}`, "utf8"), text, path);
  }
});

async function uncefact(folder: string): Promise<Record<string, string>> {
  return uncefactFiles(
    folder,
    await table(`${folder}-model.tsv`),
    await table(`${folder}-datatypes.tsv`),
  );
}

async function table(name: string): Promise<string[][]> {
  const text = await readFile(`${FOLDER}/${name}`, "utf8");
  return text.split("\n").slice(1).filter((line) => line !== "").map((line) => line.split("\t"));
}
