import { AppError } from "#src/kernel/errors.ts";
import { GaveUp } from "#src/ports/rule_book.ts";
import { type Death, MEMORY, type Process, type Reply, startProcess } from "./process.ts";

/** What a process knows of the registry; sent to each once per revision. */
export interface Knowledge {
  readonly revision: string;
  shelf(): object;
}

export interface Processes {
  run<Answer>(job: object): Promise<Answer>;
  close(): Promise<void>;
}

interface Options {
  readonly entry: URL;
  readonly knowledge: () => Knowledge;
  readonly most: number;
  /** From the moment a process that listens takes the job; then it is killed. */
  readonly deadlineMs: number;
}

interface Member {
  readonly process: Process;
  /** It listens: what is sent before that can be lost. */
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

/** For a process to listen; one that does not is no fault of its job. */
const START_MS = 60_000;

/**
 * A few processes, started when first needed and kept; none keeps this one alive. Not threads: a busy thread cannot be
 * stopped in Deno, and a rule that eats all memory must not take the service with it.
 */
export function openProcesses({ entry, knowledge, most, deadlineMs }: Options): Processes {
  const members = new Set<Member>();
  const waiting: Task[] = [];
  let closed = false;

  function next(): void {
    while (waiting.length > 0) {
      const free = [...members].find((it) => it.task === undefined) ??
        (members.size < most ? start() : undefined);
      const task = free && waiting.shift();
      if (free === undefined || task === undefined) return;
      give(free, task);
    }
  }

  function start(): Member {
    const member: Member = {
      process: startProcess(entry, {
        reply: (reply) => settle(member, reply),
        end: (death) => lose(member, causeOf(death, member.ready)),
      }),
      ready: false,
      revision: undefined,
      task: undefined,
    };
    members.add(member);
    return member;
  }

  function give(member: Member, task: Task): void {
    member.task = task;
    member.process.ref();
    if (member.ready) return send(member, task);
    limit(member, START_MS, () => unavailable(`it did not start in ${START_MS / 1000} s`));
  }

  function limit(member: Member, ms: number, error: () => Error): void {
    const { task } = member;
    if (task === undefined) return;
    clearTimeout(task.timer);
    task.timer = setTimeout(() => {
      lose(member, error());
      void member.process.kill();
    }, ms);
  }

  function send(member: Member, task: Task): void {
    limit(member, deadlineMs, () => tooSlow(deadlineMs));
    const { revision, shelf } = knowledge();
    const known = member.revision === revision ? {} : { shelf: shelf() };
    member.revision = revision;
    member.process.send({ job: task.job, ...known });
  }

  function settle(member: Member, reply: Reply): void {
    const { task } = member;
    if ("ready" in reply) {
      member.ready = true;
      if (task !== undefined) send(member, task);
      return;
    }
    if (task === undefined) return;
    clearTimeout(task.timer);
    member.task = undefined;
    member.process.unref();
    if ("answer" in reply) task.resolve(reply.answer);
    else task.reject(errorOf(reply));
    next();
  }

  function lose(member: Member, error: Error): void {
    members.delete(member);
    clearTimeout(member.task?.timer);
    member.task?.reject(error);
    member.task = undefined;
    next();
  }

  return {
    run: <Answer>(job: object) =>
      new Promise<Answer>((resolve, reject) => {
        if (closed) return reject(shuttingDown());
        waiting.push({ job, resolve: (answer) => resolve(answer as Answer), reject });
        next();
      }),
    async close() {
      closed = true;
      for (const task of waiting.splice(0)) task.reject(shuttingDown());
      const ended = [...members].map(({ process }) => process.kill());
      for (const member of [...members]) lose(member, shuttingDown());
      await Promise.all(ended);
    },
  };
}

/** Stopped from outside, the work may be tried again; what broke down over its work would break down again. */
function causeOf({ how, fromOutside }: Death, ready: boolean): Error {
  if (fromOutside || !ready) return unavailable(how);
  return new GaveUp({
    en: `it broke down (${how}; a process may take ${MEMORY} MB of memory)`,
    fr: `le processus s'est effondré (${how} ; il dispose de ${MEMORY} Mo de mémoire)`,
  });
}

function unavailable(why: string): AppError {
  return new AppError("unavailable", `The process for rules did not answer: ${why}`);
}

function tooSlow(deadlineMs: number): GaveUp {
  const seconds = deadlineMs / 1000;
  return new GaveUp({
    en: `it took more than ${seconds} s`,
    fr: `il a fallu plus de ${seconds} s`,
  });
}

function errorOf(reply: Exclude<Reply, { ready: true } | { answer: unknown }>): Error {
  if ("error" in reply) return new Error(reply.error);
  const { code, message, details } = reply.refusal;
  return new AppError(code, message, { details });
}

function shuttingDown(): AppError {
  return new AppError("unavailable", "Shutting down");
}
