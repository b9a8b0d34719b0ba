import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ErrorCode } from "#src/kernel/errors.ts";

/** What a process says: once that it listens, then one answer for each job. */
export type Reply =
  | { readonly ready: true }
  | { readonly answer: unknown }
  | {
    readonly refusal: {
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: Readonly<Record<string, unknown>>;
    };
  }
  | { readonly error: string };

export interface Process {
  send(message: object): void;
  /** At once, whatever it is doing; resolves when it has ended. */
  kill(): Promise<void>;
  ref(): void;
  unref(): void;
}

interface Listener {
  reply(reply: Reply): void;
  end(death: Death): void;
}

/** How a process ended before it answered. */
export interface Death {
  readonly how: string;
  /** Somebody else ended it, or it never ran; it did not break down by itself. */
  readonly fromOutside: boolean;
}

/** MB of JavaScript heap. */
export const MEMORY = 1024;

/** Runs an entry of ours with the right to read files and no other; it reads its jobs from `send`. */
export function startProcess(entry: URL, listener: Listener): Process {
  const args = "Deno" in globalThis ? denoArgs() : nodeArgs();
  const child = spawn(process.execPath, [...args, fileURLToPath(entry)], {
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = new Promise<void>((done) => {
    child.once("error", (error) => {
      listener.end({ how: error.message, fromOutside: true });
      done();
    });
    child.once("exit", (code, signal) => {
      const fromOutside = /^SIG(KILL|TERM|INT|HUP)$/.test(signal ?? "");
      listener.end({ how: signal ?? `exit code ${code}`, fromOutside });
      done();
    });
  });
  child.on("message", (reply) => listener.reply(reply as Reply));
  return {
    send: (message) => void child.send(message, () => {}), // a failure ends the process: "exit" tells
    kill: () => {
      child.kill("SIGKILL");
      return ended;
    },
    ref: () => {
      child.ref();
      child.channel?.ref();
    },
    unref: () => {
      child.unref();
      child.channel?.unref();
    },
  };
}

function denoArgs(): string[] {
  return [
    "run",
    "--no-prompt",
    "--cached-only",
    "--no-check",
    "--allow-read",
    "--allow-env", // packages look at it while they are loaded
    `--v8-flags=--max-old-space-size=${MEMORY},--disallow-code-generation-from-strings`,
  ];
}

/** Node reads TypeScript through tsx. */
function nodeArgs(): string[] {
  return [
    `--max-old-space-size=${MEMORY}`,
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    "--import",
    import.meta.resolve("tsx"),
  ];
}
