import type { Deps } from "#src/deps.ts";
import { examine } from "./examine.ts";
import type { ValidateOptions, Validation } from "./validation.ts";

/** From so many bytes on a document is judged in another thread, so that the event loop never waits for it. */
const LARGE = 256 * 1024;

/** A document as it crosses to the thread that judges it. */
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

export async function examineAnywhere(
  { rules, xsd }: Pick<Deps, "rules" | "xsd">,
  job: ExamineJob,
): Promise<Validation> {
  if (rules.beside !== undefined && job.source.length > LARGE) {
    return await rules.beside<Validation>(job);
  }
  return examineJob({ rules, xsd }, job);
}

/** The same, in the thread the work is in. */
export function examineJob(
  { rules, xsd }: Pick<Deps, "rules" | "xsd">,
  job: ExamineJob,
): Validation {
  const overrides = job.overrides ? rules.overrides() : [];
  return examine({ sets: rules.sets(), overrides, xsd, now: job.now }, job.source, job.options);
}
