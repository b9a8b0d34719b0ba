import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { currentSets } from "#src/gateway/validation/judging/choose_sets.ts";
import type { FailedAssertion } from "#src/schematron/mod.ts";
import { parseXml } from "#src/xml/mod.ts";
import { PUBLICATION_CASES, type PublicationCase } from "./publication_cases.ts";

const SAMPLES = join(import.meta.dirname ?? ".", "french");
const sets = shippedRuleBook().sets();

for (const it of PUBLICATION_CASES) {
  Deno.test(`1.4.0.03 and 1.4.0.04 of ${it.set}: ${it.name}`, () => {
    const xml = edit(it);
    const former = failures(it.set, "1.4.0.03", xml);
    const latter = failures(it.set, "1.4.0.04", xml);
    const expected = it.expected.split(" ").filter(Boolean).sort();
    const isShown = (rule: string) => !rule.startsWith("=") || expected.includes(rule);
    assertEquals(difference(former, latter).filter(isShown), expected);
    if (it.stops !== undefined) assertEquals(stopsIn(latter), it.stops);
  });
}

Deno.test("each publication validates from its start date, and stays selectable", () => {
  const versions = (day: string) =>
    currentSets(sets, day).filter(({ manifest }) => manifest.version.startsWith("1.4.0"))
      .map(({ manifest }) => manifest.version);
  assertEquals(versions("2026-08-31"), []);
  assertEquals(versions("2026-09-03"), Array(5).fill("1.4.0.03"));
  assertEquals(versions("2026-09-04"), Array(5).fill("1.4.0.04"));
});

Deno.test("EXTENDED-CTC-FR on UBL has the same rules in both publications", () => {
  const [former, latter] = ["1.4.0.03", "1.4.0.04"].map((version) => {
    const { patterns } = find("extended-ctc-fr-ubl", version).model();
    return patterns.flatMap(({ rules }) => rules).flatMap(({ context, checks }) =>
      checks.map(({ id, flag, test }) => [context.text, id, flag, test.text])
    );
  });
  assertEquals(former, latter);
});

function edit({ sample, edits }: PublicationCase): string {
  const text = Deno.readTextFileSync(join(SAMPLES, sample));
  return edits.reduce((xml, [find, replace]) => {
    assert(xml.includes(find), `${sample} does not hold ${find}`);
    return xml.replace(find, () => replace);
  }, text);
}

function failures(id: string, version: string, xml: string): readonly FailedAssertion[] {
  return find(id, version).schema().run(parseXml(xml)).failures;
}

function find(id: string, version: string) {
  const set = sets.find(({ manifest }) => manifest.id === id && manifest.version === version);
  if (set === undefined) throw new Error(`${id} ${version} does not ship`);
  return set;
}

function difference(
  former: readonly FailedAssertion[],
  latter: readonly FailedAssertion[],
): string[] {
  const [before, after] = [former, latter].map((it) => new Set(it.map(({ rule }) => rule)));
  const rules = new Set([...before ?? [], ...after ?? []]);
  return [...rules].map((rule) =>
    `${before?.has(rule) ? (after?.has(rule) ? "=" : "-") : "+"}${rule}`
  ).sort();
}

/** Returns the rules whose explanation says, in both languages, that the published rules stop here. */
function stopsIn(failures: readonly FailedAssertion[]): string[] {
  return failures.filter(({ diagnostics }) => {
    const why = diagnostics.filter(({ role }) => role === "explanation").map(({ text }) => text);
    return why.some((it) => it.includes("stop at this amount")) &&
      why.some((it) => it.includes("s’arrêtent sur ce montant"));
  }).map(({ rule }) => rule);
}
