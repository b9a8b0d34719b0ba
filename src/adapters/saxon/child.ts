import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { childCommand } from "./runtime.ts";

const SCRIPT = resolve(import.meta.dirname ?? ".", "transform_child.js");

export interface Ask {
  readonly hash: string;
  /** Sent only when the child does not hold the stylesheet yet. */
  readonly sef: string;
  readonly source: string;
  readonly params: Readonly<Record<string, string>>;
}

export interface Complaint {
  readonly element: string;
  readonly value: string;
  readonly fr: string;
  readonly en: string;
}

export interface Answer {
  readonly output?: string;
  readonly messages: string[];
  readonly error?: {
    readonly message: string;
    readonly code: string;
    readonly line: number;
    readonly module: string;
    readonly complaint?: Complaint;
  };
}

/** How a child ended before it answered. */
export interface Death {
  readonly death: true;
  /** Somebody else ended it, it did not break down by itself. */
  readonly killed: boolean;
  /** The last it said on standard error. */
  readonly said: string;
}

/** One process that runs one transform at a time. */
export interface Child {
  readonly hashes: ReadonlySet<string>;
  ask(ask: Ask): Promise<Answer | Death>;
  /** At once, whatever it is doing. */
  kill(): void;
  readonly alive: boolean;
  readonly ended: Promise<void>;
}

export interface ChildOptions {
  /** MB of heap. */
  readonly memory: number;
  readonly environment: Readonly<Record<string, string>>;
}

export function startChild(options: ChildOptions): Child {
  const { command, args } = childCommand({ script: SCRIPT, memory: options.memory });
  const child = spawn(command, args, {
    env: { ...options.environment },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const hashes = new Set<string>();
  const lines = answersOf(child);
  const state = { alive: true };
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  child.once("exit", () => state.alive = false);
  child.once("error", () => state.alive = false);
  return {
    hashes,
    get alive() {
      return state.alive;
    },
    ended,
    ask: ({ hash, sef, source, params }) => {
      const answer = lines.next();
      const job = { hash, source, params, ...(hashes.has(hash) ? {} : { sef }) };
      hashes.add(hash);
      child.stdin?.write(`${JSON.stringify(job)}\n`);
      return answer;
    },
    kill: () => {
      state.alive = false;
      child.kill("SIGKILL");
    },
  };
}

/** The answers, in order; the end of the process answers what is still open. */
function answersOf(child: ChildProcess): { next(): Promise<Answer | Death> } {
  let said = "";
  let waiting = "";
  let death: Death | undefined;
  let open: ((answer: Answer | Death) => void) | undefined;
  const settle = (answer: Answer | Death) => {
    const done = open;
    open = undefined;
    done?.(answer);
  };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    waiting += text;
    if (!text.includes("\n")) return;
    const line = waiting.slice(0, waiting.indexOf("\n"));
    waiting = "";
    settle(JSON.parse(line));
  });
  child.stderr?.setEncoding("utf8").on(
    "data",
    (text: string) => said = (said + text).slice(-2_000),
  );
  child.stdin?.on("error", () => {}); // the process is gone: "close" tells
  child.once(
    "error",
    (error) => settle(death = { death: true, killed: false, said: error.message }),
  );
  child.once("close", (_code, signal) => {
    const killed = signal === "SIGKILL" || signal === "SIGTERM";
    settle(death ??= { death: true, killed, said });
  });
  return {
    next: () => death ? Promise.resolve(death) : new Promise((done) => open = done),
  };
}
