import type { Names, Value } from "#src/domain/expression/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { StepKind } from "#src/definitions/jobs.ts";
import type { StepCall } from "../actions/mod.ts";
import { readRows } from "../rows_store.ts";
import { updateStep } from "../store.ts";
import { compileValue, rowsMeantBy } from "../compile.ts";
import { pauseAfter } from "./doing.ts";
import {
  failureOfStep,
  getRetry,
  isIdempotent,
  leave,
  performStep,
  type PreparedStep,
  recordFailure,
  recordSuccess,
  type StepOutcome,
  WORKER_LOST,
} from "./do_once.ts";
import { Ended, isInterruption, LOST, type StepFailure } from "./ends.ts";
import { namesFor } from "./names.ts";
import { changeStep, type RunWork } from "./work.ts";

/** Progress of a loop, from which another worker continues. */
interface Progress {
  /** Index of the first item that has not begun. */
  next: number;
  /** Items before it that are under way. */
  readonly open: Set<number>;
  count: number;
  failed: number;
  /** Errors of the first failed items. */
  readonly errors: { readonly index: number; readonly code: string; readonly message: string }[];
  /** Progress of the running items. */
  readonly items: Map<number, Readonly<Record<string, unknown>>>;
}

const MAX_ITEMS = 100_000;
/** Interval of saves for loops that may run twice, whose progress may lag. */
const KEEP_EVERY_MS = 500;
const MAX_ERRORS = 10;

/** Runs a step for each of many items, several at a time; loads only one part of them into memory. */
export async function doForEach(work: RunWork, prepared: PreparedStep): Promise<StepOutcome> {
  const { step, position } = prepared;
  const { parallel = 1, on_error = "stop" } = step.for_each ?? {};
  const row = work.steps[position];
  const wasBegun = row?.status === "running";
  const progress = restoreProgress(row?.progress ?? null);
  const names = await namesFor(work.deps, work, prepared.given.paths);
  const loop = new Loop(work, prepared, { progress, names });
  await changeStep(work, position, { status: "running", resting: false, begins: true });
  const uncertain = wasBegun && !loop.isIdempotent ? [...progress.open] : [];
  for (const index of uncertain) {
    progress.open.delete(index);
    loop.failures(index, WORKER_LOST);
  }
  loop.first ??= findFirst(progress);
  const redo = new Set(progress.open);
  const running = new Set<Promise<void>>();
  try {
    for await (const { index, item } of getItems(work, prepared, redo, progress.next)) {
      if (loop.isOver(on_error)) break;
      await loop.begins(index);
      const doing = loop.one(index, item).finally(() => running.delete(doing));
      running.add(doing);
      if (running.size >= parallel) await Promise.race(running);
    }
  } finally {
    await Promise.all(running);
  }
  if (loop.broken !== undefined) throw loop.broken;
  await loop.keep();
  if (loop.ended) {
    await changeStep(work, position, { resting: loop.ended.why === "stopping" });
    throw loop.ended;
  }
  const { count, failed: lost, errors } = progress;
  const output = { count, failed: lost, errors };
  if (loop.first && on_error === "stop") {
    await changeStep(work, position, { output, rowCount: count });
    return await recordFailure(work, position, loop.first);
  }
  await recordSuccess(work, position, { output, rowCount: count });
  return { end: "done" };
}

function restoreProgress(kept: Readonly<Record<string, unknown>> | null): Progress {
  const { next = 0, open = [], count = 0, failed = 0, errors = [], items = {} } = (kept ??
    {}) as Partial<
      Omit<Progress, "open" | "items"> & {
        open: number[];
        items: Record<string, Record<string, unknown>>;
      }
    >;
  return {
    next,
    open: new Set(open),
    count,
    failed,
    errors: [...errors],
    items: new Map(Object.entries(items).map(([index, it]) => [Number(index), it])),
  };
}

/** Returns the error of an item that failed before the worker was lost; it ends a loop that stops at errors. */
function findFirst({ errors: [first] }: Progress): StepFailure | undefined {
  return first && { code: first.code, message: say`${first.message}`, retryable: false };
}

/** A loop under way. Its items run in parallel and share its progress and its end. */
class Loop {
  readonly progress: Progress;
  readonly isIdempotent: boolean;
  first: StepFailure | undefined;
  ended: Ended | undefined;
  /** Error of our own database. */
  broken: unknown;
  readonly #work: RunWork;
  readonly #prepared: PreparedStep;
  readonly #names: Names;
  #kept = performance.now();

  constructor(
    work: RunWork,
    prepared: PreparedStep,
    { progress, names }: { readonly progress: Progress; readonly names: Names },
  ) {
    this.#work = work;
    this.#prepared = prepared;
    this.#names = names;
    this.progress = progress;
    this.isIdempotent = isIdempotent(work, prepared);
    const { stop, abort } = work.ends;
    if (stop.aborted) this.ended = new Ended("stopping", say`Its worker stops`);
    const once = { once: true };
    stop.addEventListener("abort", () => {
      this.ended ??= new Ended("stopping", say`Its worker stopped before it was done`);
    }, once);
    abort.addEventListener("abort", () => {
      this.ended ??= new Ended("aborted", say`The run was aborted`);
    }, once);
  }

  isOver(onError: string): boolean {
    const { stop, abort } = this.#work.ends;
    return this.ended !== undefined || this.broken !== undefined || stop.aborted ||
      abort.aborted || onError === "stop" && this.first !== undefined;
  }

  async keep(): Promise<void> {
    this.#kept = performance.now();
    const { next, open, count, failed, errors } = this.progress;
    const loop = { next, open: [...open], count, failed, errors };
    await changeStep(this.#work, this.#prepared.position, { loop });
  }

  /** Saves the start of an item that cannot run twice before it runs. */
  async begins(index: number): Promise<void> {
    const { progress } = this;
    progress.open.add(index);
    progress.next = Math.max(progress.next, index + 1);
    if (!this.isIdempotent || performance.now() - this.#kept > KEEP_EVERY_MS) await this.keep();
  }

  failures(index: number, failure: StepFailure): void {
    this.progress.failed++;
    this.first ??= failure;
    const { code, message } = failure;
    const { errors } = this.progress;
    if (errors.length < MAX_ERRORS) errors.push({ index, code, message: String(message) });
    this.#work.log.line("warn", say`Item ${index}: ${message}`, {
      step: this.#prepared.step.id,
      data: { index, code },
    });
  }

  async one(index: number, item: Value): Promise<void> {
    try {
      await this.#attempt(index, item);
      this.progress.count++;
      this.#end(index);
    } catch (error) {
      const isEnd = error instanceof Ended && error.why !== "timeout";
      if (isEnd) return void (this.ended ??= error); // stays open: it may not be done
      if (isInterruption(error)) return void (this.broken ??= error);
      this.#end(index);
      this.failures(index, failureOfStep(this.#work, error, this.isIdempotent));
    }
  }

  #end(index: number): void {
    this.progress.open.delete(index);
    this.progress.items.delete(index);
  }

  /** Returns the progress of one item, stored next to that of other items and the loop. */
  #ownProgress(index: number): Pick<StepCall<StepKind>, "progress" | "keep"> {
    const work = this.#work;
    const { position } = this.#prepared;
    const { items } = this.progress;
    return {
      progress: items.get(index) ?? null,
      async keep(added, tx = work.deps.db) {
        const change = { item: { index, progress: added } };
        if (!await updateStep(tx, { run: work.run, position }, change)) throw LOST;
        items.set(index, added);
      },
    };
  }

  async #attempt(index: number, item: Value): Promise<void> {
    const work = this.#work;
    const { step } = this.#prepared;
    const as = step.for_each?.as ?? "item";
    for (let attempt = 1;; attempt++) {
      try {
        const result = await performStep(work, this.#prepared, {
          names: { ...this.#names, [as]: item, index },
          isIdempotent: this.isIdempotent,
          index,
          own: this.#ownProgress(index),
        });
        if ("restMs" in result) throw new Error("an item rests where it is");
        return;
      } catch (error) {
        if (error === LOST || error instanceof Ended && error.why !== "timeout") throw error;
        const failure = failureOfStep(work, error, this.isIdempotent);
        await leave(work, this.#prepared, this.progress.items.get(index) ?? {});
        const pause = failure.retryable && work.ends.msLeft() > 0
          ? pauseAfter(attempt, getRetry(work, step))
          : undefined;
        if (pause === undefined) throw error;
        if (this.progress.items.has(index)) await this.#ownProgress(index).keep({}); // the next attempt starts over
        await delay(pause, AbortSignal.any([work.ends.abort, work.ends.stop]));
      }
    }
  }
}

/** Items that were under way, then all from one on. */
async function* getItems(
  work: RunWork,
  { step }: PreparedStep,
  redo: ReadonlySet<number>,
  next: number,
): AsyncGenerator<{ index: number; item: Value }> {
  const { deps, run, steps } = work;
  const text = step.for_each?.items ?? "";
  const from = Math.min(next, ...redo);
  const want = (index: number) => index >= next || redo.has(index);
  const source = steps.find((it) => it.id === rowsMeantBy(text));
  if (source) {
    const { position } = source;
    for await (const { at, rows } of readRows(deps.db, { runId: run.id, position, from })) {
      for (const [offset, item] of rows.entries()) {
        if (want(at + offset)) yield { index: at + offset, item: item as Value };
      }
    }
    return;
  }
  const items = compileValue(text);
  const list = items.fill(await namesFor(deps, work, items.paths));
  if (list === null) return;
  if (!Array.isArray(list)) throw new AppError("invalid", say`for_each: ${text} is no list`);
  if (list.length > MAX_ITEMS) {
    throw new AppError("invalid", say`for_each: ${list.length} items; ${MAX_ITEMS} are allowed`);
  }
  for (const [index, item] of (list as Value[]).entries()) {
    if (index >= from && want(index)) yield { index, item };
  }
}
