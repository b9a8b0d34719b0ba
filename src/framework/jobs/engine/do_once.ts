import type { StepDefinition, StepKind } from "#src/definitions/jobs.ts";
import { computeSize, type ExpressionPath, type Names } from "#src/domain/expression/mod.ts";
import { combineReaders, type Readers } from "#src/domain/job/readers.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { toColumns } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { checkHeld, readActing } from "../acting.ts";
import { getAction, type Rest, type StepCall, type StepResult } from "../actions/mod.ts";
import { readersOfPaths, traitsNow } from "../readers.ts";
import { clearRows, insertPart, type JobRow, PART } from "../rows_store.ts";
import { updateStep } from "../store.ts";
import { type CompiledValue, compileValue } from "../compile.ts";
import { pauseAfter, underEnds } from "./doing.ts";
import {
  describeFailure,
  Ended,
  isInterruption,
  LOST,
  steadily,
  type StepFailure,
} from "./ends.ts";
import { namesFor } from "./names.ts";
import { withoutRowValues } from "./withhold_values.ts";
import { changeStep, type RunWork } from "./work.ts";

/** Definition of a step with its compiled expressions. */
export interface PreparedStep {
  readonly step: StepDefinition;
  readonly kind: StepKind;
  readonly position: number;
  readonly given: CompiledValue;
}

export type StepOutcome =
  | { readonly end: "done" }
  | {
    readonly end: "rest";
    readonly restMs: number | undefined;
    /** It is looked after then in any case, milliseconds. */
    readonly limitMs?: number;
  }
  | { readonly end: "failed"; readonly failure: StepFailure };

const DONE: StepOutcome = { end: "done" };
/** A longer pause lets the worker do other things. */
const REST_MS = 5_000;

/** A step that is done once, if need be in several attempts. */
export async function doOnce(work: RunWork, prepared: PreparedStep): Promise<StepOutcome> {
  const { step, position, given } = prepared;
  const names = await steadily(() => namesFor(work.deps, work, given.paths));
  for (;;) {
    const row = work.steps[position];
    const isLost = row?.status === "running" && !row.resting;
    const idempotent = isIdempotent(work, prepared);
    if (isLost && !idempotent) return await recordFailure(work, position, WORKER_LOST);
    const isNew = row?.progress?.["again"] === true;
    const goesOn = row?.resting === true && !isNew;
    const begins = goesOn ? {} : { begins: true } as const;
    const progress = { ...isNew ? {} : row?.progress };
    const begun = Number(progress["begun"] ?? work.deps.clock.now().getTime());
    await changeStep(work, position, {
      status: "running",
      resting: false,
      progress: { ...progress, begun },
      ...begins,
    });
    const rows = newRowKeeper(work, position);
    try {
      const result = await performStep(work, prepared, {
        names,
        isIdempotent: idempotent,
        rows,
        begun,
        own: ownProgress(work, position),
      });
      if ("restMs" in result) return createRest(work, step, result, begun);
      await rows.end();
      await recordSuccess(work, position, result);
      return DONE;
    } catch (error) {
      if (error === LOST || isInterruption(error)) throw error;
      if (error instanceof Ended && error.why === "aborted") throw error;
      if (error instanceof Ended && error.why === "stopping" && idempotent) {
        await changeStep(work, position, { status: "pending" });
        throw error;
      }
      const failure = failureOfStep(work, error, idempotent);
      await leave(work, prepared, work.steps[position]?.progress ?? {});
      const pause = failure.retryable && work.ends.msLeft() > 0
        ? pauseAfter(getAttempt(work, position), getRetry(work, step))
        : undefined;
      if (pause === undefined) return await recordFailure(work, position, failure);
      work.log.line("warn", say`Attempt ${getAttempt(work, position)} failed: ${failure.message}`, {
        step: step.id,
      });
      if (pause > REST_MS) {
        await changeStep(work, position, { progress: { again: true } });
        return { end: "rest", restMs: pause };
      }
      await changeStep(work, position, { resting: true, progress: { again: true } });
      await delay(pause, AbortSignal.any([work.ends.abort, work.ends.stop]));
    }
  }
}

/** Returns the progress of one execution, stored in the row of its step. */
function ownProgress(work: RunWork, position: number): OwnProgress {
  return {
    progress: work.steps[position]?.progress ?? null,
    async keep(added, tx) {
      const row = work.steps[position];
      const progress = { ...row?.progress, ...added };
      if (!tx) return await changeStep(work, position, { progress });
      if (!await updateStep(tx, { run: work.run, position }, { progress })) throw LOST;
      if (row) work.steps[position] = { ...row, progress };
    },
  };
}

/** A step that rests is woken when its own time is over too. */
function createRest(
  { deps: { clock } }: RunWork,
  { timeout }: StepDefinition,
  { restMs }: Rest,
  begun: number,
): StepOutcome {
  if (timeout === undefined) return { end: "rest", restMs };
  const left = begun + milliseconds(timeout) - clock.now().getTime();
  return { end: "rest", restMs, limitMs: Math.max(0, left) };
}

/** Ends the external work of a failed execution. */
export async function leave(
  { deps }: RunWork,
  { kind }: PreparedStep,
  progress: Readonly<Record<string, unknown>>,
): Promise<void> {
  await steadily(async () => await getAction(kind).leave?.(deps, progress));
}

export const WORKER_LOST: StepFailure = {
  code: "worker_lost",
  message:
    say`Its worker was lost in the middle of it; whether it took effect is not known, and it is not done twice`,
  retryable: false,
};

function getAttempt(work: RunWork, position: number): number {
  return work.steps[position]?.attempt ?? 1;
}

export function getRetry({ run }: RunWork, step: StepDefinition) {
  return { ...run.definition.retry, ...step.retry };
}

/** Returns true when the step may run twice; its names contain no expressions. */
export function isIdempotent({ deps }: RunWork, { step, kind }: PreparedStep): boolean {
  if (step.idempotent !== undefined) return step.idempotent;
  return getAction(kind).isIdempotent(step[kind] as never, deps.configuration.current());
}

type OwnProgress = Pick<StepCall<StepKind>, "progress" | "keep">;

interface Doing {
  readonly names: Names;
  readonly isIdempotent: boolean;
  readonly own: OwnProgress;
  /** When this attempt began, milliseconds since the epoch, where it may have rested since. */
  readonly begun?: number;
  readonly index?: number;
  readonly rows?: Pick<ReturnType<typeof newRowKeeper>, "add">;
}

/** One doing: with the rights of this moment, and an end. */
export async function performStep(
  work: RunWork,
  { step, kind, position, given }: PreparedStep,
  { names, isIdempotent, own, begun, index, rows }: Doing,
): Promise<StepResult | Rest> {
  const { deps, run, log, ends } = work;
  const snapshot = deps.configuration.current();
  const action = getAction(kind);
  const read = readersOfPaths(work, [...given.paths, ...loopPaths(step)]);
  const definition = step[kind];
  const withhold = (error: unknown, filled?: unknown): never => {
    throw withoutRowValues(error, { readers: read, definition, filled });
  };
  const filled = attempt(() => given.fill(names) as never, withhold);
  const actor = await steadily(() => readActing(deps, run.actingAs));
  const wanted = action.needs(filled, snapshot);
  const traits = action.traits?.(filled, snapshot) ?? [];
  const ownReaders = {
    needs: wanted.map((it) => it.code),
    traits: await traitsNow(deps, actor, traits),
  };
  // Readers of earlier items stay in addition, because later items may depend on other claims.
  const before = index === undefined ? undefined : work.steps[position];
  await guard(work, position, combineReaders([...before ? [before] : [], ownReaders, read]));
  if (work.refusal) throw new AppError("forbidden", work.refusal);
  checkHeld(actor, wanted);
  return await underEnds(
    ends,
    {
      timeout: step.timeout,
      isIdempotent,
      ...begun !== undefined && { spentMs: deps.clock.now().getTime() - begun },
    },
    (signal) =>
      action.perform(deps, {
        given: filled,
        run,
        step,
        position,
        index,
        actor,
        snapshot,
        signal,
        ...own,
        paramReaders: () => paramReaders(work, step),
        keepRows: rows?.add,
        log: (level, message, data) => log.line(level, message, { step: step.id, data }),
      }),
  ).catch((error) => withhold(error, filled));
}

function attempt<T>(work: () => T, refuse: (error: unknown) => never): T {
  try {
    return work();
  } catch (error) {
    return refuse(error);
  }
}

/** Restricts a step's result to readers of all its sources, in its row and before it begins. */
async function guard(work: RunWork, position: number, { needs, traits }: Readers): Promise<void> {
  const row = work.steps[position];
  const isSaid = JSON.stringify([row?.needs, row?.traits]) === JSON.stringify([needs, traits]);
  if (!isSaid) await changeStep(work, position, { needs: [...needs], traits });
}

function loopPaths({ for_each }: StepDefinition): readonly ExpressionPath[] {
  return compileValue(for_each?.items).paths;
}

function paramReaders(work: RunWork, step: StepDefinition): Record<string, Readers> {
  return Object.fromEntries(
    Object.entries(step.job?.params ?? {}).map(([name, value]) => [
      name,
      readersOfPaths(work, [...compileValue(value).paths, ...loopPaths(step)]),
    ]),
  );
}

/** Creates a writer that stores the rows of a step in parts as they arrive. */
function newRowKeeper({ deps: { db }, run }: RunWork, position: number) {
  const of = { runId: run.id, position };
  let waiting: JobRow[] = [];
  let part = 0;
  return {
    async add(rows: readonly JobRow[]) {
      if (!part && !waiting.length) await clearRows(db, of);
      waiting.push(...rows);
      for (; waiting.length >= PART; waiting = waiting.slice(PART)) {
        await insertPart(db, { ...of, part: part++, rows: waiting.slice(0, PART) });
      }
    },
    async end() {
      if (waiting.length) await insertPart(db, { ...of, part, rows: waiting });
    },
  };
}

const MAX_OUTPUT = 64 * 1024;

/** Limits the output for later steps: leaves out the largest fields first, and names them. */
function limitOutput(output: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(output).map(([name, value]) => ({
    name,
    value,
    size: computeSize(value, MAX_OUTPUT),
  })).sort((a, b) => a.size - b.size);
  let size = 0;
  const fits = fields.filter((it) => (size += it.size) <= MAX_OUTPUT);
  const left = fields.slice(fits.length).map((it) => it.name);
  return {
    ...Object.fromEntries(fits.map(({ name, value }) => [name, value])),
    ...left.length && { left_out: left },
  };
}

export async function recordSuccess(
  work: RunWork,
  position: number,
  { output, rowCount }: StepResult,
): Promise<void> {
  await changeStep(work, position, {
    status: "succeeded",
    output: limitOutput(output),
    rowCount: rowCount ?? null,
    progress: null,
    resting: false,
    errorCode: null,
    ...toColumns("error", null),
    ends: true,
  });
  const step = work.steps[position]?.id ?? "";
  work.log.line("info", rowCount === undefined ? say`Done` : say`Done: ${rowCount} rows`, { step });
}

export function failureOfStep(work: RunWork, error: unknown, isIdempotent: boolean): StepFailure {
  return describeFailure(error, { isIdempotent, log: work.deps.log, run: work.run.id });
}

export async function recordFailure(
  work: RunWork,
  position: number,
  failure: StepFailure,
): Promise<StepOutcome> {
  const { code, message } = failure;
  await changeStep(work, position, {
    status: "failed",
    errorCode: code,
    ...toColumns("error", message),
    progress: null,
    resting: false,
    ends: true,
  });
  work.log.line("error", message, { step: work.steps[position]?.id ?? "", data: { code } });
  return { end: "failed", failure };
}
