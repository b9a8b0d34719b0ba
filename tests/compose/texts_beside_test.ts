import { assert, assertEquals, assertRejects } from "@std/assert";
import { homedir } from "node:os";
import process from "node:process";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { textsBeside } from "#src/compose/texts_beside.ts";
import type { SectionName } from "#src/definitions/sections.ts";
import { textsHere } from "#src/features/configuration/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { inBoth } from "#src/kernel/sentences/sentence.ts";
import type { CheckedSection } from "#src/ports/configuration.ts";
import { silentLog } from "#tests/support/log.ts";
import { CONNECTORS, DICTIONARY, MENUS, POOLS, SCREENS } from "#tests/support/settings.ts";

const ENTRY = new URL("../../src/processes/section_process.ts", import.meta.url);

function start() {
  const environment = { HOME: homedir(), DENO_DIR: process.env["DENO_DIR"] ?? "" };
  const texts = textsBeside({ entry: ENTRY, log: silentLog, environment, large: 0 });
  return Object.assign(texts, { [Symbol.asyncDispose]: () => texts.close() });
}

/** Sentences as they are read. */
function told({ problems, ...it }: CheckedSection): unknown {
  const shown = problems.map((one) => ({ ...one, sentence: inBoth(one.sentence) }));
  return JSON.parse(JSON.stringify({ ...it, problems: shown }));
}

Deno.test("a text that is read beside the event loop says what it says when it is read here", async () => {
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
  ];
  for (const [name, text] of texts) {
    const [one, other] = [await here.check({ name, text }), await beside.check({ name, text })];
    assertEquals(told(other), told(one), name);
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

Deno.test("while a large text is read the event loop goes on, and where nobody can read it beside it is read here", async () => {
  await using beside = start();
  const many = Array.from(
    { length: 1_000 },
    (_, n) => `      q${n}: { sql: select ${n}, params: { a: { type: string } } }\n`,
  ).join("");
  const text = CONNECTORS + many;
  await beside.value("a: 1"); // the child is there
  let turns = 0;
  const turning = setInterval(() => turns++, 5);
  const checked = await beside.check({ name: "connectors", text });
  clearInterval(turning);
  assertEquals([checked.problems.length, checked.definitions.length], [0, 1_003]);
  assert(turns > 2, `${turns} turns`);

  const nobody = textsBeside({
    entry: new URL("./nothing.ts", ENTRY),
    log: silentLog,
    environment: {},
    large: 0,
  });
  assertEquals(await nobody.value("a: 1"), { a: 1 });
  await nobody.close();
});
