import type { Deps } from "#src/deps.ts";
import { LimitExceeded, type RuleSet } from "#src/ports/rule_book.ts";
import { currentSets } from "./choose_sets.ts";
import { isCostly } from "./cost.ts";
import { createUnreadable, examine } from "./examine.ts";
import { limitExceeded } from "./findings.ts";
import { readValidation } from "./read_validation.ts";
import { toFrenchDay } from "./severity.ts";
import type { ValidateOptions, Validation } from "./validation.ts";

/** A document as it crosses to the process that judges it. */
export interface ExamineJob {
  readonly source: Uint8Array | string;
  readonly options: ValidateOptions;
  readonly now: Date;
  /** False: judged as published, without the overrides in force. */
  readonly overrides: boolean;
}

/** Process in which a document is validated. */
interface Place {
  readonly signal?: AbortSignal | undefined;
  /** True to validate in another process at any cost, so that several documents are validated in parallel. */
  readonly isBeside?: boolean | undefined;
}

/** Judges a document; whatever is wrong with it, and with the rules, is a finding. Rejects when the signal aborts. */
export function validateDocument(
  deps: Pick<Deps, "clock" | "rules" | "xsd">,
  source: Uint8Array | string,
  { signal, isBeside, ...options }: ValidateOptions & Place = {},
): Promise<Validation> {
  const job = { source, options, now: deps.clock.now(), overrides: true };
  return examineAnywhere(deps, job, { signal, isBeside });
}

/**
 * Validates in another process with a deadline when the work may block the event loop. Installed rules may never end,
 * so documents they apply to always go there.
 */
export async function examineAnywhere(
  { rules, xsd }: Pick<Deps, "rules" | "xsd">,
  job: ExamineJob,
  { signal, isBeside }: Place = {},
): Promise<Validation> {
  const { processes } = rules;
  const suspects = processes === undefined ? [] : isolatedSetsFor(rules.sets(), job);
  const isOwn = suspects.length === 0 && !isBeside && !isCostly(job.source);
  if (processes === undefined || isOwn) return examineJob({ rules, xsd }, job);
  try {
    return await processes.judge(job, readValidation, { signal });
  } catch (error) {
    if (error instanceof LimitExceeded) return createUnreadable(limitExceeded(error, suspects));
    throw error;
  }
}

/** Assumes more sets than will apply, because they are known only after reading the document. */
function isolatedSetsFor(
  sets: readonly RuleSet[],
  { options: { ruleSets }, now }: ExamineJob,
): RuleSet[] {
  const candidates = ruleSets === undefined
    ? currentSets(sets, toFrenchDay(now))
    : sets.filter(({ manifest: { id, version } }) =>
      ruleSets.some((name) => name === id || name === `${id}@${version}`)
    );
  return candidates.filter((it) => it.isIsolated);
}

/** Judges a document in this process. */
export function examineJob(
  { rules, xsd }: Pick<Deps, "rules" | "xsd">,
  job: ExamineJob,
): Promise<Validation> {
  const overrides = job.overrides ? rules.overrides() : [];
  const judging = { sets: rules.sets(), overrides, xsd, now: job.now };
  return examine(judging, job.source, job.options);
}
