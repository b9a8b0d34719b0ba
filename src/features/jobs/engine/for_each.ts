import type { Value } from "#src/domain/expression/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { StepKind } from "#src/definitions/jobs.ts";
import type { Call } from "../actions/mod.ts";
import { readRows } from "../rows_store.ts";
import { updateStep } from "../store.ts";
import { compiled, rowsMeantBy } from "../compile.ts";
import { pauseAfter } from "./doing.ts";
import {
  failed,
  failureOfStep,
  isIdempotent,
  leave,
  type Outcome,
  performed,
  type Prepared,
  retryOf,
  succeeded,
  WORKER_LOST,
} from "./do_step.ts";
import { Ended, type Failure, isInterruption, LOST } from "./ends.ts";
import { namesFor } from "./names.ts";
import { changeStep, type Work } from "./work.ts";

/** How far a loop is: what a worker that takes the run up goes on from. */
interface Progress {
  /** The first item nobody began. */
  next: number;
  /** Items before it that are under way. */
  readonly open: Set<number>;
  count: number;
  failed: number;
  /** Of the first items that failed. */
  readonly errors: { readonly index: number; readonly code: string; readonly message: string }[];
  /** What items under way keep of themselves. */
  readonly items: Map<number, Readonly<Record<string, unknown>>>;
}

const MOST_ITEMS = 100_000;
/** What can be done twice may be a little behind. */
const KEEP_EVERY_MS = 500;
const MOST_ERRORS = 10;

/** A step for each of many items, some at a time; memory holds one part of them. */
export async function doForEach(work: Work, prepared: Prepared): Promise<Outcome> {
  const { step, position } = prepared;
  const { parallel = 1, on_error = "stop" } = step.for_each ?? {};
  const row = work.steps[position];
  const wasBegun = row?.status === "running";
  const loop = await newLoop(work, prepared, progressOf(row?.progress ?? null));
  const { progress } = loop;
  await changeStep(work, position, { status: "running", resting: false, begins: true });
  const uncertain = wasBegun && !loop.isIdempotent ? [...progress.open] : [];
  for (const index of uncertain) {
    progress.open.delete(index);
    loop.failures(index, WORKER_LOST);
  }
  loop.first ??= firstOf(progress);
  const redo = new Set(progress.open);
  const running = new Set<Promise<void>>();
  try {
    for await (const { index, item } of itemsOf(work, prepared, redo, progress.next)) {
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
    return await failed(work, position, loop.first);
  }
  await succeeded(work, position, { output, rowCount: count });
  return { end: "done" };
}

function progressOf(kept: Readonly<Record<string, unknown>> | null): Progress {
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

/** One that failed before the worker was lost ends a loop that stops at errors. */
function firstOf({ errors: [first] }: Progress): Failure | undefined {
  return first && { code: first.code, message: say`${first.message}`, retryable: false };
}

async function newLoop(work: Work, prepared: Prepared, progress: Progress) {
  const { step, position, given } = prepared;
  const as = step.for_each?.as ?? "item";
  const names = await namesFor(work.needs, work, given.paths);
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
    first: undefined as Failure | undefined,
    ended: undefined as Ended | undefined,
    /** Our own database went away. */
    broken: undefined as unknown,
    keep,
    isOver: (onError: string) =>
      loop.ended !== undefined || loop.broken !== undefined || work.ends.stop.aborted ||
      work.ends.abort.aborted ||
      onError === "stop" && loop.first !== undefined,
    /** What cannot be done twice is known to be begun before it is. */
    async begins(index: number) {
      progress.open.add(index);
      progress.next = Math.max(progress.next, index + 1);
      if (!idempotent || performance.now() - kept > KEEP_EVERY_MS) await keep();
    },
    failures(index: number, failure: Failure) {
      progress.failed++;
      loop.first ??= failure;
      const { code, message } = failure;
      const { errors } = progress;
      if (errors.length < MOST_ERRORS) errors.push({ index, code, message: String(message) });
      work.log.line("warn", say`Item ${index}: ${message}`, {
        step: step.id,
        data: { index, code },
      });
    },
    async one(index: number, item: Value) {
      try {
        await attempted(index, item);
        progress.count++;
        ended(index);
      } catch (error) {
        const isEnd = error instanceof Ended && error.why !== "timeout";
        if (isEnd) return void (loop.ended ??= error); // stays open: it may not be done
        if (isInterruption(error)) return void (loop.broken ??= error);
        ended(index);
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

  function ended(index: number): void {
    progress.open.delete(index);
    progress.items.delete(index);
  }

  /** What an item keeps is its own: the others, and the loop, write beside it. */
  function ownProgress(index: number): Pick<Call<StepKind>, "progress" | "keep"> {
    return {
      progress: progress.items.get(index) ?? null,
      async keep(added, tx = work.needs.db) {
        const change = { item: { index, progress: added } };
        if (!await updateStep(tx, { run: work.run, position }, change)) throw LOST;
        progress.items.set(index, added);
      },
    };
  }

  async function attempted(index: number, item: Value): Promise<void> {
    for (let attempt = 1;; attempt++) {
      try {
        const result = await performed(work, prepared, {
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
          ? pauseAfter(attempt, retryOf(work, step))
          : undefined;
        if (pause === undefined) throw error;
        if (progress.items.has(index)) await ownProgress(index).keep({}); // the next attempt begins anew
        await delay(pause, AbortSignal.any([work.ends.abort, work.ends.stop]));
      }
    }
  }
}

/** Items that were under way, then all from one on. */
async function* itemsOf(
  work: Work,
  { step }: Prepared,
  redo: ReadonlySet<number>,
  next: number,
): AsyncGenerator<{ index: number; item: Value }> {
  const { needs, run, steps } = work;
  const text = step.for_each?.items ?? "";
  const from = Math.min(next, ...redo);
  const wanted = (index: number) => index >= next || redo.has(index);
  const source = steps.find((it) => it.id === rowsMeantBy(text));
  if (source) {
    const { position } = source;
    for await (const { at, rows } of readRows(needs.db, { runId: run.id, position, from })) {
      for (const [offset, item] of rows.entries()) {
        if (wanted(at + offset)) yield { index: at + offset, item: item as Value };
      }
    }
    return;
  }
  const items = compiled(text);
  const list = items.fill(await namesFor(needs, work, items.paths));
  if (list === null) return;
  if (!Array.isArray(list)) throw new AppError("invalid", say`for_each: ${text} is no list`);
  if (list.length > MOST_ITEMS) {
    throw new AppError("invalid", say`for_each: ${list.length} items; ${MOST_ITEMS} are allowed`);
  }
  for (const [index, item] of (list as Value[]).entries()) {
    if (index >= from && wanted(index)) yield { index, item };
  }
}
