import type { Deps } from "#src/deps.ts";
import { LimitExceeded, type RuleSet } from "#src/ports/rule_book.ts";
import { currentSets } from "./choose_sets.ts";
import { isCostly } from "./cost.ts";
import { examine, refused } from "./examine.ts";
import { limitExceeded } from "./findings.ts";
import { readValidation } from "./read_validation.ts";
import { dayOf } from "./severity.ts";
import type { ValidateOptions, Validation } from "./validation.ts";

/** A document as it crosses to the process that judges it. */
export interface ExamineJob {
  readonly source: Uint8Array | string;
  readonly options: ValidateOptions;
  readonly now: Date;
  /** False: judged as published, without the overrides in force. */
  readonly overrides: boolean;
}

/** Where a document is judged. */
interface Place {
  readonly signal?: AbortSignal | undefined;
  /** In another process whatever it costs, so that several are judged at once. */
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
 * What may hold the event loop up is judged in another process, which has a deadline. Rules somebody installed are not
 * known to end, so documents they may judge go there whatever they cost.
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
    if (error instanceof LimitExceeded) return refused(limitExceeded(error, suspects));
    throw error;
  }
}

/** More than will judge: which sets speak of a document is known only once it is read. */
function isolatedSetsFor(
  sets: readonly RuleSet[],
  { options: { ruleSets }, now }: ExamineJob,
): RuleSet[] {
  const candidates = ruleSets === undefined
    ? currentSets(sets, dayOf(now))
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
