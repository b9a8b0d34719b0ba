import type { RuleSet } from "#src/ports/rule_book.ts";
import type { AppliesTo } from "#src/ports/rule_manifest.ts";
import { type Declaration, findXsdKind } from "./declaration.ts";
import type { NotJudging } from "./findings.ts";
import { matchesAny } from "./glob.ts";

/** EN 16931-1, 7.2: a specification that allows more than the norm. */
const EXTENSION = "#conformant#";

export interface RuleSetSelection {
  readonly sets: readonly RuleSet[];
  /** True when a set covers the document's declaration. */
  readonly claimed: boolean;
  /** Requested sets that do not exist or do not apply to such a document. */
  readonly unknown: readonly { readonly name: string; readonly why: NotJudging }[];
}

/**
 * Chooses the rule sets by the document's declaration. Rules of an extension (`#conformant#`) replace those of the
 * norm; rules of a restriction (`#compliant#`) add to them. A set bound to countries only adds to others. An unknown or
 * missing declaration selects the least specific set of the kind, but the document is not claimed.
 */
export function chooseSets(
  sets: readonly RuleSet[],
  { declaration, today }: { declaration: Declaration; today: string },
): RuleSetSelection {
  const current = currentSets(sets, today).filter((set) => isAbout(set, declaration));
  const core = current.filter((set) => !set.manifest.appliesTo.countries?.length);
  const declared = core.filter((set) => isDeclared(set.manifest.appliesTo, declaration));
  const extension = declared.filter((set) => isForExtension(set.manifest.appliesTo, declaration));
  const matching = extension.length > 0 ? extension : declared;
  const chosen = matching.length > 0 ? matching : core.toSorted(bySpecificity).slice(0, 1);
  const added = current.filter((set) => isAdded(set.manifest.appliesTo, declaration));
  return { sets: [...chosen, ...added], claimed: matching.length > 0, unknown: [] };
}

/** Chooses sets by name, `id` or `id@version`; each must apply to the document's root. */
export function namedSets(
  sets: readonly RuleSet[],
  { declaration, today, names }: {
    declaration: Declaration;
    today: string;
    names: readonly string[];
  },
): RuleSetSelection {
  const current = currentSets(sets, today);
  const chosen: RuleSet[] = [];
  const unknown: RuleSetSelection["unknown"][number][] = [];
  for (const name of new Set(names)) {
    const [id, version] = splitName(name);
    const set = version === undefined
      ? current.find((it) => it.manifest.id === id)
      : sets.find((it) => it.manifest.id === id && it.manifest.version === version);
    if (set !== undefined && isAbout(set, declaration)) chosen.push(set);
    else {
      const why = set !== undefined
        ? "other-documents"
        : version === undefined
        ? absence(sets, id)
        : "not-installed";
      unknown.push({ name, why });
    }
  }
  return { sets: chosen, claimed: chosen.length > 0, unknown };
}

/** Why no version of a set judges today. */
function absence(sets: readonly RuleSet[], id: string): NotJudging {
  const versions = sets.filter((it) => it.manifest.id === id);
  if (versions.length === 0) return "not-installed";
  return versions.some((it) => it.active) ? "not-in-effect" : "inactive";
}

/** Returns the version of each set in force on this day: the latest one. */
export function currentSets(sets: readonly RuleSet[], today: string): readonly RuleSet[] {
  const current = new Map<string, RuleSet>();
  for (const set of sets) {
    if (!set.active || set.effectiveFrom > today) continue;
    const before = current.get(set.manifest.id);
    if (before === undefined || isLater(set, before)) current.set(set.manifest.id, set);
  }
  return [...current.values()];
}

/** Segment by segment, digits as numbers: 1.3.9 < 1.3.14, 1.4.0.3 = 1.4.0.03. */
export function versionOrder(a: string, b: string): number {
  const left = a.split(/[._+-]/);
  const right = b.split(/[._+-]/);
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [x = "", y = ""] = [left[at], right[at]];
    const numbers = /^\d*$/.test(x) && /^\d*$/.test(y);
    const difference = numbers ? Number(x) - Number(y) : x < y ? -1 : x > y ? 1 : 0;
    if (difference !== 0) return difference;
  }
  return 0;
}

function isLater(a: RuleSet, b: RuleSet): boolean {
  if (a.effectiveFrom !== b.effectiveFrom) return a.effectiveFrom > b.effectiveFrom;
  const moments = (a.activatedAt?.getTime() ?? 0) - (b.activatedAt?.getTime() ?? 0);
  return (moments || versionOrder(a.manifest.version, b.manifest.version)) > 0;
}

/** A root without namespace means the known document of that name, and no other. */
function isAbout({ manifest }: RuleSet, declaration: Declaration): boolean {
  const { root, namespace } = declaration;
  const isKnown = findXsdKind(declaration) !== undefined;
  return manifest.appliesTo.roots.some((it) =>
    it === `{${namespace}}${root}` || (isKnown && it === root)
  );
}

function isDeclared({ customizationId }: AppliesTo, declaration: Declaration): boolean {
  return !customizationId?.length || matchesAny(customizationId, declaration.customizationId);
}

function isForExtension({ customizationId = [] }: AppliesTo, declaration: Declaration): boolean {
  const globs = customizationId.filter((it) => it.includes(EXTENSION));
  return declaration.customizationId.includes(EXTENSION) &&
    matchesAny(globs, declaration.customizationId);
}

function isAdded(appliesTo: AppliesTo, declaration: Declaration): boolean {
  const { countries = [] } = appliesTo;
  return countries.some((it) => declaration.countries.includes(it)) &&
    isDeclared(appliesTo, declaration);
}

function bySpecificity(a: RuleSet, b: RuleSet): number {
  return shortest(a.manifest.appliesTo) - shortest(b.manifest.appliesTo);
}

function shortest({ customizationId = [] }: AppliesTo): number {
  return Math.min(Infinity, ...customizationId.map((glob) => glob.length));
}

function splitName(name: string): [string, string | undefined] {
  const at = name.indexOf("@");
  return at < 0 ? [name, undefined] : [name.slice(0, at), name.slice(at + 1)];
}
