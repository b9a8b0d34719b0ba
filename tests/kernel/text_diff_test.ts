import { assertEquals } from "@std/assert";
import { applyPatch } from "diff";
import { unifiedDiff } from "#src/kernel/text_diff.ts";

Deno.test("a diff has git's file names and turns the old text into the new one", () => {
  const diff = unifiedDiff("a\nb\nc\n", "a\nB\nc\nd", "x.yaml");
  assertEquals(diff.split("\n").slice(0, 3), ["--- a/x.yaml", "+++ b/x.yaml", "@@ -1,3 +1,4 @@"]);
  assertEquals(applyPatch("a\nb\nc\n", diff), "a\nB\nc\nd");
  assertEquals(unifiedDiff("a\n", "a\n", "x.yaml"), "");
});

Deno.test("texts with thousands of different lines are shown as one replaced by the other", () => {
  const lines = (word: string) =>
    Array.from({ length: 3_000 }, (_, n) => `${word} ${n}\n`).join("") + word;
  const diff = unifiedDiff(lines("old"), lines("new"), "x.yaml");
  assertEquals(diff.split("\n")[2], "@@ -1,3001 +1,3001 @@");
  assertEquals(applyPatch(lines("old"), diff), lines("new"));
});
