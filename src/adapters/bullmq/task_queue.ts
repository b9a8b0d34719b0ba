import { keptText } from "#src/kernel/i18n/kept.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import process from "node:process";
import type { Queue } from "bullmq";
import { type Crash, noCrash } from "#src/kernel/crash_points.ts";
import { backoff, delay } from "#src/kernel/delay.ts";
import { toMessage, toSentence } from "#src/kernel/errors.ts";
import { newWaker, type Waker } from "#src/kernel/waker.ts";
import { ChildDied } from "#src/ports/children.ts";
import {
  type Consumer,
  type QueueName,
  RetryLater,
  type RunOptions,
  type StoppedState,
  type TaskQueue,
} from "#src/ports/task_queue.ts";
import type { Wakeup } from "./queues.ts";
import { type BatchedRows, batchedRows, type Held, keepLeases } from "./held_tasks.ts";
import { createBatches, handOver, newRoom } from "./lumps.ts";
import { IN_LINE, takeForRelay } from "./task_relay.ts";
import { type Parts, runGuarded } from "./parts.ts";
import * as deathRows from "./task_deaths.ts";
import * as rows from "./task_rows.ts";
import { type TaskOutcome, traceAttempt } from "./trace_attempt.ts";
import { newTrialGate, type Pass, type TrialGate } from "./trial_gate.ts";

const RELAY_LIMIT = 500;
/** Time that a suspect has a process to itself, and that it waits for this. */
const TRIAL_MS = 10_000;
/** Time in ms within which rows are collected and handed over together. */
const GATHER_MS = 10;
/** Delay after a handover before the relay looks for tasks that did not fit, if it is not woken before. */
const AGAIN_MS = 50;
const TOLD_EVERY_MS = 10_000;
/** Number of searches for expired leases per lease duration: a search every second would not help. */
const SWEEPS_A_LEASE = 6;

/** Uses the `tasks` table as a queue: the row is the record, BullMQ wakes workers and distributes the rows. */
export function bullmqTaskQueue(
  { crash = noCrash, ...given }: Omit<Parts, "crash" | "holder"> & { crash?: Crash },
): TaskQueue {
  const parts = { ...given, crash, holder: `${hostname()}:${process.pid}` };
  return {
    enqueue: (tx, task, payload, options) => rows.insertTasks(tx, task, [payload], options),
    enqueueAll: (tx, task, payloads, options) => rows.insertTasks(tx, task, payloads, options),
    waiting: (tx, task) => rows.countWaiting(tx, task.name),
    revive: (tx, task, payload) => rows.removeDead(tx, task, payload),
    hasten: (tx, task, payload) => rows.hasten(tx, task, payload),
    hastenAll: (tx, task, options) => rows.hastenAll(tx, task.name, options),
    replay: (tx, id) => rows.replay(tx, id),
    ping: () => parts.broker.ping(),
    run: (consumers, options) => runWorkers(parts, consumers, options),
  };
}

async function runWorkers(
  parts: Parts,
  consumers: readonly Consumer[],
  options: RunOptions,
): Promise<void> {
  const { signal } = options;
  const broker = await parts.broker.open();
  const held: Held = new Map();
  const byName = new Map(consumers.map((it) => [it.task.name, it]));
  const life = { signal, report: sparingReport(parts.log) };
  const queues = new Map(
    await Promise.all(
      options.queues.map(async (name) => [name, await broker.queue(name, life)] as const),
    ),
  );
  const waker = newWaker();
  const gate = newTrialGate(TRIAL_MS);
  const batched = batchedRows(parts);
  const lumps = (name: QueueName) => createBatches(name, options.concurrency[name] ?? 1);
  const rooms = new Map(options.queues.map((name) => [name, newRoom(lumps(name))]));
  const workers = await Promise.all([...rooms].map(([name, room]) =>
    broker.worker(
      name,
      ({ data: { id, others = [], suspect } }) =>
        room.begin([id, ...others].map((it) => () =>
          runGuarded(
            parts,
            "queue.work.failed",
            () =>
              workExclusively(parts, gate, {
                id: it,
                suspect,
                byName,
                held,
                batched,
                signal,
                waker,
              }),
          )
        )),
      lumps(name).jobs,
      life,
    )
  ));
  const drained = once(signal).then(() => Promise.all(workers.map((it) => it.close())))
    .then(() => Promise.all([...rooms.values()].map((it) => it.empty())));
  const done = new AbortController();
  const leases = keepLeases(parts, held, done.signal);
  await Promise.all([relay(parts, { queues, lumps, byName, signal, waker }), drained]);
  done.abort();
  await leases;
  await Promise.all([...queues.values()].map((it) => it.close()));
}

/**
 * Limits error reports: while the store is away, twelve queues and workers retry each second. The same error is
 * reported once per interval.
 */
function sparingReport(log: Parts["log"]): (error: Error) => void {
  let reported = { error: "", at: -Infinity };
  return ({ message: error }) => {
    const at = performance.now();
    if (error === reported.error && at - reported.at < TOLD_EVERY_MS) return;
    reported = { error, at };
    log.warn("queue.broker.error", { error });
  };
}

/** Hands due rows to the broker as soon as new ones are announced, and every `pollMs` in any case. */
async function relay(
  parts: Parts,
  { queues, lumps, byName, signal, waker }: {
    queues: Map<QueueName, Queue<Wakeup>>;
    lumps: (name: QueueName) => ReturnType<typeof createBatches>;
    byName: ReadonlyMap<string, Consumer>;
    signal: AbortSignal;
    waker: Waker;
  },
): Promise<void> {
  const { relayTimeoutMs, deaths, pollMs, leaseMs } = parts.options;
  const sweepMs = Math.max(pollMs, leaseMs / SWEEPS_A_LEASE);
  const stop = await parts.database.listen(rows.CHANNEL, () => waker.wake());
  let lastSweep = -Infinity;
  while (!signal.aborted) {
    const handed = await runGuarded(parts, "queue.relay.failed", async () => {
      if (performance.now() - lastSweep > sweepMs) {
        lastSweep = performance.now();
        await deathRows.sweep(parts.database.db, { relayTimeoutMs, deaths });
        await tellPoisoned(parts, [...queues.keys()], byName);
      }
      return await relayOnce(parts, queues, lumps);
    });
    await waker.wait(handed ? Math.min(AGAIN_MS, pollMs) : pollMs, signal);
    await delay(GATHER_MS, signal);
  }
  await stop();
}

async function relayOnce(
  parts: Parts,
  queues: Map<QueueName, Queue<Wakeup>>,
  lumps: (name: QueueName) => ReturnType<typeof createBatches>,
): Promise<number> {
  const due = await takeForRelay(parts.database.db, [...queues.keys()], {
    limit: RELAY_LIMIT,
  });
  for (const [name, queue] of queues) {
    const mine = due.filter((it) => it.queue === name);
    if (!mine.length) continue;
    try {
      await handOver(queue, mine, lumps(name));
    } catch (error) {
      await rows.undoRelay(parts.database.db, mine.map((it) => it.id));
      throw error;
    }
    parts.crash("queue.afterHandOver");
  }
  return due.length;
}

interface Work {
  readonly id: number;
  readonly suspect: boolean;
  readonly byName: Map<string, Consumer>;
  readonly held: Held;
  readonly batched: BatchedRows;
  readonly signal: AbortSignal;
  readonly waker: Waker;
}

/** Runs a task; a suspect has the process to itself. */
async function workExclusively(parts: Parts, gate: TrialGate, it: Work): Promise<void> {
  const inCompany = () => {
    const task = it.held.get(it.id)?.task;
    if (!task) return;
    void runGuarded(
      parts,
      "queue.trial.failed",
      () => deathRows.endSoleTrial(parts.database.db, task),
    );
  };
  const pass = await (it.suspect ? gate.enterAlone(inCompany) : gate.enter());
  try {
    await work(parts, pass, it);
  } finally {
    pass.leave();
  }
}

async function work(
  parts: Parts,
  { alone }: Pass,
  { id, byName, held, batched, signal, waker }: Work,
): Promise<void> {
  if (signal.aborted) return await rows.undoRelay(parts.database.db, [id]);
  const task = await batched.claim({ id, alone });
  if (!task) return; // another worker has it, or it has ended
  if (task.inLine !== null && task.inLine <= IN_LINE / 2) waker.wake(); // other tasks may be waiting in line
  parts.crash("queue.afterClaim");
  const lost = new AbortController();
  const ending = AbortSignal.any([signal, lost.signal]);
  setMaxListeners(0, ending); // a handler may do many things at once
  const dueIn = (ms: number) => { // the relay's next look would find it late
    if (ms < parts.options.pollMs) void delay(ms, signal).then(waker.wake);
  };
  held.set(id, { task, lost });
  try {
    await traceAttempt(
      task,
      () =>
        attempt(parts, task, { consumer: byName.get(task.name), batched, signal: ending, dueIn }),
    );
  } finally {
    held.delete(id);
    if (task.suspect) waker.wake(); // the next suspect may go
  }
}

async function attempt(
  parts: Parts,
  task: rows.ClaimedTask,
  { consumer, batched, signal, dueIn }: {
    consumer: Consumer | undefined;
    batched: BatchedRows;
    signal: AbortSignal;
    dueIn: (ms: number) => void;
  },
): Promise<TaskOutcome> {
  if (!consumer) {
    await markDead(parts, task, { reason: say`No consumer for task ${task.name}` });
    return "dead";
  }
  if (task.attempts > task.maxAttempts) {
    const last = keptText(task, "lastError");
    const reason = last
      ? say`${last}`
      : say`The worker stopped in the middle of the task, each time it was tried`;
    await markDead(parts, task, { consumer, reason });
    return "dead";
  }
  const isLast = task.attempts === task.maxAttempts;
  try {
    await consumer.handle(task.payload, { number: task.attempts, isLast, signal });
    parts.crash("queue.beforeFinish");
    await batched.finish(task);
    parts.crash("queue.afterFinish");
    return "done";
  } catch (error) {
    if (await isPoisonedBy(parts, task, { error, signal })) return "poisoned";
    if (isLast && !(error instanceof RetryLater && error.free) && !signal.aborted) {
      await markDead(parts, task, { consumer, reason: toSentence(error), error });
      return "dead";
    }
    dueIn(await retry(parts, task, { error, stopping: signal.aborted }));
    return "retried";
  }
}

/** Resolves to the milliseconds until the task is due again. */
async function retry(
  parts: Parts,
  task: rows.ClaimedTask,
  { error, stopping }: { error: unknown; stopping: boolean },
): Promise<number> {
  const { retryBaseMs: baseMs, retryCapMs: capMs } = parts.options;
  const asked = error instanceof RetryLater ? error : undefined;
  const delayMs = stopping ? 0 : asked?.delayMs ?? backoff(task.attempts, { baseMs, capMs });
  const free = stopping || (asked?.free ?? false);
  parts.log.warn("task.retry", {
    id: task.id,
    task: task.name,
    attempt: task.attempts,
    ...asked?.about,
    delayMs,
    error: toMessage(error),
  });
  await rows.retryAfter(parts.database.db, task, { delayMs, error: toSentence(error), free });
  return delayMs;
}

/**
 * Checks whether a task has caused too many deaths of child processes; a child that could not start does not
 * count.
 */
async function isPoisonedBy(
  parts: Parts,
  task: rows.ClaimedTask,
  { error, signal }: { error: unknown; signal: AbortSignal },
): Promise<boolean> {
  if (!(error instanceof ChildDied) || signal.aborted) return false;
  const { cause } = error.death;
  if (cause === "start" || cause === "budget") return false;
  const { deaths } = parts.options;
  return await deathRows.countDeath(parts.database.db, task, { how: error.sentence, deaths });
}

/**
 * Tells the consumer about poisoned tasks, as for dead ones, so that nothing waits for ever. The row is kept and
 * not tried again.
 */
async function tellPoisoned(
  parts: Parts,
  queues: readonly QueueName[],
  byName: ReadonlyMap<string, Consumer>,
): Promise<void> {
  for (const task of await deathRows.takePoisoned(parts.database.db, queues)) {
    const { id, name, evidence, payload } = task;
    const deaths = evidence.length;
    parts.log.error("task.poisoned", { id, task: name, deaths, evidence });
    await tellStopped(parts, { id, name, state: "poisoned" });
    const last = evidence.at(-1);
    const how = last && keptText(last, "how");
    const reason = say`The task was quarantined because ${deaths} processes died of it: ${how}`;
    await runGuarded(parts, "task.poisoned.unheard", async () => {
      await byName.get(name)?.dead?.(payload, reason);
    });
  }
}

/** Marks a task as dead, after telling its consumer: work that waits for the task must not wait for ever. */
async function markDead(
  parts: Parts,
  task: rows.ClaimedTask,
  { consumer, reason, error }: { consumer?: Consumer; reason: Sentence; error?: unknown },
): Promise<void> {
  parts.log.error("task.dead", {
    id: task.id,
    task: task.name,
    attempts: task.attempts,
    ...error instanceof RetryLater && error.about,
    reason: String(reason),
    error,
  });
  await runGuarded(parts, "task.dead.unheard", async () => {
    await consumer?.dead?.(task.payload, reason);
  });
  if (consumer?.task.recurs) await rows.finish(parts.database.db, [task]);
  else {
    await rows.markDead(parts.database.db, task, reason);
    await tellStopped(parts, { id: task.id, name: task.name, state: "dead" });
  }
}

async function tellStopped(
  parts: Parts,
  task: { readonly id: number; readonly name: string; readonly state: StoppedState },
): Promise<void> {
  await runGuarded(parts, "task.stopped.untold", async () => {
    await parts.live?.publish(parts.database.db, {
      topic: "tasks",
      type: "task.stopped",
      data: task,
      permission: "invoices:run",
    });
  });
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
