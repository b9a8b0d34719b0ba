import { randomUUID } from "node:crypto";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { ChildDied, type ChildExit } from "#src/ports/children.ts";
import type { Log } from "#src/ports/log.ts";
import { deathBudget } from "./budget.ts";
import { type Child, startChild } from "./child.ts";
import type { Reply } from "./conversation.ts";
import { mayLaunch, type Program } from "./launch.ts";

/** Program of the children, and their number. */
export interface ChildrenOptions {
  readonly program: Program;
  readonly log: Log;
  /** Jobs at once. */
  readonly busy: number;
  /** Processes at once, those that wait for more work of their tenant included; default one more than `busy`. */
  readonly kept?: number;
  /** Bytes of one answer; default 64 MB. */
  readonly maxAnswer?: number;
  /** Deaths of one tenant's children before it is refused for a while. */
  readonly budget?: { readonly deaths: number; readonly windowMs: number };
}

interface Request<Answer> {
  /** Tenant of the work. A child works for one tenant in its life. Default: the program's only one. */
  readonly tenant?: string;
  /** Plain data, as `encode` takes it. */
  readonly job: unknown;
  /** Value that a child caches between jobs, sent to each once per key; `serve` passes on the last one. */
  readonly primer?: { readonly key: string; value(): unknown };
  /** Converts the untrusted output into an answer; if it throws, the child is ended and not the caller. */
  read(value: unknown): Answer;
  /**
   * Limit of the work's processor time where the system reports it (`onceWorked`), without the start of the
   * process.
   */
  readonly deadlineMs: number;
  /** Ends the work, also while it runs; `run` rejects with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** The child ends with this job, and has done no other. */
  readonly alone?: boolean;
}

/** Children of one program: started when needed, killed at their deadline, replaced when they die. */
export interface Children {
  /**
   * Returns the program's answer. Rejects with the program's error, with the signal's reason, or with `ChildDied`
   * when the process ended before its answer. Work whose child was killed from outside is given to another child
   * once.
   */
  run<Answer>(request: Request<Answer>): Promise<Answer>;
  /** Ends all children; running work rejects as "unavailable". */
  close(): Promise<void>;
}

interface Member {
  readonly tenant: string;
  readonly child: Child;
  task: Task | undefined;
}

interface Task {
  readonly request: Request<unknown> & { readonly tenant: string };
  readonly resolve: (answer: unknown) => void;
  readonly reject: (reason: unknown) => void;
  /** Number of children that were killed from outside during this task. */
  lost: number;
  /** Removes the listener for an abort, once the task no longer waits. */
  heard: () => void;
}

const MAX_ANSWER = 64 * 1024 * 1024;
const BUDGET = { deaths: 20, windowMs: 60_000 };

/** Returns a pool of child processes of one program; see `Children`. */
export function openChildren(options: ChildrenOptions): Children {
  return new ChildPool(options);
}

class ChildPool implements Children {
  readonly #options: ChildrenOptions;
  readonly #deaths: ReturnType<typeof deathBudget>;
  /** Least recently used first. */
  readonly #members = new Set<Member>();
  readonly #waiting: Task[] = [];
  #closed = false;

  constructor(options: ChildrenOptions) {
    this.#options = options;
    this.#deaths = deathBudget(options.budget ?? BUDGET);
  }

  run<Answer>(request: Request<Answer>): Promise<Answer> {
    const { name } = this.#options.program;
    return new Promise<Answer>((resolve, reject) => {
      if (this.#closed) return reject(shuttingDown(name));
      if (!mayLaunch()) return reject(noProcessHere(name));
      if (request.signal?.aborted) return reject(request.signal.reason);
      const task: Task = {
        request: { ...request, tenant: request.tenant ?? "" },
        resolve: (answer) => resolve(answer as Answer),
        reject,
        lost: 0,
        heard: () => {},
      };
      this.#wait(task, this.#waiting.length);
      this.#next();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const task of this.#waiting.splice(0)) {
      task.heard();
      task.reject(shuttingDown(this.#options.program.name));
    }
    const all = [...this.#members].map(({ child }) => child);
    for (const child of all) child.kill("killed", say`shutting down`);
    await Promise.all(all.map((child) => child.ended));
  }

  #next(): void {
    while (this.#waiting.length > 0 && this.#working() < this.#options.busy) {
      const task = this.#waiting.shift();
      if (!task) return;
      task.heard();
      void this.#work(task);
    }
  }

  #working(): number {
    return [...this.#members].filter((it) => it.task !== undefined).length;
  }

  async #work(task: Task): Promise<void> {
    const { request: { tenant }, reject } = task;
    const wait = this.#deaths.waitOf(tenant);
    if (wait > 0) {
      reject(refusedFor(this.#options.program.name, tenant, wait));
      return this.#next();
    }
    const member = this.#memberFor(task);
    member.task = task;
    await this.#attempt(member, task);
    member.task = undefined;
    if (task.request.alone || this.#closed) member.child.kill("killed", say`its work is done`);
    this.#next();
  }

  /** Returns an idle child of this tenant, or starts a new one, which replaces the child idle for longest. */
  #memberFor({ request: { tenant, alone } }: Task): Member {
    const { busy, kept = busy + 1 } = this.#options;
    const members = this.#members;
    const idle = [...members].filter((it) => it.task === undefined && it.child.alive);
    const found = alone ? undefined : idle.findLast((it) => it.tenant === tenant);
    if (found !== undefined) {
      members.delete(found);
      members.add(found);
      return found;
    }
    const [oldest] = idle;
    if (members.size >= kept && oldest) {
      members.delete(oldest);
      oldest.child.kill("killed", say`another one needs its place`);
    }
    return this.#startMember(alone ? `${tenant} ${randomUUID()}` : tenant, tenant);
  }

  #startMember(tenant: string, culprit: string): Member {
    const { program, log, maxAnswer = MAX_ANSWER } = this.#options;
    const child = startChild({ program, maxAnswer });
    const member: Member = { tenant, child, task: undefined };
    this.#members.add(member);
    void child.ended.then(({ cause, how, said }) => {
      this.#members.delete(member);
      if (cause === "killed") return;
      this.#deaths.count(culprit);
      log.warn("child.died", { program: program.name, cause, how, said: said.slice(-500) });
    });
    return member;
  }

  async #attempt({ child }: Member, task: Task): Promise<void> {
    const { name } = this.#options.program;
    const { request, reject } = task;
    const { signal } = request;
    const abort = () => child.kill("killed", say`the work was given up`);
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    const answer = await child.ask(request);
    signal?.removeEventListener("abort", abort);
    if (signal?.aborted) return reject(signal.reason);
    if (!("death" in answer)) return this.#settle(child, task, answer);
    if (this.#closed) return reject(shuttingDown(name));
    if (answer.death.cause !== "killed" || task.lost > 0) {
      return reject(new ChildDied(name, answer.death));
    }
    task.lost++;
    this.#wait(task, 0);
  }

  #settle(child: Child, { request, resolve, reject }: Task, reply: Reply): void {
    if ("error" in reply) return reject(reply.error);
    try {
      resolve(request.read(reply.value));
    } catch (error) {
      const how = say`an answer of another shape: ${toMessage(error).slice(0, 300)}`;
      child.kill("garbage", how);
      reject(new ChildDied(this.#options.program.name, { cause: "garbage", how, said: "" }));
    }
  }

  /**
   * Waits for a free child. The listener is removed when the wait ends, since a signal keeps its listeners in
   * memory for the whole process.
   */
  #wait(task: Task, place: number): void {
    const { signal } = task.request;
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
      task.reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave, { once: true });
    task.heard = () => signal?.removeEventListener("abort", leave);
    this.#waiting.splice(place, 0, task);
  }
}

function refusedFor(name: string, tenant: string, waitMs: number): ChildDied {
  const seconds = Math.ceil(waitMs / 1000);
  const whose = tenant === "" ? "" : say` of ${tenant.slice(0, 100)}`;
  const how = say`too many of its processes${whose} died lately; none is started for ${seconds} s`;
  const death: ChildExit = { cause: "budget", how, said: "" };
  return new ChildDied(name, death, { retryAfter: seconds });
}

/** Returns the error for work that needs a child process where none may be started. */
export function noProcessHere(name: string): ChildDied {
  const how =
    say`this process may start no others; workers may, and HTTP processes on machines of your own`;
  return new ChildDied(name, { cause: "start", how, said: "" });
}

function shuttingDown(name: string): AppError {
  return new AppError("unavailable", say`Shutting down: the processes for ${name} are closed`);
}
