import { AppError } from "#src/kernel/errors.ts";
import type { Answer, Ask, Child, Death } from "./child.ts";

/** Stylesheets a child holds before it is replaced. */
const MAX_HELD = 32;

export interface PoolJob extends Ask {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

export type PoolAnswer = Answer | Death | { readonly timeout: true };

/** Children that work side by side; each starts when it is first needed. */
export interface Pool {
  run(job: PoolJob): Promise<PoolAnswer>;
  close(): Promise<void>;
}

interface Waiting {
  readonly job: PoolJob;
  readonly done: (answer: PoolAnswer) => void;
  readonly failed: (reason: unknown) => void;
  /** Times a child was killed under it by somebody else. */
  lost: number;
}

export function createPool(size: number, start: () => Child): Pool {
  const idle = new Set<Child>();
  const busy = new Set<Child>();
  const queue: Waiting[] = [];
  let closed = false;

  function pump() {
    while (queue.length > 0 && (idle.size > 0 || busy.size < size)) {
      const waiting = queue.shift();
      if (waiting) void work(waiting, take(waiting.job.hash));
    }
  }

  function take(hash: string): Child {
    for (const child of idle) if (!child.alive) idle.delete(child);
    const child = [...idle].find(({ hashes }) => hashes.has(hash)) ??
      (busy.size + idle.size < size ? start() : idle.values().next().value) ?? start();
    idle.delete(child);
    busy.add(child);
    return child;
  }

  async function work(waiting: Waiting, child: Child) {
    const answer = await answered(waiting, child);
    busy.delete(child);
    if (child.alive && child.hashes.size < MAX_HELD && !closed) idle.add(child);
    else child.kill();
    if (answer && "death" in answer && answer.killed && waiting.lost === 0 && !closed) {
      waiting.lost++;
      queue.unshift(waiting);
    } else if (answer) waiting.done(answer);
    pump();
  }

  return {
    run: (job) =>
      new Promise((done, failed) => {
        if (closed) return failed(unavailable());
        if (job.signal?.aborted) return failed(job.signal.reason);
        const waiting: Waiting = { job, done, failed, lost: 0 };
        forgetOnAbort(waiting, queue);
        queue.push(waiting);
        pump();
      }),
    close: async () => {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.failed(unavailable());
      const children = [...idle, ...busy];
      for (const child of children) child.kill();
      await Promise.all(children.map((child) => child.ended));
    },
  };
}

/** Undefined when the caller gave up; the child is killed then, and at the deadline. */
async function answered(
  { job, failed }: Waiting,
  child: Child,
): Promise<PoolAnswer | undefined> {
  let ended: "timeout" | "aborted" | undefined;
  const end = (why: "timeout" | "aborted") => {
    ended ??= why;
    child.kill();
  };
  const timer = setTimeout(() => end("timeout"), job.timeoutMs);
  const abort = () => end("aborted");
  job.signal?.addEventListener("abort", abort);
  const answer = await child.ask(job);
  clearTimeout(timer);
  job.signal?.removeEventListener("abort", abort);
  if (ended === "timeout") return { timeout: true };
  if (ended !== "aborted") return answer;
  failed(job.signal?.reason);
  return undefined;
}

function forgetOnAbort(waiting: Waiting, queue: Waiting[]) {
  waiting.job.signal?.addEventListener("abort", () => {
    const at = queue.indexOf(waiting);
    if (at < 0) return;
    queue.splice(at, 1);
    waiting.failed(waiting.job.signal?.reason);
  }, { once: true });
}

function unavailable(): AppError {
  return new AppError("unavailable", "The stylesheet processor is shut down");
}
