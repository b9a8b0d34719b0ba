import type { Value } from "#src/domain/expression/mod.ts";
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
  const loop = await newLoop(work, prepared, restoreProgress(row?.progress ?? null));
  const { progress } = loop;
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

async function newLoop(work: RunWork, prepared: PreparedStep, progress: Progress) {
  const { step, position, given } = prepared;
  const as = step.for_each?.as ?? "item";
  const names = await namesFor(work.deps, work, given.paths);
  const idempotent = isIdempotent(work, prepared);
  let kept = performance.now();
  const keep = async () => {
    kept = performance.now();
    const { next, open, count, failed, errors } = progress;
    await changeStep(work, position, { loop: { next, open: [...open], count, failed, errors } });
  };
  const loop = {
    progress,
    isIdempotent: idempotent,
    first: undefined as StepFailure | undefined,
    ended: undefined as Ended | undefined,
    /** Error of our own database. */
    broken: undefined as unknown,
    keep,
    isOver: (onError: string) =>
      loop.ended !== undefined || loop.broken !== undefined || work.ends.stop.aborted ||
      work.ends.abort.aborted ||
      onError === "stop" && loop.first !== undefined,
    /** Saves the start of an item that cannot run twice before it runs. */
    async begins(index: number) {
      progress.open.add(index);
      progress.next = Math.max(progress.next, index + 1);
      if (!idempotent || performance.now() - kept > KEEP_EVERY_MS) await keep();
    },
    failures(index: number, failure: StepFailure) {
      progress.failed++;
      loop.first ??= failure;
      const { code, message } = failure;
      const { errors } = progress;
      if (errors.length < MAX_ERRORS) errors.push({ index, code, message: String(message) });
      work.log.line("warn", say`Item ${index}: ${message}`, {
        step: step.id,
        data: { index, code },
      });
    },
    async one(index: number, item: Value) {
      try {
        await attempt(index, item);
        progress.count++;
        end(index);
      } catch (error) {
        const isEnd = error instanceof Ended && error.why !== "timeout";
        if (isEnd) return void (loop.ended ??= error); // stays open: it may not be done
        if (isInterruption(error)) return void (loop.broken ??= error);
        end(index);
        loop.failures(index, failureOfStep(work, error, idempotent));
      }
    },
  };
  if (work.ends.stop.aborted) loop.ended = new Ended("stopping", say`Its worker stops`);
  work.ends.stop.addEventListener(
    "abort",
    () => loop.ended ??= new Ended("stopping", say`Its worker stopped before it was done`),
    { once: true },
  );
  work.ends.abort.addEventListener(
    "abort",
    () => loop.ended ??= new Ended("aborted", say`The run was aborted`),
    { once: true },
  );
  return loop;

  function end(index: number): void {
    progress.open.delete(index);
    progress.items.delete(index);
  }

  /** Returns the progress of one item, stored next to that of other items and the loop. */
  function ownProgress(index: number): Pick<StepCall<StepKind>, "progress" | "keep"> {
    return {
      progress: progress.items.get(index) ?? null,
      async keep(added, tx = work.deps.db) {
        const change = { item: { index, progress: added } };
        if (!await updateStep(tx, { run: work.run, position }, change)) throw LOST;
        progress.items.set(index, added);
      },
    };
  }

  async function attempt(index: number, item: Value): Promise<void> {
    for (let attempt = 1;; attempt++) {
      try {
        const result = await performStep(work, prepared, {
          names: { ...names, [as]: item, index },
          isIdempotent: idempotent,
          index,
          own: ownProgress(index),
        });
        if ("restMs" in result) throw new Error("an item rests where it is");
        return;
      } catch (error) {
        if (error === LOST || error instanceof Ended && error.why !== "timeout") throw error;
        const failure = failureOfStep(work, error, idempotent);
        await leave(work, prepared, progress.items.get(index) ?? {});
        const pause = failure.retryable && work.ends.msLeft() > 0
          ? pauseAfter(attempt, getRetry(work, step))
          : undefined;
        if (pause === undefined) throw error;
        if (progress.items.has(index)) await ownProgress(index).keep({}); // the next attempt starts over
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
