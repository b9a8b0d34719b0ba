import { keptText } from "#src/kernel/sentences/kept.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { setMaxListeners } from "node:events";
import { hostname } from "node:os";
import process from "node:process";
import type { Queue } from "bullmq";
import { type Crash, noCrash } from "#src/kernel/crash_points.ts";
import { backoff, delay } from "#src/kernel/delay.ts";
import { messageOf, sentenceOf } from "#src/kernel/errors.ts";
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
import { handOver, lumpsOf, newRoom } from "./lumps.ts";
import { IN_LINE, takeForRelay } from "./task_relay.ts";
import { guarded, type Parts } from "./parts.ts";
import * as deathRows from "./task_deaths.ts";
import * as rows from "./task_rows.ts";
import { type Outcome, traced } from "./traced.ts";
import { newTrialGate, type Pass, type TrialGate } from "./trial_gate.ts";

const RELAY_LIMIT = 500;
/** How long a suspect has a process to itself, and how long it waits for that. */
const TRIAL_MS = 10_000;
/** Rows of so many ms are handed over together. */
const GATHER_MS = 10;
/** After rows were handed over the relay looks for what found no place in line this much later, if nobody wakes it. */
const AGAIN_MS = 50;
const TOLD_EVERY_MS = 10_000;
/** How often leases that ran out are looked for: what waited for the whole of one need not be found in the next second. */
const SWEEPS_A_LEASE = 6;

/** The `tasks` table as a queue: the row is the record, BullMQ wakes workers and shares the rows out. */
export function bullmqTaskQueue(
  { crash = noCrash, ...given }: Omit<Parts, "crash" | "holder"> & { crash?: Crash },
): TaskQueue {
  const parts = { ...given, crash, holder: `${hostname()}:${process.pid}` };
  return {
    enqueue: (tx, task, payload, options) => rows.insertTasks(tx, task, [payload], options),
    enqueueAll: (tx, task, payloads, options) => rows.insertTasks(tx, task, payloads, options),
    waiting: (tx, task) => rows.countWaiting(tx, task.name),
    isAtWork: rows.isAtWork,
    revive: (tx, task, payload) => rows.removeDead(tx, task, payload),
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
  const lumps = (name: QueueName) => lumpsOf(name, options.concurrency[name] ?? 1);
  const rooms = new Map(options.queues.map((name) => [name, newRoom(lumps(name))]));
  const workers = await Promise.all([...rooms].map(([name, room]) =>
    broker.worker(
      name,
      ({ data: { id, others = [], suspect } }) =>
        room.begin([id, ...others].map((it) => () =>
          guarded(
            parts,
            "queue.work.failed",
            () =>
              workInTurn(parts, gate, { id: it, suspect, byName, held, batched, signal, waker }),
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

/** Twelve queues and workers try again each second while their store is away: what is the same is told now and then. */
function sparingReport(log: Parts["log"]): (error: Error) => void {
  let reported = { error: "", at: -Infinity };
  return ({ message: error }) => {
    const at = performance.now();
    if (error === reported.error && at - reported.at < TOLD_EVERY_MS) return;
    reported = { error, at };
    log.warn("queue.broker.error", { error });
  };
}

/** Hands due rows to the broker as soon as it hears of new ones, and every `pollMs` in any case. */
async function relay(
  parts: Parts,
  { queues, lumps, byName, signal, waker }: {
    queues: Map<QueueName, Queue<Wakeup>>;
    lumps: (name: QueueName) => ReturnType<typeof lumpsOf>;
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
    const handed = await guarded(parts, "queue.relay.failed", async () => {
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
  lumps: (name: QueueName) => ReturnType<typeof lumpsOf>,
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

/** A suspect has the process to itself. */
async function workInTurn(parts: Parts, gate: TrialGate, it: Work): Promise<void> {
  const inCompany = () => {
    const task = it.held.get(it.id)?.task;
    if (!task) return;
    void guarded(
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
  if (!task) return; // another worker has it, or it is done
  if (task.inLine !== null && task.inLine <= IN_LINE / 2) waker.wake(); // others may stand in line
  parts.crash("queue.afterClaim");
  const lost = new AbortController();
  const ending = AbortSignal.any([signal, lost.signal]);
  setMaxListeners(0, ending); // a handler may do many things at once
  const dueIn = (ms: number) => { // what the next look of the relay would find late
    if (ms < parts.options.pollMs) void delay(ms, signal).then(waker.wake);
  };
  held.set(id, { task, lost });
  try {
    await traced(
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
): Promise<Outcome> {
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
      await markDead(parts, task, { consumer, reason: sentenceOf(error), error });
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
    delayMs,
    error: messageOf(error),
  });
  await rows.retryAfter(parts.database.db, task, { delayMs, error: sentenceOf(error), free });
  return delayMs;
}

/** Whether a child process that died of the task was one too many; a child that could not even start is no such death. */
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

/** As with dead tasks the consumer hears of it, so that nothing waits for ever; the row is kept and not tried again. */
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
    const reason = say`It was set aside, for ${deaths} processes died of it: ${how}`;
    await guarded(parts, "task.poisoned.unheard", async () => {
      await byName.get(name)?.dead?.(payload, reason);
    });
  }
}

/** The consumer hears of it first: what waits for the task must not wait for ever. */
async function markDead(
  parts: Parts,
  task: rows.ClaimedTask,
  { consumer, reason, error }: { consumer?: Consumer; reason: Sentence; error?: unknown },
): Promise<void> {
  parts.log.error("task.dead", {
    id: task.id,
    task: task.name,
    attempts: task.attempts,
    reason: String(reason),
    error,
  });
  await guarded(parts, "task.dead.unheard", async () => {
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
  await guarded(parts, "task.stopped.untold", async () => {
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
