import { type Finding, type Level, LEVELS } from "#src/domain/validation/finding.ts";

/** Limit of findings per document; more would help no reader. */
export const MAX_FINDINGS = 500;
const RULES_NAMED = 10;

/** Number of findings of one rule that are not listed. */
export interface Tally {
  readonly level: Level;
  readonly source: string;
  readonly rule: string;
  readonly count: number;
}

/**
 * Limits the findings to `MAX_FINDINGS`, in order, and adds a count of the rest at their highest level. Lists the
 * first findings of each rule, with equal shares for all rules.
 */
export function limitFindings(findings: readonly Finding[], tallies: readonly Tally[]): Finding[] {
  const kept = firstOfEach(findings);
  const listed = findings.filter((it) => kept.has(it));
  const rest = [
    ...tallies,
    ...findings.filter((it) => !kept.has(it)).map((it) => ({ ...it, count: 1 })),
  ];
  return rest.length ? [...listed, more(rest)] : listed;
}

function firstOfEach(findings: readonly Finding[]): ReadonlySet<Finding> {
  if (findings.length <= MAX_FINDINGS) return new Set(findings);
  const nth = new Map<string, number>();
  const ranked = findings.map((finding) => {
    const rule = `${finding.source} ${finding.rule}`;
    const rank = nth.get(rule) ?? 0;
    nth.set(rule, rank + 1);
    return { finding, rank };
  });
  const chosen = ranked.toSorted((a, b) => a.rank - b.rank).slice(0, MAX_FINDINGS);
  return new Set(chosen.map((it) => it.finding));
}

function more(rest: readonly Tally[]): Finding {
  const count = rest.reduce((sum, it) => sum + it.count, 0);
  const rules = [...new Set(rest.map((it) => it.rule))];
  const named = rules.slice(0, RULES_NAMED).join(", ") + (rules.length > RULES_NAMED ? ", …" : "");
  const [fr, en] = [count === 1, rules.length === 1];
  return {
    level: LEVELS.find((level) => rest.some((it) => it.level === level)) ?? "INFO",
    source: "rules",
    rule: "FINDINGS-MORE",
    messageFr: `Et ${count} autre${fr ? " constat" : "s constats"} de ${rules.length} règle${
      en ? "" : "s"
    }, non détaillé${fr ? "" : "s"} : ${named}`,
    messageEn: `And ${count} more of ${rules.length} rule${
      en ? "" : "s"
    }, not told one by one: ${named}`,
    location: "",
    line: 0,
    column: 0,
  };
}
