import { kindOf, type StepDefinition, type StepKind } from "#src/definitions/jobs.ts";
import { type Names, type Path, sizeOf } from "#src/domain/expression/mod.ts";
import { allOf, type Readers } from "#src/domain/job/readers.ts";
import { delay } from "#src/kernel/delay.ts";
import { kept } from "#src/kernel/sentences/kept.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { milliseconds } from "#src/kernel/units.ts";
import { actingOf, checkHeld } from "../acting.ts";
import { actionOf, type Call, type Rest, type Result } from "../actions/mod.ts";
import { readersOfPaths, traitsNow } from "../readers.ts";
import { clearRows, insertPart, type Item, PART } from "../rows_store.ts";
import { updateStep } from "../store.ts";
import { type Compiled, compiled, compiledCondition } from "../compile.ts";
import { pauseAfter, underEnds } from "./doing.ts";
import { Ended, type Failure, failureOf, isInterruption, LOST, steadily } from "./ends.ts";
import { doForEach } from "./for_each.ts";
import { namesFor } from "./names.ts";
import { changeStep, type Work } from "./work.ts";

/** A step's definition, with what it fills in. */
export interface Prepared {
  readonly step: StepDefinition;
  readonly kind: StepKind;
  readonly position: number;
  readonly given: Compiled;
}

export type Outcome =
  | { readonly end: "done" }
  | {
    readonly end: "rest";
    readonly restMs: number | undefined;
    /** It is looked after then in any case, milliseconds. */
    readonly limitMs?: number;
  }
  | { readonly end: "failed"; readonly failure: Failure };

const DONE: Outcome = { end: "done" };
/** A longer pause lets the worker do other things. */
const REST_MS = 5_000;

/** Takes one step as far as it goes. Throws `Ended` where the run is aborted or its worker stops. */
export async function doStep(work: Work, position: number): Promise<Outcome> {
  const { step } = work.planned[position] ?? {};
  const row = work.steps[position];
  if (!step || !row) throw new Error("a step stands at each place");
  try {
    const kind = kindOf(step);
    const prepared = { step, kind, position, given: givenOf(step, kind) };
    if (row.status === "pending" && !await isWanted(work, step)) {
      await changeStep(work, position, { status: "skipped", ends: true });
      work.log.line("info", say`Skipped: its condition does not hold`, { step: step.id });
      return DONE;
    }
    return step.for_each ? await doForEach(work, prepared) : await doOnce(work, prepared);
  } catch (error) {
    if (error === LOST || error instanceof Ended && error.why !== "timeout") throw error;
    if (isInterruption(error)) throw error;
    return await failed(work, position, failureOfStep(work, error, false));
  }
}

/** What of a step its expressions stand in; texts of a message are filled by its `data` alone. */
function givenOf(step: StepDefinition, kind: StepKind): Compiled {
  const given = step[kind];
  if (kind !== "notify" || typeof given !== "object") return compiled(given);
  const { text, subject, template, ...rest } = given as NonNullable<StepDefinition["notify"]>;
  const own = compiled(rest);
  return {
    paths: own.paths,
    fill: (names) => ({ ...own.fill(names) as object, text, subject, template }) as never,
  };
}

async function isWanted(work: Work, step: StepDefinition): Promise<boolean> {
  if (step.if === undefined) return true;
  const condition = compiledCondition(step.if);
  return condition.holds(await steadily(() => namesFor(work.needs, work, condition.paths)));
}

/** A step that is done once, if need be in several attempts. */
async function doOnce(work: Work, prepared: Prepared): Promise<Outcome> {
  const { step, position, given } = prepared;
  const names = await steadily(() => namesFor(work.needs, work, given.paths));
  for (;;) {
    const row = work.steps[position];
    const isLost = row?.status === "running" && !row.resting;
    const idempotent = isIdempotent(work, prepared);
    if (isLost && !idempotent) return await failed(work, position, WORKER_LOST);
    const isNew = row?.progress?.["again"] === true;
    const goesOn = row?.resting === true && !isNew;
    const begins = goesOn ? {} : { begins: true } as const;
    const progress = { ...isNew ? {} : row?.progress };
    const begun = Number(progress["begun"] ?? work.needs.clock.now().getTime());
    await changeStep(work, position, {
      status: "running",
      resting: false,
      progress: { ...progress, begun },
      ...begins,
    });
    const rows = newRowKeeper(work, position);
    try {
      const result = await performed(work, prepared, {
        names,
        isIdempotent: idempotent,
        rows,
        begun,
        own: ownProgress(work, position),
      });
      if ("restMs" in result) return restOf(work, step, result, begun);
      await rows.end();
      await succeeded(work, position, result);
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
        ? pauseAfter(attemptOf(work, position), retryOf(work, step))
        : undefined;
      if (pause === undefined) return await failed(work, position, failure);
      work.log.line("warn", say`Attempt ${attemptOf(work, position)} failed: ${failure.message}`, {
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

/** What a doing keeps of itself in its step's row. */
function ownProgress(work: Work, position: number): OwnProgress {
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
function restOf(
  { needs: { clock } }: Work,
  { timeout }: StepDefinition,
  { restMs }: Rest,
  begun: number,
): Outcome {
  if (timeout === undefined) return { end: "rest", restMs };
  const left = begun + milliseconds(timeout) - clock.now().getTime();
  return { end: "rest", restMs, limitMs: Math.max(0, left) };
}

/** Ends what a doing began that failed. */
export async function leave(
  { needs }: Work,
  { kind }: Prepared,
  progress: Readonly<Record<string, unknown>>,
): Promise<void> {
  await steadily(async () => await actionOf(kind).leave?.(needs, progress));
}

export const WORKER_LOST: Failure = {
  code: "worker_lost",
  message:
    say`Its worker was lost in the middle of it; whether it took effect is not known, and it is not done twice`,
  retryable: false,
};

function attemptOf(work: Work, position: number): number {
  return work.steps[position]?.attempt ?? 1;
}

export function retryOf({ run }: Work, step: StepDefinition) {
  return { ...run.definition.retry, ...step.retry };
}

/** By the names the step says, which no expression stands in. */
export function isIdempotent({ needs }: Work, { step, kind }: Prepared): boolean {
  if (step.idempotent !== undefined) return step.idempotent;
  return actionOf(kind).isIdempotent(step[kind] as never, needs.configuration.current());
}

type OwnProgress = Pick<Call<StepKind>, "progress" | "keep">;

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
export async function performed(
  work: Work,
  { step, kind, position, given }: Prepared,
  { names, isIdempotent, own, begun, index, rows }: Doing,
): Promise<Result | Rest> {
  const { needs, run, log, ends } = work;
  const snapshot = needs.configuration.current();
  const action = actionOf(kind);
  const filled = given.fill(names) as never;
  const actor = await steadily(() => actingOf(needs, run.actingAs));
  const wanted = action.needs(filled, snapshot);
  const traits = action.traits?.(filled, snapshot) ?? [];
  const ownReaders = {
    needs: wanted.map((it) => it.code),
    traits: await traitsNow(needs, actor, traits),
  };
  const read = readersOfPaths(work, [...given.paths, ...loopPaths(step)]);
  // What items of a loop gave stays beside what later ones give, which may be of other claims by then.
  const before = index === undefined ? undefined : work.steps[position];
  await guard(work, position, allOf([...before ? [before] : [], ownReaders, read]));
  checkHeld(actor, wanted);
  return await underEnds(
    ends,
    {
      timeout: step.timeout,
      isIdempotent,
      ...begun !== undefined && { spentMs: needs.clock.now().getTime() - begun },
    },
    (signal) =>
      action.perform(needs, {
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
  );
}

/** What a step gives is for those who may see all it was made of, as its row says before it begins. */
async function guard(work: Work, position: number, { needs, traits }: Readers): Promise<void> {
  const row = work.steps[position];
  const isSaid = JSON.stringify([row?.needs, row?.traits]) === JSON.stringify([needs, traits]);
  if (!isSaid) await changeStep(work, position, { needs: [...needs], traits });
}

function loopPaths({ for_each }: StepDefinition): readonly Path[] {
  return compiled(for_each?.items).paths;
}

function paramReaders(work: Work, step: StepDefinition): Record<string, Readers> {
  return Object.fromEntries(
    Object.entries(step.job?.params ?? {}).map(([name, value]) => [
      name,
      readersOfPaths(work, [...compiled(value).paths, ...loopPaths(step)]),
    ]),
  );
}

/** Keeps the rows of a step in parts as they come. */
function newRowKeeper({ needs: { db }, run }: Work, position: number) {
  const of = { runId: run.id, position };
  let waiting: Item[] = [];
  let part = 0;
  return {
    async add(rows: readonly Item[]) {
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

const MOST_OUTPUT = 64 * 1024;

/** What later steps read of it, within bounds: what is too large is left out, the largest first, and named. */
function bounded(output: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries(output).map(([name, value]) => ({
    name,
    value,
    size: sizeOf(value, MOST_OUTPUT),
  })).sort((a, b) => a.size - b.size);
  let size = 0;
  const fits = fields.filter((it) => (size += it.size) <= MOST_OUTPUT);
  const left = fields.slice(fits.length).map((it) => it.name);
  return {
    ...Object.fromEntries(fits.map(({ name, value }) => [name, value])),
    ...left.length && { left_out: left },
  };
}

export async function succeeded(
  work: Work,
  position: number,
  { output, rowCount }: Result,
): Promise<void> {
  await changeStep(work, position, {
    status: "succeeded",
    output: bounded(output),
    rowCount: rowCount ?? null,
    progress: null,
    resting: false,
    errorCode: null,
    ...kept("error", null),
    ends: true,
  });
  const step = work.steps[position]?.id ?? "";
  work.log.line("info", rowCount === undefined ? say`Done` : say`Done: ${rowCount} rows`, { step });
}

export function failureOfStep(work: Work, error: unknown, isIdempotent: boolean): Failure {
  return failureOf(error, { isIdempotent, log: work.needs.log, run: work.run.id });
}

export async function failed(work: Work, position: number, failure: Failure): Promise<Outcome> {
  const { code, message } = failure;
  await changeStep(work, position, {
    status: "failed",
    errorCode: code,
    ...kept("error", message),
    progress: null,
    resting: false,
    ends: true,
  });
  work.log.line("error", message, { step: work.steps[position]?.id ?? "", data: { code } });
  return { end: "failed", failure };
}
