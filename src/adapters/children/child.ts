import { toSentence } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { ChildExit, DeathCause } from "#src/ports/children.ts";
import { newConversation, type Reply } from "./conversation.ts";
import { FrameError } from "./frames.ts";
import { launch, type Program } from "./launch.ts";
import { onceWorked } from "./worked.ts";

/** Time for a child to load its program. */
const START_MS = 60_000;
/** Between the end of a process and the end of its pipes, which a grandchild may hold; and the other way round. */
const PIPES_MS = 500;
/** Maximum console output of a child during one job. */
const MAX_CONSOLE = 1024 * 1024;
const KEPT_CONSOLE = 2_000;

interface Question {
  readonly job: unknown;
  /** Value that the child caches for later jobs; sent once per key. */
  readonly primer?: { readonly key: string; value(): unknown };
  /** Time limit of the work, from the moment the child has loaded its program. */
  readonly deadlineMs: number;
}

type Answer = Reply | { readonly death: ChildExit };

/** One process, one question at a time. */
export interface Child {
  readonly pid: number | undefined;
  readonly alive: boolean;
  ask(question: Question): Promise<Answer>;
  /** Ends the child immediately, whatever it does; the open question is answered with this death. */
  kill(cause: DeathCause, how: Sentence): void;
  readonly ended: Promise<ChildExit>;
}

interface ChildOptions {
  readonly program: Program;
  /** Bytes of one answer. */
  readonly maxAnswer: number;
}

/** Starts an untrusted process: any output that is not the answer to the question ends it. */
export function startChild({ program, maxAnswer }: ChildOptions): Child {
  return new UntrustedChild(launch(program), newConversation({ maxAnswer }));
}

class UntrustedChild implements Child {
  readonly ended: Promise<ChildExit>;
  readonly #launched: ReturnType<typeof launch>;
  readonly #conversation: ReturnType<typeof newConversation>;
  readonly #console = { kept: "", bytes: 0 };
  #verdict: Pick<ChildExit, "cause" | "how"> | undefined;
  #answered: ((answer: Answer) => void) | undefined;
  #died: ChildExit | undefined;
  #primed: string | undefined;
  #started: Promise<Answer> | undefined;

  constructor(
    launched: ReturnType<typeof launch>,
    conversation: ReturnType<typeof newConversation>,
  ) {
    this.#launched = launched;
    this.#conversation = conversation;
    this.#readConsole();
    this.#readChannel();
    this.ended = waitForEnd(launched.child).then((end) => this.#bury(end));
  }

  get pid() {
    return this.#launched.child.pid;
  }

  get alive() {
    return this.#verdict === undefined;
  }

  kill(cause: DeathCause, how: Sentence): void {
    const { child } = this.#launched;
    this.#verdict ??= { cause, how };
    child.ref(); // its end is waited for
    child.kill("SIGKILL");
  }

  async ask({ job, primer, deadlineMs }: Question): Promise<Answer> {
    const { child, channel } = this.#launched;
    for (const part of [child, channel]) part.ref();
    this.#started ??= this.#exchange({}, { ms: START_MS, cause: "start" });
    const start = await this.#started;
    if ("death" in start) return start;
    const known = primer === undefined || primer.key === this.#primed;
    this.#primed = primer?.key ?? this.#primed;
    const question = { job, ...known ? {} : { primer: primer.value() } };
    const answer = await this.#exchange(question, { ms: deadlineMs, cause: "deadline" });
    for (const part of [child, channel]) part.unref(); // an idle child does not keep the process alive
    return answer;
  }

  #readConsole(): void {
    const { child } = this.#launched;
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#console.bytes += text.length;
        this.#console.kept = (this.#console.kept + text).slice(-KEPT_CONSOLE);
        if (this.#console.bytes > MAX_CONSOLE) this.kill("garbage", say`it floods its console`);
      }).on("error", () => {});
    }
  }

  #readChannel(): void {
    const { child, channel } = this.#launched;
    channel.on("data", (chunk: Uint8Array) => {
      if (!this.alive) return;
      try {
        const reply = this.#conversation.hear(chunk);
        if (reply !== undefined) this.#answered?.(reply);
      } catch (error) {
        const how = error instanceof FrameError ? say`${error.message}` : say`it cannot be read`;
        this.kill("garbage", how);
      }
    });
    channel.on("end", () => {
      const closing = setTimeout(
        () => this.kill("garbage", say`it closed its channel`),
        PIPES_MS,
      );
      child.once("exit", () => clearTimeout(closing));
    });
  }

  /** Answers the open question with the end of the process. */
  #bury({ code, signal, error }: End): ChildExit {
    const { child, channel } = this.#launched;
    for (const stream of [channel, child.stdout, child.stderr]) stream?.destroy();
    const said = this.#console.kept;
    const { cause, how } = this.#verdict ??= error === undefined
      ? describeExit(code, signal, said)
      : { cause: "start", how: toSentence(error) };
    this.#died = { cause, how, said };
    this.#answered?.({ death: this.#died });
    return this.#died;
  }

  async #exchange(
    question: object,
    limit: { readonly ms: number; readonly cause: DeathCause },
  ): Promise<Answer> {
    this.#console.bytes = 0;
    if (this.#died) return { death: this.#died };
    const { channel, processorMs } = this.#launched;
    const late = say`it took more than ${limit.ms / 1000} s`;
    const stop = onceWorked(processorMs, limit.ms, () => this.kill(limit.cause, late));
    // No race with its end, which would hold each answer as long as the child lives.
    const answer = new Promise<Answer>((done) => this.#answered = done);
    void pour(channel, this.#conversation.ask(question));
    const first = await answer;
    this.#answered = undefined;
    stop();
    return first;
  }
}

/** Size of one write. A write copies its bytes at once, so several MB would block the event loop. */
const WRITTEN = 256 * 1024;

/** Writes all parts; resolves when they are written or the reader has gone. */
async function pour(channel: Socket, parts: readonly Uint8Array[]): Promise<void> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += WRITTEN) {
      if (channel.destroyed) return;
      if (!channel.write(part.subarray(at, at + WRITTEN))) await drain(channel);
    }
  }
}

function drain(channel: Socket): Promise<void> {
  return new Promise((goOn) => {
    const end = () => {
      channel.off("drain", end).off("close", end);
      goOn();
    };
    channel.on("drain", end).on("close", end);
    if (channel.destroyed) end();
  });
}

interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly error?: Error;
}

function waitForEnd(child: ChildProcess): Promise<End> {
  return new Promise((done) => {
    child.once("error", (error) => done({ code: null, signal: null, error }));
    child.once("exit", (code, signal) => {
      const late = setTimeout(() => done({ code, signal }), PIPES_MS);
      child.once("close", () => {
        clearTimeout(late);
        done({ code, signal });
      });
    });
  });
}

/** Describes the end of a process that exited or was killed from outside. */
export function describeExit(
  code: number | null,
  signal: string | null,
  said: string,
): { cause: DeathCause; how: Sentence } {
  if (/^SIG(KILL|TERM|INT|HUP)$/.test(signal ?? "")) {
    return { cause: "killed", how: say`${signal}` };
  }
  const how = signal === null ? say`exit code ${code}` : say`${signal}`;
  return { cause: /heap|memory|allocat/i.test(said) ? "memory" : "crash", how };
}
