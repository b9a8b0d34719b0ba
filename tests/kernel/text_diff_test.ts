import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { unifiedDiff } from "#src/kernel/text_diff.ts";

/** What `patch` makes of the old text by the diff. */
function patched(before: string, diff: string): string {
  if (!diff) return before;
  const old = before === "" ? [] : before.replace(/\n$/, "").split("\n");
  const result: string[] = [];
  let at = 0;
  for (const hunk of diff.split(/^(?=@@)/m).slice(1)) {
    const [head = "", ...lines] = hunk.replace(/\n$/, "").split("\n");
    const [, start, size, , added] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(head)?.map(Number) ??
      [];
    const from = (start ?? 0) - (size ? 1 : 0);
    result.push(...old.slice(at, from));
    at = from;
    const counted = { old: 0, new: 0 };
    for (const line of lines) {
      const [sign, text] = [line[0], line.slice(1)];
      if (sign !== "+") {
        assertEquals(old[at++], text);
        counted.old++;
      }
      if (sign !== "-") {
        result.push(text);
        counted.new++;
      }
    }
    assertEquals(counted, { old: size, new: added });
  }
  return [...result, ...old.slice(at)].map((it) => `${it}\n`).join("");
}

Deno.test("a diff takes the old text to the new one, whatever they are", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 40 })
    .map((lines) => lines.map((it) => `${it}\n`).join(""));
  fc.assert(
    fc.property(text, text, (before, after) => {
      assertEquals(patched(before, unifiedDiff(before, after, "x")), after);
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("texts with thousands of lines between them are told as one replaced by the other", () => {
  const lines = (count: number, word: string) =>
    Array.from({ length: count }, (_, n) => `${word} ${n}\n`).join("");
  for (
    const [before, after] of [["", lines(5_000, "new")], [lines(5_000, "old"), ""], [
      lines(3_000, "old"),
      lines(3_000, "new"),
    ], [lines(20, "old") + lines(3_000, "same"), lines(3_000, "same") + lines(2_000, "more")]]
  ) {
    assertEquals(patched(before ?? "", unifiedDiff(before ?? "", after ?? "", "x")), after);
  }
});
