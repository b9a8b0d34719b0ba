import { assertEquals, assertThrows } from "@std/assert";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCodeList } from "../../xsl/rules/build/lists.ts";
import { RULES } from "../../xsl/rules/build/tables.ts";

const FILES = ["codelists", "codelists-fr"].flatMap((folder) =>
  readdirSync(join(RULES, folder)).filter((it) => it.endsWith(".tsv"))
    .map((it) => join(RULES, folder, it))
);

Deno.test("every code list says who maintains it and as of which release, and holds no line twice", () => {
  assertEquals(FILES.length, 38);
  for (const file of FILES) {
    const { title, origin, version, rows } = readCodeList(file);
    for (const said of [title, origin, version]) assertEquals(said.trim() !== "", true, file);
    const codes = rows.map((row) => JSON.stringify(row));
    assertEquals(codes.length > 0 && new Set(codes).size === codes.length, true, file);
  }
});

Deno.test("the UBL binding's codes of the VAT point date are those of UNTDID 2005", () => {
  const { origin, rows } = readCodeList(join(RULES, "codelists", "untdid-2005.tsv"));
  assertEquals(origin.includes("UNTDID 2005"), true);
  assertEquals(rows.map((row) => row["code"]), ["3", "35", "432"]);
});

Deno.test("a code list that does not say its version builds nothing", async () => {
  const file = await Deno.makeTempFile({ suffix: ".tsv" });
  writeFileSync(file, "# title: T\n# origin: O\ncode\n1\n");
  assertThrows(() => readCodeList(file), Error, 'has no line "# version: …"');
  await Deno.remove(file);
});
