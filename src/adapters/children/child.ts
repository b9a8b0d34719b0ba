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
  const { child, channel, processorMs } = launch(program);
  const conversation = newConversation({ maxAnswer });
  const console = { kept: "", bytes: 0 };
  let verdict: Pick<ChildExit, "cause" | "how"> | undefined;
  let answered: ((answer: Answer) => void) | undefined;
  let died: ChildExit | undefined;
  let primed: string | undefined;
  let started: Promise<Answer> | undefined;

  const kill = (cause: DeathCause, how: Sentence) => {
    verdict ??= { cause, how };
    child.ref(); // its end is waited for
    child.kill("SIGKILL");
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      console.bytes += text.length;
      console.kept = (console.kept + text).slice(-KEPT_CONSOLE);
      if (console.bytes > MAX_CONSOLE) kill("garbage", say`it floods its console`);
    }).on("error", () => {});
  }
  channel.on("data", (chunk: Uint8Array) => {
    if (verdict !== undefined) return;
    try {
      const reply = conversation.hear(chunk);
      if (reply !== undefined) answered?.(reply);
    } catch (error) {
      kill("garbage", error instanceof FrameError ? say`${error.message}` : say`it cannot be read`);
    }
  });
  channel.on("end", () => {
    const closing = setTimeout(() => kill("garbage", say`it closed its channel`), PIPES_MS);
    child.once("exit", () => clearTimeout(closing));
  });
  const ended = waitForEnd(child).then(({ code, signal, error }): ChildExit => {
    for (const stream of [channel, child.stdout, child.stderr]) stream?.destroy();
    const { cause, how } = verdict ??= error === undefined
      ? describeExit(code, signal, console.kept)
      : { cause: "start", how: toSentence(error) };
    died = { cause, how, said: console.kept };
    answered?.({ death: died });
    return died;
  });

  async function exchange(
    question: object,
    limit: { readonly ms: number; readonly cause: DeathCause },
  ): Promise<Answer> {
    console.bytes = 0;
    if (died) return { death: died };
    const late = say`it took more than ${limit.ms / 1000} s`;
    const stop = onceWorked(processorMs, limit.ms, () => kill(limit.cause, late));
    // No race with its end, which would hold each answer as long as the child lives.
    const answer = new Promise<Answer>((done) => answered = done);
    void pour(channel, conversation.ask(question));
    const first = await answer;
    answered = undefined;
    stop();
    return first;
  }

  return {
    pid: child.pid,
    get alive() {
      return verdict === undefined;
    },
    ended,
    kill,
    ask: async ({ job, primer, deadlineMs }) => {
      for (const part of [child, channel]) part.ref();
      started ??= exchange({}, { ms: START_MS, cause: "start" });
      const start = await started;
      if ("death" in start) return start;
      const known = primer === undefined || primer.key === primed;
      primed = primer?.key ?? primed;
      const question = { job, ...known ? {} : { primer: primer.value() } };
      const answer = await exchange(question, { ms: deadlineMs, cause: "deadline" });
      for (const part of [child, channel]) part.unref(); // an idle child does not keep the process alive
      return answer;
    },
  };
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
