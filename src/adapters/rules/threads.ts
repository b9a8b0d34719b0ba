import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { AppError } from "#src/kernel/errors.ts";
import type { Beside } from "#src/ports/rule_book.ts";

/** What threads know of the registry; sent to each once per revision. */
export interface Knowledge {
  readonly revision: string;
  shelf(): object;
}

interface Thread {
  readonly worker: Worker;
  /** It listens: what is posted before that can be lost. */
  ready: boolean;
  revision: string | undefined;
  task: Task | undefined;
}

interface Task {
  readonly job: object;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
  timer?: ReturnType<typeof setTimeout>;
}

type Reply = { ready: true } | { answer: unknown } | { error: string };

const DEADLINE_MS = 120_000;

/** A few threads, started when first needed and kept; none keeps the process alive. */
export function openThreads(
  entry: URL,
  knowledge: () => Knowledge,
): { run: Beside; close(): Promise<void> } {
  const most = Math.max(1, Math.min(4, availableParallelism() - 1));
  const threads = new Set<Thread>();
  const waiting: Task[] = [];

  function next(): void {
    while (waiting.length > 0) {
      const free = [...threads].find((it) => it.task === undefined) ??
        (threads.size < most ? start() : undefined);
      const task = free && waiting.shift();
      if (free === undefined || task === undefined) return;
      give(free, task);
    }
  }

  function start(): Thread {
    const thread: Thread = {
      worker: startWorker(entry),
      ready: false,
      revision: undefined,
      task: undefined,
    };
    thread.worker.on("message", (reply: Reply) => settle(thread, reply));
    thread.worker.on("error", (error) => lose(thread, String(error)));
    thread.worker.on("exit", (code) => lose(thread, `exit code ${code}`));
    threads.add(thread);
    return thread;
  }

  function give(thread: Thread, task: Task): void {
    thread.task = task;
    thread.worker.ref();
    task.timer = setTimeout(() => {
      lose(thread, `no answer in ${DEADLINE_MS / 1000} s`);
      void thread.worker.terminate();
    }, DEADLINE_MS);
    if (thread.ready) post(thread, task);
  }

  function post(thread: Thread, task: Task): void {
    const { revision, shelf } = knowledge();
    const known = thread.revision === revision ? {} : { shelf: shelf() };
    thread.revision = revision;
    thread.worker.postMessage({ job: task.job, ...known });
  }

  function settle(thread: Thread, reply: Reply): void {
    const { task } = thread;
    if ("ready" in reply) {
      thread.ready = true;
      if (task !== undefined) post(thread, task);
      return;
    }
    if (task === undefined) return;
    clearTimeout(task.timer);
    thread.task = undefined;
    thread.worker.unref();
    if ("answer" in reply) task.resolve(reply.answer);
    else task.reject(new Error(reply.error));
    next();
  }

  function lose(thread: Thread, reason: string): void {
    threads.delete(thread);
    clearTimeout(thread.task?.timer);
    thread.task?.reject(new AppError("unavailable", `The document could not be judged: ${reason}`));
    thread.task = undefined;
    next();
  }

  return {
    run: <Answer>(job: object) =>
      new Promise<Answer>((resolve, reject) => {
        waiting.push({ job, resolve: (answer) => resolve(answer as Answer), reject });
        next();
      }),
    async close() {
      for (const task of waiting.splice(0)) {
        task.reject(new AppError("unavailable", "Shutting down"));
      }
      await Promise.all([...threads].map((it) => it.worker.terminate()));
    },
  };
}

/** Node reads TypeScript through tsx, which does not reach into threads by itself. */
function startWorker(entry: URL): Worker {
  if ("Deno" in globalThis) return new Worker(entry);
  const loader = JSON.stringify(import.meta.resolve("tsx/esm/api"));
  const start = `import(${loader}).then((it) => { it.register(); return import(${
    JSON.stringify(entry.href)
  }); })`;
  return new Worker(start, { eval: true });
}
