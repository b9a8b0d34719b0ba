import { assertEquals } from "@std/assert";
import { lineDiff } from "#src/console/components/line_diff.ts";

const letters = "abcdefghijklmnopqrst".split("");
const text = (lines: readonly string[]) => lines.map((it) => `${it}\n`).join("");

Deno.test("a diff shows changed lines with context", () => {
  assertEquals(lineDiff(text(letters), text(letters)), "");
  const after = ["first", ...letters.filter((it) => it !== "b"), "last"];
  assertEquals(
    lineDiff(text(letters), text(after)),
    ["@@ -1,5 +1,5 @@", "+first", " a", "-b", " c", " d", " e"]
      .concat("@@ -18,3 +18,4 @@", " r", " s", " t", "+last").join("\n"),
  );
  assertEquals(lineDiff("", "a\n"), "@@ -1,0 +1,1 @@\n+a");
  assertEquals(
    lineDiff("a", "a\n"),
    "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a",
    "a line break more is a change that is seen",
  );
});

Deno.test("distant changes in a long text are separate hunks", () => {
  const long = Array.from(
    { length: 30_000 },
    (_, at) => at % 7 === 0 ? "  same:" : `  key_${at}: ${at}`,
  );
  const after = long.with(1, "first").with(29_990, "last");
  const told = lineDiff(text(long), text(after)).split("\n").filter((it) => /^[-+]/.test(it));
  assertEquals(told, ["-  key_1: 1", "+first", "-  key_29990: 29990", "+last"]);
});

Deno.test("a diff turns any text into any other", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const [before, after] = [createText(seed), createText(seed * 7 + 3)];
    assertEquals(apply(before, lineDiff(text(before), text(after))), after, `seed ${seed}`);
  }
  for (const words of [4, 400, 40_000]) { // many, some and few repeated lines
    const [before, after] = [
      createText(words, { most: 3_000, words }),
      createText(7, { most: 3_000, words }),
    ];
    for (
      const [a, b] of [[before, after], [after, before], [before, [...after, ...before]]] as const
    ) {
      assertEquals(apply(a, lineDiff(text(a), text(b))), b, `${words} words`);
    }
  }
});

/** Creates a pseudo-random text of up to `most` lines from a vocabulary of `words`. */
function createText(seed: number, { most = 12, words = 3 } = {}): string[] {
  let state = seed;
  const next = (most: number) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor(state / 65536) % most;
  };
  const length = most > 12 ? most : next(most) + 1;
  return Array.from({ length }, () => `w${next(words)}`);
}

function apply(before: readonly string[], diff: string): string[] {
  if (diff === "") return [...before];
  const after: string[] = [];
  let at = 0;
  for (const line of diff.split("\n")) {
    const [, from] = /^@@ -(\d+)/.exec(line) ?? [];
    if (from !== undefined) {
      while (at < Number(from) - 1) after.push(before[at++] ?? "");
    } else if (line.startsWith("+")) after.push(line.slice(1));
    else {
      assertEquals(line.slice(1), before[at], "what is told of the first text is in it");
      if (line.startsWith(" ")) after.push(line.slice(1));
      at += 1;
    }
  }
  return [...after, ...before.slice(at)];
}
