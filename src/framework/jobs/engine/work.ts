import type { StepDefinition } from "#src/definitions/jobs.ts";
import type { StepSection } from "#src/domain/job/run.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ActionDeps } from "../actions/mod.ts";
import { type JobRun, type JobStep, type StepChange, updateStep } from "../store.ts";
import type { Ends } from "./doing.ts";
import { LOST, steadily } from "./ends.ts";
import type { RunLog } from "./run_log.ts";

/** A run in the hand of this worker. */
export interface RunWork {
  readonly deps: ActionDeps;
  run: JobRun;
  readonly steps: JobStep[];
  readonly planned: readonly { section: StepSection; step: StepDefinition }[];
  readonly log: RunLog;
  readonly ends: Ends;
  /** Reason why no step runs: the author of the job lacks rights of the run's user. */
  readonly refusal: Sentence | undefined;
}

/** Writes a step's change, in memory and in the database; throws when another worker owns the run. */
export async function changeStep(
  work: RunWork,
  position: number,
  change: StepChange,
): Promise<void> {
  const { deps: { db }, run, steps } = work;
  const isOurs = await steadily(() => updateStep(db, { run, position }, change));
  if (!isOurs) throw LOST;
  const step = steps[position];
  if (!step) return;
  const { begins, ends: _, loop: _loop, item: _item, ...set } = change;
  steps[position] = { ...step, ...set, attempt: step.attempt + (begins ? 1 : 0) };
}
