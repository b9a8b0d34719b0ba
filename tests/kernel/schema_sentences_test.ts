import { assertEquals } from "@std/assert";
import { z } from "zod";
import { toSentences } from "#src/kernel/i18n/schema.ts";
import { translate } from "#src/kernel/i18n/sentence.ts";

const Rule = z.strictObject({ name: z.string().min(1).max(3), tags: z.array(z.string()).min(2) });
const Replay = z.object({
  rule: z.union([z.string().min(1), Rule]).optional(),
  from: z.union([z.iso.datetime(), z.iso.date()]),
});
const Told = z.discriminatedUnion("target", [
  z.object({ target: z.literal("db") }),
  z.object({ target: z.literal("pa") }),
]);

const One = z.object({ source: z.literal("framework") });

/** Values and their messages, in English and French. */
const CASES: readonly [schema: z.ZodType, value: unknown, en: string[], fr: string[]][] = [
  [Replay, {}, ["from: a value is missing"], ["from : il manque une valeur"]],
  [
    Replay,
    { from: "x" },
    ["from: a date and time of ISO 8601 are expected, or a date YYYY-MM-DD is expected"],
    [
      "from : une date et une heure ISO 8601 sont attendues, ou une date AAAA-MM-JJ est attendue",
    ],
  ],
  [
    Replay,
    { from: "2026-11-20", rule: 5 },
    ["rule: a text is expected, not a number, or an object is expected, not a number"],
    ["rule : un texte est attendu, et non un nombre, ou un objet est attendu, et non un nombre"],
  ],
  [
    Replay,
    { from: "2026-11-20", rule: { name: "long", tags: ["a"], rest: 1 } },
    [
      "rule.name: at most 3 characters are allowed",
      "rule.tags: at least 2 elements are expected",
      "rule.rest: there is no such key",
    ],
    [
      "rule.name : au plus 3 caractères sont admis",
      "rule.tags : au moins 2 éléments sont attendus",
      "rule.rest : il n'y a pas de clé de ce nom",
    ],
  ],
  [
    Replay,
    { from: "2026-11-20", rule: { name: 1, tags: ["a", "b"] } },
    ["rule: name: a text is expected, not a number"],
    ["rule : name : un texte est attendu, et non un nombre"],
  ],
  [
    Replay,
    { from: "2026-11-20", rule: "" },
    ["rule: at least 1 character is expected"],
    ["rule : au moins 1 caractère est attendu"],
  ],
  [One, { source: "zz" }, ['source: "framework" is expected, not "zz"'], [
    'source : "framework" est attendu, et non "zz"',
  ]],
  [One, { source: 1 }, ['source: "framework" is expected, not a number'], [
    'source : "framework" est attendu, et non un nombre',
  ]],
  [Told, {}, ['target: one of "db", "pa" is missing'], [
    'target : il manque une valeur parmi "db", "pa"',
  ]],
];

Deno.test("a schema's refusals are explained in words, also for a union", () => {
  for (const [schema, value, en, fr] of CASES) {
    const { error } = schema.safeParse(value);
    const said = error ? toSentences(error, value) : [];
    assertEquals(said.map((it) => translate(it, "en")), en);
    assertEquals(said.map((it) => translate(it, "fr")), fr);
  }
});
