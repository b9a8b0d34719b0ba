import { withMessage } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Deps } from "#src/deps.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { RuleOverride, RuleSet } from "#src/ports/rule_book.ts";
import type { ReleaseFiles } from "#src/ports/rule_manifest.ts";
import { currentSets, versionOrder } from "../judging/choose_sets.ts";
import { listSetRules } from "../judging/rule_list.ts";
import { decideLevel, toFrenchDay } from "../judging/severity.ts";

type ReadRulesDeps = Pick<Deps, "clock" | "rules">;

/** Lists every set with its versions, newest first; `judging` is the version in force today. */
export async function listRules(deps: ReadRulesDeps, language: Language) {
  for (const set of deps.rules.sets()) await set.ready();
  const ids = [...new Set(deps.rules.sets().map((it) => it.manifest.id))].sort();
  return { sets: ids.map((id) => describe(deps, id, language)), broken: [...deps.rules.broken()] };
}

/** Shows the rules of one version; by default, of the version in force today. */
export async function showRules(
  deps: ReadRulesDeps,
  { id, version, language }: { id: string; version?: string | undefined; language: Language },
) {
  const set = requireSet(deps, { id, version });
  for (const it of getVersions(deps, id)) await it.ready();
  const moment = getMoment(deps);
  const rules = listSetRules(set.model()).map((it) => ({
    ...withMessage(it, language),
    level: decideLevel(set, { rule: it.id, flag: it.flag }, moment),
  }));
  return { ...describe(deps, id, language), version: set.manifest.version, rules };
}

/** The files of a version with its manifest, as a release that installs elsewhere. */
export function exportRules(
  deps: ReadRulesDeps,
  { id, version }: { id: string; version?: string | undefined },
): ReleaseFiles {
  const { manifest, files } = requireSet(deps, { id, version });
  return { ...files(), "ruleset.json": `${JSON.stringify(manifest, null, 2)}\n` };
}

function requireSet(
  deps: ReadRulesDeps,
  { id, version }: { id: string; version?: string | undefined },
): RuleSet {
  const versions = getVersions(deps, id);
  const current = currentSets(versions, getMoment(deps).today)[0] ?? versions[0];
  const set = version === undefined
    ? current
    : versions.find((it) => it.manifest.version === version);
  if (set === undefined) {
    throw notFound("Rule set", version === undefined ? id : `${id} ${version}`);
  }
  return set;
}

function getVersions({ rules }: ReadRulesDeps, id: string): RuleSet[] {
  const versions = rules.sets().filter((it) => it.manifest.id === id);
  if (versions.length === 0) throw notFound("Rule set", id);
  return versions.sort((a, b) => versionOrder(b.manifest.version, a.manifest.version));
}

function describe(deps: ReadRulesDeps, id: string, language: Language) {
  const versions = getVersions(deps, id);
  const [current] = currentSets(versions, getMoment(deps).today);
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

function getMoment({ clock }: ReadRulesDeps) {
  const now = clock.now();
  return { now, today: toFrenchDay(now), direction: "issued" } as const;
}
