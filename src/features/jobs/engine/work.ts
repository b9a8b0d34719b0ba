import type { StepDefinition } from "#src/definitions/jobs.ts";
import type { StepSection } from "#src/domain/job/run.ts";
import type { ActionNeeds } from "../actions/mod.ts";
import { type JobRun, type JobStep, type StepChange, updateStep } from "../store.ts";
import type { Ends } from "./doing.ts";
import { LOST, steadily } from "./ends.ts";
import type { RunLog } from "./run_log.ts";

/** A run in the hand of this worker. */
export interface Work {
  readonly needs: ActionNeeds;
  run: JobRun;
  readonly steps: JobStep[];
  readonly planned: readonly { section: StepSection; step: StepDefinition }[];
  readonly log: RunLog;
  readonly ends: Ends;
}

/** Writes a step's change, here and in the database; throws where the run is in other hands. */
export async function changeStep(work: Work, position: number, change: StepChange): Promise<void> {
  const { needs: { db }, run, steps } = work;
  const isOurs = await steadily(() => updateStep(db, { run, position }, change));
  if (!isOurs) throw LOST;
  const step = steps[position];
  if (!step) return;
  const { begins, ends: _, loop: _loop, item: _item, ...set } = change;
  steps[position] = { ...step, ...set, attempt: step.attempt + (begins ? 1 : 0) };
}
