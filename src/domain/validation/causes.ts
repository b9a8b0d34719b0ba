/**
 * Orders findings by cause. One wrong figure breaks every sum that uses it, and one wrong element breaks rules of
 * several sets. The first broken check is the cause; the others are its consequences.
 */

import { TERM_PATHS } from "#src/domain/ubl/mod.ts";
import { findTermsAt, readElementPath } from "./element_terms.ts";
import { type Level, LEVELS } from "./finding.ts";

/** Parts of a finding that its cause depends on; a stored finding has null instead of an absent part. */
export interface ComparedFinding {
  readonly level: Level;
  readonly source: string;
  readonly rule: string;
  readonly messageEn: string;
  readonly location: string;
  readonly businessTerm?: string | null | undefined;
  readonly value?: string | null | undefined;
  readonly expected?: string | null | undefined;
  readonly evaluated?: boolean | null | undefined;
}

/** Cause with the findings that follow from it. */
export interface CauseGroup<It> {
  readonly cause: It;
  readonly consequences: readonly It[];
}

/**
 * Groups findings by cause. Causes keep the given order, except that broken sums come in the order of the calculation:
 * lines, VAT breakdown, totals, amount due. No finding follows from a less severe one.
 */
export function groupByCause<It extends ComparedFinding>(
  findings: readonly It[],
): readonly CauseGroup<It>[] {
  const checks = arrangeSums(findings.map(readCheck));
  const groups = new Map<Check<It>, Check<It>[]>();
  // Missing terms come first, because the schema only says that the next element is unexpected.
  const inTurn = checks.toSorted((a, b) => rankCheck(a) - rankCheck(b));
  for (const check of inTurn) {
    const cause = [...groups.keys()].find((it) => followsFrom(check, it));
    if (cause) groups.get(cause)?.push(check);
    else groups.set(check, []);
  }
  return checks.flatMap((check) => {
    const consequences = groups.get(check);
    return consequences
      ? [{ cause: check.finding, consequences: consequences.map((it) => it.finding) }]
      : [];
  });
}

/** Returns the findings by cause: each cause, then what follows from it. */
export function orderByCause<It extends ComparedFinding>(findings: readonly It[]): It[] {
  return groupByCause(findings).flatMap(({ cause, consequences }) => [cause, ...consequences]);
}

/** Returns the findings by cause, each with the rule of the finding that it follows from, or null. */
export function markCauses<It extends ComparedFinding>(
  findings: readonly It[],
): (It & { followsFrom: string | null })[] {
  return groupByCause(findings).flatMap(({ cause, consequences }) => [
    { ...cause, followsFrom: null },
    ...consequences.map((it) => ({ ...it, followsFrom: cause.rule })),
  ]);
}

interface Check<It extends ComparedFinding> {
  readonly finding: It;
  readonly terms: readonly string[];
  /** Position of a sum in the calculation; undefined for other checks. */
  readonly stage: number | undefined;
}

const SUM = /^BR-(?:FREXT-)?(?:(CO-1[0-7])|(?:S|Z|E|AE|IC|G|O|AF|AG|IG|IP)-(0[89])(?:ini|rev)?)$/;

/** Stages of the calculation. A sum can only follow from sums of its stage or of an earlier one. */
const STAGES: Readonly<Record<string, number>> = {
  "CO-10": 1,
  "CO-11": 1,
  "CO-12": 1,
  "08": 2,
  "09": 3,
  "CO-17": 3,
  "CO-13": 4,
  "CO-14": 5,
  "CO-15": 6,
  "CO-16": 7,
};

function readCheck<It extends ComparedFinding>(finding: It): Check<It> {
  const [, total, ofCategory] = SUM.exec(finding.rule) ?? [];
  return {
    finding,
    terms: finding.businessTerm?.split(" ") ?? [],
    stage: STAGES[total ?? ofCategory ?? ""],
  };
}

/** Sorts the sums by stage, at the positions that sums have. */
function arrangeSums<It extends ComparedFinding>(checks: readonly Check<It>[]): Check<It>[] {
  const sums = checks.filter((it) => it.stage !== undefined)
    .toSorted((a, b) => (a.stage ?? 0) - (b.stage ?? 0)).values();
  return checks.map((it) => it.stage === undefined ? it : sums.next().value ?? it);
}

function rankCheck({ finding, stage }: Check<ComparedFinding>): number {
  if (stage !== undefined) return 3 + stage;
  if (finding.rule === UNEXPECTED) return 1;
  return finding.source === "XSD" || isMissing(finding) ? 0 : 2;
}

function followsFrom(check: Check<ComparedFinding>, cause: Check<ComparedFinding>): boolean {
  const [it, first] = [check.finding, cause.finding];
  if (LEVELS.indexOf(it.level) < LEVELS.indexOf(first.level)) return false;
  if (check.stage === undefined) {
    return cause.stage === undefined && concernsSameElement(check, cause);
  }
  return cause.stage === undefined
    ? readWrongTerms(cause).some((term) => check.terms.includes(term)) || isStoppedBy(it, first)
    : usesFigureOf(check, cause);
}

const UNEXPECTED = "XSD-UNEXPECTED-ELEMENT";
const MISSING_FIGURES = /^BR-(?:12|13|14|15|24|45|46)$/;

function isMissing({ value, source }: ComparedFinding): boolean {
  return source !== "XSD" && (value ?? "") === "";
}

function concernsSameElement(
  { finding: it, terms }: Check<ComparedFinding>,
  { finding: first, terms: firstTerms }: Check<ComparedFinding>,
): boolean {
  if (it.rule === UNEXPECTED) return isMissing(first) && lacksElement(it, first, firstTerms);
  if (isStoppedBy(it, first)) return true;
  if (readElementPath(it.location) === "") {
    // All rules about the whole invoice have this location: only their terms name the subject.
    return it.source !== first.source && it.location === first.location && terms.length > 0 &&
      terms.join(" ") === firstTerms.join(" ");
  }
  if (it.location.replace(/\/@[^/]*$/, "") !== first.location) return false;
  return first.source === "XSD" ||
    it.source !== first.source && terms.some((term) => firstTerms.includes(term));
}

/** Returns true if the schema expected the element that a rule misses at the same parent. */
function lacksElement(
  { location, expected }: ComparedFinding,
  rule: ComparedFinding,
  terms: readonly string[],
): boolean {
  if (location.slice(0, location.lastIndexOf("/")) !== rule.location) return false;
  const [missing = ""] = terms;
  const name = TERM_PATHS.get(missing)?.split("/").at(-1);
  const names = (expected ?? "").split(" ").map((it) => it.replace(/^.*:/, ""));
  return name !== undefined && names.includes(name);
}

/** Returns true if a rule could not be evaluated because of a value that the schema refuses. */
function isStoppedBy({ evaluated, messageEn }: ComparedFinding, first: ComparedFinding): boolean {
  return evaluated === false && first.source === "XSD" && (first.value ?? "") !== "" &&
    messageEn.includes(first.value ?? "");
}

/** Returns the terms whose own value is wrong or missing. */
function readWrongTerms({ finding, terms }: Check<ComparedFinding>): readonly string[] {
  if (MISSING_FIGURES.test(finding.rule)) return terms.slice(0, 1);
  return findTermsAt(readElementPath(finding.location));
}

/** Figures of the calculation, and those that are computed from each. */
const COMPUTED: Readonly<Record<string, readonly string[]>> = {
  "BT-131": ["BT-106", "BT-116"],
  "BT-92": ["BT-107", "BT-116"],
  "BT-99": ["BT-108", "BT-116"],
  "BT-106": ["BT-109"],
  "BT-107": ["BT-109"],
  "BT-108": ["BT-109"],
  "BT-109": ["BT-112"],
  "BT-116": ["BT-117"],
  "BT-117": ["BT-110"],
  "BT-110": ["BT-112"],
  "BT-112": ["BT-115"],
};

/** Returns true if a sum uses a figure that the other sum makes doubtful. */
function usesFigureOf(sum: Check<ComparedFinding>, cause: Check<ComparedFinding>): boolean {
  const [result = "", ...inputs] = cause.terms;
  const isEqualGap = hasSameGap(sum.finding, cause.finding);
  const [entry, firstEntry] = [sum, cause].map((it) => readVatEntry(it.finding.location));
  if (entry && firstEntry && entry !== firstEntry) return isEqualGap;
  const { same, taxed } = listComputed(result);
  if (sum.terms.some((term) => taxed.has(term))) return true;
  const isShared = sum.terms.some((term) => same.has(term)) ||
    sum.terms.slice(1).some((term) => inputs.includes(term));
  return isShared && isEqualGap;
}

/** Returns what depends on a figure: by the same amount, or by the tax on it. */
function listComputed(figure: string): { same: ReadonlySet<string>; taxed: ReadonlySet<string> } {
  const same = new Set([figure]);
  const taxed = new Set<string>();
  for (const it of same) {
    for (const next of COMPUTED[it] ?? []) (it === "BT-116" ? taxed : same).add(next);
  }
  for (const it of taxed) COMPUTED[it]?.forEach((next) => taxed.add(next));
  return { same, taxed };
}

/** Compares by how much two sums are wrong. An unknown gap equals any. */
function hasSameGap(a: ComparedFinding, b: ComparedFinding): boolean {
  const [gap, other] = [readGap(a), readGap(b)];
  return Number.isNaN(gap) || Number.isNaN(other) || gap === other;
}

/** Returns the difference in cents, without its sign; NaN if it is unknown. */
function readGap({ value, expected }: ComparedFinding): number {
  return Math.abs(Math.round((Number(value ?? NaN) - Number(expected ?? NaN)) * 100));
}

/** Returns the path of the entry of the VAT breakdown that contains the location. */
function readVatEntry(location: string): string | undefined {
  return /^.*\/[^/]*(?:TaxSubtotal|ApplicableTradeTax)(?:\[\d+\])?(?=\/|$)/.exec(location)?.[0];
}
