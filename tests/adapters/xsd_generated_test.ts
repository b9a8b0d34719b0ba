import { assertEquals } from "@std/assert";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { cdarFiles } from "../../xsl/xsd/generate_cdar.ts";
import { ciiFiles } from "../../xsl/xsd/generate_cii.ts";
import { ublFiles } from "../../xsl/xsd/generate_ubl.ts";

const FOLDER = resolve(import.meta.dirname ?? ".", "../../xsl/xsd");

Deno.test("the schemas in the project are what the tables give", async () => {
  const files = {
    ...ublFiles(await table("ubl-2.1-model.tsv"), await table("ubl-2.1-datatypes.tsv")),
    ...cdarFiles(await table("cdar-model.tsv")),
    ...await cii("cii-d16b"),
    ...await cii("cii-d22b"),
  };
  for (const [path, text] of Object.entries(files)) {
    assertEquals(await readFile(`${FOLDER}/${path}`, "utf8"), text, path);
  }
});

async function cii(folder: string): Promise<Record<string, string>> {
  return ciiFiles(
    folder,
    await table(`${folder}-model.tsv`),
    await table(`${folder}-datatypes.tsv`),
  );
}

async function table(name: string): Promise<string[][]> {
  const text = await readFile(`${FOLDER}/${name}`, "utf8");
  return text.split("\n").slice(1).filter((line) => line !== "").map((line) => line.split("\t"));
}
