import { assert, assertEquals, assertMatch } from "@std/assert";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { longTest } from "#tests/support/long.ts";
import { followTutorials, getSteps, readTutorial, TUTORIALS } from "#tests/support/tutorials.ts";

const ROOT = join(import.meta.dirname ?? ".", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Returns the items of the lists that a person does in the console. */
function getConsoleSteps(name: string): string[] {
  const [, text = ""] = /^<!-- console -->\n((?:\d+\. .*\n)+)/m.exec(readTutorial(name)) ?? [];
  return text.split("\n").filter(Boolean);
}

Deno.test("tutorials: each one has commands, and ends with steps in pages that the console has", () => {
  const words = globSync("src/console/pages/pages.ts", { cwd: ROOT }).map(read).join("\n");
  for (const name of TUTORIALS) {
    assert(getSteps(name).length >= 3, `${name} has commands`);
    const steps = getConsoleSteps(name);
    assert(steps.length >= 3, `${name} has steps in the console`);
    const pages = steps.flatMap((it) => [...it.matchAll(/\*\*(.+?)\*\*/g)])
      .map(([, it = ""]) => it);
    assertEquals(pages.filter((it) => !words.includes(`en: "${it}"`)), [], name);
  }
});

longTest(
  "tutorials: their commands, typed word by word, show what the pages show",
  () =>
    followTutorials(({ kind, script, shown = "", code, output }) => {
      assertEquals(code === 0, kind !== "fails", `${script}\n${output}`);
      assertMatch(output, getPattern(shown), script);
    }),
);

/** Returns the pattern of an output as a page shows it. */
function getPattern(shown: string): RegExp {
  const lines = shown.trim().split("\n").map((it) =>
    it.split(/ *… */).map((part) => RegExp.escape(part)).join(".*")
  );
  return new RegExp(lines.join("\\s*\\n\\s*"));
}
