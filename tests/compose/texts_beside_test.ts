import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { homedir } from "node:os";
import process from "node:process";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { textsBeside } from "#src/compose/texts_beside.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import { textsHere } from "#src/framework/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inBoth } from "#src/kernel/i18n/sentence.ts";
import type { CheckedSection } from "#src/ports/configuration.ts";
import { silentLog } from "#tests/support/log.ts";
import { longTest } from "#tests/support/long.ts";
import { CONNECTORS, DICTIONARY, MENUS, POOLS, SCREENS } from "#tests/support/settings.ts";

const ENTRY = new URL("../../src/processes/section_process.ts", import.meta.url);

function start({ entry = ENTRY, deadlineMs }: { entry?: URL; deadlineMs?: number } = {}) {
  const environment = { HOME: homedir(), DENO_DIR: process.env["DENO_DIR"] ?? "" };
  const limit = deadlineMs === undefined ? {} : { deadlineMs };
  const texts = textsBeside({ entry, log: silentLog, environment, ...limit });
  return Object.assign(texts, { [Symbol.asyncDispose]: () => texts.close() });
}

/** Returns the problems as readable sentences. */
function report({ problems, ...it }: CheckedSection): unknown {
  const shown = problems.map((one) => ({ ...one, sentence: inBoth(one.sentence) }));
  return JSON.parse(JSON.stringify({ ...it, problems: shown }));
}

Deno.test("a text read in a child process gives the same result as here", async () => {
  await using beside = start();
  const here = textsHere(yamlTexts);
  const texts: [SectionName, string][] = [
    ["pools", POOLS],
    ["connectors", CONNECTORS],
    ["dictionary", DICTIONARY],
    ["screens", SCREENS],
    ["menus", MENUS],
    ["pools", "version: 1\npools: { a: [1, }"],
    ["pools", POOLS.replace("host:", "hots:").replace("postgres", "postgress")],
    ["i18n/fr", "version: 1\nlanguage: en\nx-own: { a: 1 }\nmessages: { a: { b: c } }\n"],
    ["menus", `x-base: &b { fr: Rien }\n${MENUS.replace("{ en: Sales, fr: Ventes }", "*b")}`],
    ["menus", `version: 1\napps: {}\n${keys(300)}`],
  ];
  for (const [name, text] of texts) {
    const [one, other] = [await here.check({ name, text }), await beside.check({ name, text })];
    assertEquals(report(other), report(one), name);
    assertEquals(await beside.value(text), await here.value(text));
  }
  const value = { ...await here.value(POOLS) as object, "x-more": "é" };
  assertEquals(await beside.write(POOLS, value), await here.write(POOLS, value));
  const edits = [{ path: ["pools", "main", "user"], on: "value" as const, value: "other" }];
  assertEquals(await beside.splice(POOLS, edits), await here.splice(POOLS, edits));
  await assertRejects(
    () => beside.check({ name: "pools", text: "a\0" }),
    AppError,
    "holds characters that are no text",
  );
});

function keys(count: number): string {
  return Array.from({ length: count }, (_, n) => `key${n}: 1\n`).join("");
}

Deno.test("while a large text is read in the child the event loop goes on", async () => {
  await using beside = start();
  const many = Array.from(
    { length: 1_000 },
    (_, n) => `      q${n}: { sql: select ${n}, params: { a: { type: string } } }\n`,
  ).join("");
  const text = CONNECTORS + many;
  await beside.value("a: 1"); // the child has started
  let turns = 0;
  const turning = setInterval(() => turns++, 5);
  const checked = await beside.check({ name: "connectors", text });
  clearInterval(turning);
  assertEquals([checked.problems.length, checked.definitions.length], [0, 1_003]);
  assert(turns > 2, `${turns} turns`);
});

Deno.test("jobs that a child does not finish are refused, jobs it never began may be retried: nothing runs here", async () => {
  const text = keys(50_000);
  await using late = start({ deadlineMs: 50 });
  const error = await assertRejects(() => late.value(text), AppError);
  assertEquals(error.code, "refused");
  assertStringIncludes(error.message, "it took more than 0.05 s. Send less at once.");
  assertStringIncludes(error.messageFr, "Envoyez moins de données à la fois.");

  await using missing = start({ entry: new URL("./nothing.ts", ENTRY) });
  const other = await assertRejects(() => missing.value("a: 1"), AppError);
  assertEquals(other.code, "unavailable");
});

longTest(
  "97,000 unknown keys are written, checked and placed in linear time, and a text of mistakes is read to its 100th",
  async () => {
    await using beside = start();
    const unknown = Object.fromEntries(Array.from({ length: 97_000 }, (_, n) => [`key${n}`, 1]));
    const written = await beside.write("version: 1\napps: {}\n", {
      version: 1,
      apps: {},
      ...unknown,
    });
    const { problems } = await beside.check({ name: "menus", text: written });
    assertEquals(problems.length, 101);
    assertEquals([problems[99]?.line, problems[99]?.path], [102, ["key99"]]);
    assertEquals(problems[100]?.others, 96_900);
    assertEquals(
      inBoth(problems[100]?.sentence ?? error(problems)).en,
      "At least 96900 other problems are not listed",
    );

    const mistakes = await beside.check({ name: "menus", text: "a: [1, }\n".repeat(160_000) });
    assertEquals(mistakes.problems.length, 101);
    assert((mistakes.problems[100]?.others ?? 0) > 1_000);
  },
);

function error(found: unknown): never {
  throw new Error(`No count in ${JSON.stringify(found)}`);
}
