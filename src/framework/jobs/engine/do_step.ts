import { getKind, type StepDefinition, type StepKind } from "#src/definitions/jobs.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { compiledCondition, type CompiledValue, compileValue } from "../compile.ts";
import { doOnce, failureOfStep, recordFailure, type StepOutcome } from "./do_once.ts";
import { Ended, isInterruption, LOST, steadily } from "./ends.ts";
import { doForEach } from "./for_each.ts";
import { namesFor } from "./names.ts";
import { changeStep, type RunWork } from "./work.ts";

/** Executes one step as far as possible. Throws `Ended` when the run is aborted or its worker stops. */
export async function doStep(work: RunWork, position: number): Promise<StepOutcome> {
  const { step } = work.planned[position] ?? {};
  const row = work.steps[position];
  if (!step || !row) throw new Error("a step stands at each place");
  try {
    const kind = getKind(step);
    const prepared = { step, kind, position, given: pickGiven(step, kind) };
    if (row.status === "pending" && !await isWanted(work, step)) {
      await changeStep(work, position, { status: "skipped", ends: true });
      work.log.line("info", say`Skipped: its condition does not hold`, { step: step.id });
      return { end: "done" };
    }
    return step.for_each ? await doForEach(work, prepared) : await doOnce(work, prepared);
  } catch (error) {
    if (error === LOST || error instanceof Ended && error.why !== "timeout") throw error;
    if (isInterruption(error)) throw error;
    return await recordFailure(work, position, failureOfStep(work, error, false));
  }
}

/** Compiles the part of a step that may contain expressions; message texts are filled from its `data` alone. */
function pickGiven(step: StepDefinition, kind: StepKind): CompiledValue {
  const given = step[kind];
  if (kind !== "notify" || typeof given !== "object") return compileValue(given);
  const { text, subject, template, ...rest } = given as NonNullable<StepDefinition["notify"]>;
  const own = compileValue(rest);
  return {
    paths: own.paths,
    fill: (names) => ({ ...own.fill(names) as object, text, subject, template }) as never,
  };
}

async function isWanted(work: RunWork, step: StepDefinition): Promise<boolean> {
  if (step.if === undefined) return true;
  const condition = compiledCondition(step.if);
  return condition.holds(await steadily(() => namesFor(work.deps, work, condition.paths)));
}
