import type { Level } from "#src/domain/validation/finding.ts";
import type { Direction, RuleOverride, RuleSet } from "#src/ports/rule_book.ts";
import { matches } from "./glob.ts";

/** The day and side on which a document is judged. */
export interface Moment {
  readonly now: Date;
  readonly today: string;
  readonly direction: Direction;
}

const FLAGS: Readonly<Record<string, Level>> = {
  fatal: "FATAL",
  error: "FATAL",
  warning: "WARNING",
  warn: "WARNING",
  information: "INFO",
  info: "INFO",
};

const PARIS = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });

const MINUTE_MS = 60_000;
/** Cached day of the latest minute, because formatting a day takes 20 µs per document. */
const last = { minute: NaN, day: "" };

/** The calendar day in France, `YYYY-MM-DD`: the day effective dates are meant in. */
export function toFrenchDay(now: Date): string {
  const minute = Math.floor(now.getTime() / MINUTE_MS);
  if (minute !== last.minute) Object.assign(last, { minute, day: PARIS.format(now) });
  return last.day;
}

/** A failure without a known flag blocks, so that a missing word never disables a rule. */
export function decideLevel(
  { manifest }: RuleSet,
  { rule, flag }: { rule: string; flag: string | undefined },
  moment: Moment,
): Level {
  const window = manifest.severity?.find((it) =>
    matches(it.rules, rule) && moment.today >= (it.from ?? "") &&
    (it.until === undefined || moment.today <= it.until) &&
    (it.direction === undefined || it.direction === moment.direction)
  );
  return FLAGS[(window?.flag ?? flag ?? "").toLowerCase()] ?? "FATAL";
}

/** Overrides that count now, the newest of each rule. */
export function overridesInForce(
  overrides: readonly RuleOverride[],
  now: Date,
): readonly RuleOverride[] {
  const newest = new Map<string, RuleOverride>();
  for (const it of overrides) {
    if (it.expiresAt <= now) continue;
    const key = `${it.ruleSet} ${it.rule}`;
    if ((newest.get(key)?.id ?? -1) < it.id) newest.set(key, it);
  }
  return [...newest.values()];
}
