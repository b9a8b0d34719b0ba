import { assertEquals } from "@std/assert";
import { buildRuleSet } from "#src/adapters/rules/rule_set.ts";
import {
  chooseSets,
  namedSets,
  versionOrder,
} from "#src/gateway/validation/judging/choose_sets.ts";
import type { Declaration } from "#src/gateway/validation/judging/declaration.ts";
import { matches } from "#src/gateway/validation/judging/glob.ts";
import { toFrenchDay } from "#src/gateway/validation/judging/severity.ts";
import type { RuleSet } from "#src/ports/rule_book.ts";
import type { Manifest } from "#src/ports/rule_manifest.ts";
import { manifest, schema } from "./support.ts";

const NORM = "urn:cen.eu:en16931:2017";
const UBL = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const today = "2026-11-20";
const files = { "house.sch": schema([{ id: "R-1", test: "true()" }]) };

function set(given: Partial<Manifest>, state: Partial<RuleSet> = {}): RuleSet {
  return { ...buildRuleSet(manifest(given), files), ...state };
}

function declaring(customizationId: string, given: Partial<Declaration> = {}): Declaration {
  return { namespace: UBL, root: "Invoice", customizationId, countries: [], ...given };
}

const norm = set({ id: "norm", appliesTo: { roots: ["Invoice"], customizationId: [`${NORM}*`] } });
const extension = set({
  id: "extension",
  appliesTo: { roots: ["Invoice"], customizationId: [`${NORM}#conformant#urn:x:extended`] },
});
const restriction = set({
  id: "restriction",
  appliesTo: { roots: ["Invoice"], customizationId: [`${NORM}#compliant#urn:x:cius`] },
});
const french = set({ id: "french", appliesTo: { roots: ["Invoice"], countries: ["FR"] } });
const sets = [norm, extension, restriction, french];

function idsFor(declaration: Declaration): string[] {
  return chooseSets(sets, { declaration, today }).sets.map((it) => it.manifest.id);
}

Deno.test("the rules of an extension stand in for those of the norm, a restriction adds to them", () => {
  assertEquals(idsFor(declaring(NORM)), ["norm"]);
  assertEquals(idsFor(declaring(`${NORM}#conformant#urn:x:extended`)), ["extension"]);
  assertEquals(idsFor(declaring(`${NORM}#compliant#urn:x:cius`)), ["norm", "restriction"]);
});

Deno.test("a country's rules are added when seller or buyer is there", () => {
  assertEquals(idsFor(declaring(NORM, { countries: ["DE", "FR"] })), ["norm", "french"]);
  assertEquals(idsFor(declaring(NORM, { countries: ["DE"] })), ["norm"]);
});

Deno.test("a document with an unknown declaration is validated by the norm but not claimed", () => {
  const choice = chooseSets(sets, { declaration: declaring("urn:elsewhere"), today });
  assertEquals(choice.claimed, false);
  assertEquals(choice.sets.map((it) => it.manifest.id), ["norm"]);
});

Deno.test("a document without declaration is validated by the norm but not claimed", () => {
  const choice = chooseSets(sets, { declaration: declaring(""), today });
  assertEquals([choice.claimed, choice.sets.map((it) => it.manifest.id)], [false, ["norm"]]);
});

Deno.test("country rules alone do not claim a document", () => {
  const choice = chooseSets([french], {
    declaration: declaring(NORM, { countries: ["FR"] }),
    today,
  });
  assertEquals(choice.claimed, false);
});

Deno.test("a root without namespace is that of a document we know, and no other of its name", () => {
  assertEquals(idsFor(declaring(NORM, { namespace: "urn:x" })), []);
  assertEquals(idsFor(declaring("", { namespace: "" })), []);
  assertEquals(idsFor(declaring("", { namespace: UBL.replace("-2", "-3") })), []);
});

Deno.test("a set speaks only of its roots, by name or by expanded name", () => {
  const exact = set({ appliesTo: { roots: ["{urn:x}Invoice"] } });
  const declaration = declaring(NORM, { namespace: "urn:x" });
  assertEquals(chooseSets([exact], { declaration, today }).claimed, true);
  const other = { ...declaration, namespace: "urn:y" };
  assertEquals(chooseSets([exact], { declaration: other, today }).sets, []);
});

Deno.test("of several versions the latest effective one applies, by date", () => {
  const versions = [
    set({ version: "1" }, { effectiveFrom: "2026-01-01" }),
    set({ version: "2" }, { effectiveFrom: "2026-11-20" }),
    set({ version: "3" }, { effectiveFrom: "2026-11-21" }),
    set({ version: "4" }, { effectiveFrom: "2026-02-01", active: false }),
  ];
  const versionOn = (day: string) =>
    chooseSets(versions, { declaration: declaring(NORM), today: day }).sets.map((it) =>
      it.manifest.version
    );
  assertEquals(versionOn("2025-12-31"), []);
  assertEquals(versionOn("2026-02-01"), ["1"]);
  assertEquals(versionOn("2026-11-20"), ["2"]);
  assertEquals(versionOn("2026-11-21"), ["3"]);
});

Deno.test("on the same day the later activation wins, then the higher version", () => {
  const activated = { effectiveFrom: today, activatedAt: new Date("2026-11-20T08:00:00Z") };
  const older = set({ version: "1.3.9" }, { effectiveFrom: today });
  const newer = set({ version: "1.3.14" }, { effectiveFrom: today });
  const choose = (...versions: RuleSet[]) =>
    chooseSets(versions, { declaration: declaring(NORM), today }).sets[0]?.manifest.version;
  assertEquals(choose(newer, older), "1.3.14");
  assertEquals(choose(newer, { ...older, ...activated }), "1.3.9");
});

Deno.test("versions are ordered number by number, zeros in front do not count", () => {
  assertEquals(Math.sign(versionOrder("1.3.9", "1.3.14")), -1);
  assertEquals(versionOrder("1.4.0.3", "1.4.0.03"), 0);
  assertEquals(Math.sign(versionOrder("1.4.0-03", "1.4.0")), 1);
});

Deno.test("requested rule sets must exist and fit the document's root", () => {
  const creditNotes = set({ id: "credit", appliesTo: { roots: ["CreditNote"] } });
  const asleep = set({ id: "asleep" }, { active: false });
  const later = set({ id: "later" }, { effectiveFrom: "2026-12-01" });
  const names = ["norm@1.0", "credit", "nothing", "norm@9", "asleep", "later"];
  const choice = namedSets([...sets, creditNotes, asleep, later], {
    declaration: declaring("any"),
    today,
    names,
  });
  assertEquals(choice.sets.map((it) => it.manifest.id), ["norm"]);
  assertEquals(choice.unknown, [
    { name: "credit", why: "other-documents" },
    { name: "nothing", why: "not-installed" },
    { name: "norm@9", why: "not-installed" },
    { name: "asleep", why: "inactive" },
    { name: "later", why: "not-in-effect" },
  ]);
});

Deno.test("a glob covers the whole text and its stars any characters", () => {
  assertEquals(matches("a*c", "abc"), true);
  assertEquals(matches("a*c", "abcd"), false);
  assertEquals(matches("a*b*c", "axbyc"), true);
  assertEquals(matches("ab*ba", "aba"), false);
  assertEquals(matches("*", ""), true);
  assertEquals(matches("BR-FR-*", "BR-FR-01"), true);
});

Deno.test("a day begins at midnight in France, whatever day was queried before", () => {
  const days = ["22:59:59.999", "23:00:00.000", "22:59:00.000", "23:00:59.999"].map((time) =>
    toFrenchDay(new Date(`2026-01-31T${time}Z`))
  );
  assertEquals(days, ["2026-01-31", "2026-02-01", "2026-01-31", "2026-02-01"]);
  assertEquals(toFrenchDay(new Date("2026-06-30T22:00:00Z")), "2026-07-01");
});
