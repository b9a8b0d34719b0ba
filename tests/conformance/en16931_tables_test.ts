import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, parts } from "../../xsl/rules/build/build.ts";
import { RULES } from "../../xsl/rules/build/tables.ts";

Deno.test("the committed EN 16931 schemas are generated from the tables", () => {
  for (const [path, content] of build()) {
    assertEquals(readFileSync(join(RULES, path), "utf8"), content, `${path} is not up to date`);
  }
});

Deno.test("the entry of EN 16931 includes every part once, with its messages", () => {
  const entry = readFileSync(join(RULES, "en16931-ubl", "en16931-ubl.sch"), "utf8");
  const included = [...entry.matchAll(/<include href="([^"]+)"/g)].map(([, path]) => path);
  const built = [...build().keys()].map((path) => path.replace("en16931-ubl/", ""));
  assertEquals(included.toSorted(), built.toSorted());
});

Deno.test("EN 16931 has 979 rules, each with its own number and a sentence in both languages", () => {
  const rules = parts().flatMap((part) => part.rules);
  assertEquals(rules.length, 979);
  assertEquals(new Set(rules.map((rule) => rule.id)).size, 979);
  const mute = rules.filter((rule) => rule.en.trim() === "" || rule.fr.trim() === "");
  assertEquals(mute.map((rule) => rule.id), []);
});

Deno.test("every rule of EN 16931 names its business terms, but for attributes and unused elements without any", () => {
  const without = parts().flatMap((part) => part.rules).filter((rule) => rule.terms === "");
  const families = new Set(without.map((rule) => rule.id.replace(/-\d+$/, "")));
  assertEquals([...families].sort(), ["UBL-CR", "UBL-DT"]);
});
