import type { Deps } from "#src/deps.ts";
import { GaveUp, type RuleSet } from "#src/ports/rule_book.ts";
import { currentSets } from "./choose_sets.ts";
import { examine, refused } from "./examine.ts";
import { gaveUp } from "./findings.ts";
import { dayOf } from "./severity.ts";
import type { ValidateOptions, Validation } from "./validation.ts";

/** From so many bytes on a document is judged in another process, so that the event loop never waits for it. */
const LARGE = 256 * 1024;

/** A document as it crosses to the process that judges it. */
export interface ExamineJob {
  readonly source: Uint8Array | string;
  readonly options: ValidateOptions;
  readonly now: Date;
  /** False: judged as published, without the overrides in force. */
  readonly overrides: boolean;
}

/** Judges a document; whatever is wrong with it, and with the rules, is a finding. */
export function validateDocument(
  deps: Pick<Deps, "clock" | "rules" | "xsd">,
  source: Uint8Array | string,
  options: ValidateOptions = {},
): Promise<Validation> {
  return examineAnywhere(deps, { source, options, now: deps.clock.now(), overrides: true });
}

/** Rules somebody installed are not known to end, so documents they may judge go beside, whatever their size. */
export async function examineAnywhere(
  { rules, xsd }: Pick<Deps, "rules" | "xsd">,
  job: ExamineJob,
): Promise<Validation> {
  const { beside } = rules;
  const suspects = beside === undefined ? [] : besideFor(rules.sets(), job);
  if (beside === undefined || (suspects.length === 0 && job.source.length <= LARGE)) {
    return examineJob({ rules, xsd }, job);
  }
  try {
    return await beside.judge<Validation>(job);
  } catch (error) {
    if (error instanceof GaveUp) return refused(gaveUp(error, suspects));
    throw error;
  }
}

/** More than will judge: which sets speak of a document is known only once it is read. */
function besideFor(
  sets: readonly RuleSet[],
  { options: { ruleSets }, now }: ExamineJob,
): RuleSet[] {
  const candidates = ruleSets === undefined
    ? currentSets(sets, dayOf(now))
    : sets.filter(({ manifest: { id, version } }) =>
      ruleSets.some((name) => name === id || name === `${id}@${version}`)
    );
  return candidates.filter((it) => it.runsBeside);
}

/** The same, in the process the work is in. */
export function examineJob(
  { rules, xsd }: Pick<Deps, "rules" | "xsd">,
  job: ExamineJob,
): Validation {
  const overrides = job.overrides ? rules.overrides() : [];
  return examine({ sets: rules.sets(), overrides, xsd, now: job.now }, job.source, job.options);
}
