import { assert, assertEquals, assertMatch } from "@std/assert";
import { createShippedValidation } from "#src/compose/judging.ts";
import { isCostly } from "#src/gateway/validation/judging/cost.ts";
import { validateDocument } from "#src/gateway/validation/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { INVOICE } from "./support.ts";

const LINES = 3_000;
const HOSTILE = INVOICE.replace(
  "<cac:InvoiceLine>",
  `${"<cac:InvoiceLine/>\n".repeat(LINES)}<cac:InvoiceLine>`,
);

Deno.test("of thousands of findings 500 are shown, some of every rule, and one counts the others", async () => {
  const judging = createShippedValidation();
  const { findings, valid, xsd, sets } = await validateDocument(judging, HOSTILE);
  const more = findings.at(-1);
  assertEquals([findings.length, valid, more?.rule, more?.level], [
    501,
    false,
    "FINDINGS-MORE",
    "FATAL",
  ]);
  const used = judging.rules.sets().filter((it) =>
    sets.some((set) => set.id === it.manifest.id && set.version === it.manifest.version)
  );
  const failures = used.flatMap((it) => it.schema().run(parseXml(HOSTILE)).failures);
  const [, count, rules] = /^And (\d+) more of (\d+) rules/.exec(more?.messageEn ?? "") ?? [];
  assertEquals(Number(count), failures.length + xsd.errors - 500);
  assert(Number(rules) > 5 && xsd.errors >= LINES);
  assertMatch(more?.messageFr ?? "", /^Et \d+ autres constats de \d+ règles, non détaillés : /);

  const told = new Set(findings.map((it) => it.rule));
  assertEquals(failures.filter((it) => !told.has(it.rule)), []);
});

Deno.test("a limited run counts the findings it omits, rule by rule", () => {
  const set = createShippedValidation().rules.sets().find((it) => it.manifest.id === "en16931-ubl");
  const document = parseXml(HOSTILE);
  if (!set) throw new Error("en16931-ubl is missing");
  const all = set.schema().run(document);
  const some = set.schema().run(document, { most: 20 });
  assertEquals(all.omitted, []);
  const counts = (rules: readonly { rule: string; count?: number }[]) => {
    const sums = new Map<string, number>();
    for (const { rule, count = 1 } of rules) sums.set(rule, (sums.get(rule) ?? 0) + count);
    return [...sums].sort();
  };
  assertEquals(counts([...some.failures, ...some.omitted]), counts(all.failures));
  assert(some.failures.length < 20 + set.schema().assertions);
  assertEquals([some.ran, some.of], [all.ran, all.of]);
});

Deno.test("possible delays of the event loop are estimated by elements and attributes as well as by length", () => {
  const line = /<cac:InvoiceLine>[\s\S]*?<\/cac:InvoiceLine>/.exec(INVOICE)?.[0] ?? "";
  const lines = (count: number) => INVOICE.replace(line, line.repeat(count));
  const cases: [label: string, source: string, costly: boolean][] = [
    ["an invoice", INVOICE, false],
    ["twenty lines", lines(20), false],
    ["thousands of empty lines in 60 kB", HOSTILE, true],
    ["a long note", INVOICE.replace("<cbc:Note>", `<cbc:Note>${"x ".repeat(200_000)}`), true],
    [
      "attributes",
      `<a ${Array.from({ length: 2000 }, (_, at) => `a${at}=""`).join(" ")}/>`,
      true,
    ],
  ];
  for (const [label, source, costly] of cases) {
    assertEquals(isCostly(source), costly, label);
    assertEquals(isCostly(new TextEncoder().encode(source)), costly, label);
  }
});
