import { withMessage } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Deps } from "#src/deps.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { ReleaseFiles, RuleOverride, RuleSet } from "#src/ports/rule_book.ts";
import { currentSets, versionOrder } from "../judging/choose_sets.ts";
import { listRulesOf } from "../judging/rule_list.ts";
import { dayOf, levelOf } from "../judging/severity.ts";

type Needs = Pick<Deps, "clock" | "rules">;

/** Every set with its versions, newest first; `judging` is the one that judges today. */
export async function listRules(deps: Needs, language: Language) {
  for (const set of deps.rules.sets()) await set.ready();
  const ids = [...new Set(deps.rules.sets().map((it) => it.manifest.id))].sort();
  return { sets: ids.map((id) => describe(deps, id, language)), broken: [...deps.rules.broken()] };
}

/** One version rule by rule; the one that judges today when none is named. */
export async function showRules(
  deps: Needs,
  { id, version, language }: { id: string; version?: string | undefined; language: Language },
) {
  const set = findSet(deps, { id, version });
  for (const it of versionsOf(deps, id)) await it.ready();
  const moment = momentOf(deps);
  const rules = listRulesOf(set.model()).map((it) => ({
    ...withMessage(it, language),
    level: levelOf(set, { rule: it.id, flag: it.flag }, moment),
  }));
  return { ...describe(deps, id, language), version: set.manifest.version, rules };
}

/** The files of a version with its manifest, as a release that installs elsewhere. */
export function exportRules(
  deps: Needs,
  { id, version }: { id: string; version?: string | undefined },
): ReleaseFiles {
  const { manifest, files } = findSet(deps, { id, version });
  return { ...files(), "ruleset.json": `${JSON.stringify(manifest, null, 2)}\n` };
}

function findSet(
  deps: Needs,
  { id, version }: { id: string; version?: string | undefined },
): RuleSet {
  const versions = versionsOf(deps, id);
  const current = currentSets(versions, momentOf(deps).today)[0] ?? versions[0];
  const set = version === undefined
    ? current
    : versions.find((it) => it.manifest.version === version);
  if (set === undefined) {
    throw notFound("Rule set", version === undefined ? id : `${id} ${version}`);
  }
  return set;
}

function versionsOf({ rules }: Needs, id: string): RuleSet[] {
  const versions = rules.sets().filter((it) => it.manifest.id === id);
  if (versions.length === 0) throw notFound("Rule set", id);
  return versions.sort((a, b) => versionOrder(b.manifest.version, a.manifest.version));
}

function describe(deps: Needs, id: string, language: Language) {
  const versions = versionsOf(deps, id);
  const [current] = currentSets(versions, momentOf(deps).today);
  const { title, appliesTo } = (current ?? versions[0])?.manifest ?? {};
  const now = deps.clock.now();
  return {
    id,
    title: title ?? { fr: id, en: id },
    appliesTo: appliesTo ?? { roots: [] },
    judging: current?.manifest.version ?? null,
    versions: versions.map((it) => describeVersion(it, language)),
    overrides: deps.rules.overrides().filter((it) => it.ruleSet === id)
      .map((it) => describeOverride(it, now)),
  };
}

function describeVersion(set: RuleSet, language: Language) {
  const { manifest, effectiveFrom, active, from, activatedBy, installedBy, installedAt } = set;
  return {
    version: manifest.version,
    origin: (language === "fr" ? manifest.originFr : undefined) ?? manifest.origin ?? "",
    effectiveFrom: effectiveFrom || null,
    active,
    from,
    activatedBy: activatedBy ?? null,
    installedBy: installedBy ?? null,
    installedAt: installedAt?.toISOString() ?? null,
    severity: manifest.severity ?? [],
    rules: set.schema().assertions,
  };
}

function describeOverride(override: RuleOverride, now: Date) {
  const { rule, level, author, reason, expiresAt, createdAt } = override;
  return {
    rule,
    level,
    author,
    reason,
    expires: expiresAt.toISOString(),
    created: createdAt.toISOString(),
    inForce: expiresAt > now,
  };
}

function momentOf({ clock }: Needs) {
  const now = clock.now();
  return { now, today: dayOf(now), direction: "issued" } as const;
}
