import "./english.ts";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdir, open, stat, utimes } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { CACHE_DIR } from "./db.ts";
import { usePrebuilt } from "./prebuilt.ts";
import { until } from "./until.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
/** As the tasks of `deno.json` start it, but for the rights. */
const FLAGS = ["--no-prompt", "--no-check", "-A"];
const V8 = "--v8-flags=--max-semi-space-size=8";
const V8_EMBEDDED = `${V8},--wasm-tiering-budget=100000000,--no-parallel-scavenge`;
/** As those tasks set it. */
export const MEMORY = {
  DENO_USR2_MEMORY_TRIM: "1",
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
};
const SKEW = join(ROOT, "tests/support/skewed_date.ts");

/** A process of the product, as an operator starts it. Disposing kills it. */
export interface ProductProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has written so far, both streams. */
  output(): string;
  /** What it writes that fits, once it has: it may answer before its lines are out. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** It is over, and `output` is all it wrote. */
  hasEnded(): boolean;
  /** Sends the signal and waits for the end, and for its last words where it had time for any. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts `start`, `web` (both answer on `url` when this resolves) or a worker. `CLOCK_SKEW_MS` in its environment sets
 * its clock wrong by as much. `root` holds the code: this checkout's, or a release's.
 */
export async function startProcess(
  role: Role,
  environment: Record<string, string>,
  args: readonly string[] = [],
  root = ROOT,
): Promise<ProductProcess> {
  const it = await launchProcess(role, environment, args, root);
  try {
    await until(async () => {
      if (it.child.exitCode !== null) throw new Error(`It ended with ${it.child.exitCode}`);
      return await it.isUp();
    }, `${role} to start`);
  } catch (error) {
    await it[Symbol.asyncDispose]();
    throw new Error(`${(error as Error).message}\n${it.output().slice(-2000)}`);
  }
  return it;
}

/** What a platform that calls a function lets it do: nothing is written, nothing started, and the port is the platform's. */
const EDGE_RIGHTS = [
  "--no-prompt",
  "--no-check",
  "--allow-net",
  "--allow-env",
  "--allow-sys",
  "--allow-read",
  "--deny-write",
  "--deny-run",
  "--deny-ffi",
];

function commandOf(
  role: Role,
  { port, skewed, args }: { port: number; skewed: readonly string[]; args: readonly string[] },
): string[] {
  if (role === "edge") {
    const place = ["--host", "127.0.0.1", "--port", String(port)];
    return ["serve", ...EDGE_RIGHTS, ...place, "src/edge.ts"];
  }
  const script = role === "worker" ? ["workers/main.ts", ...args] : ["src/main.ts", role];
  return ["run", ...FLAGS, role === "start" ? V8_EMBEDDED : V8, ...skewed, ...script];
}

/** How long the output of a process that has ended is waited for. */
const WORDS_MS = 10_000;

type Role = "start" | "web" | "worker" | "edge";

/** The same, as soon as it is launched: it may end before it is up. */
export async function launchProcess(
  role: Role,
  environment: Record<string, string>,
  args: readonly string[] = [],
  root = ROOT,
): Promise<ProductProcess & { isUp(): Promise<boolean> }> {
  const { DATA_DIR: dataDir } = environment;
  if (dataDir !== undefined && role !== "edge") await usePrebuilt(dataDir);
  const port = Number(environment["PORT"]) || await freePort();
  const skewed = environment["CLOCK_SKEW_MS"] ? ["--preload", SKEW] : [];
  const child = spawn(process.execPath, commandOf(role, { port, skewed, args }), {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      ...MEMORY,
      AUTH: "off",
      CACHE_DIR,
      NO_COLOR: "1",
      PORT: String(port),
      ...environment,
    },
  });
  let isOver = false;
  child.once("close", () => isOver = true);
  let written = "";
  const keep = (chunk: Buffer) => void (written += chunk);
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    child,
    output: () => written,
    async says(pattern) {
      let found: RegExpExecArray | null = null;
      await until(() => (found = pattern.exec(written)) !== null || isOver, `${pattern}`);
      found ??= pattern.exec(written);
      if (found === null) throw new Error(`It ended and never said ${pattern}: ${written}`);
      return found;
    },
    hasEnded: () => isOver,
    isUp: () => role === "worker" ? Promise.resolve(isWorking(written)) : isReady(url),
    async stop(signal = "SIGTERM") {
      await ended(child, signal).catch((error) => {
        throw new Error(`${(error as Error).message}: ${written.slice(-2000)}`);
      });
      // A child process that it left behind would hold its output open.
      if (signal !== "SIGKILL") {
        await until(() => isOver, "its last words", WORDS_MS).catch(() => {});
      }
    },
    [Symbol.asyncDispose]: () => ended(child, "SIGKILL"),
  };
}

function isWorking(output: string): boolean {
  return output.includes("worker.started");
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/api/readyz`).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}

/** Deno's `child.kill` sends one signal and ignores all others. */
export function signalTo({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch (error) {
    // It ended a moment ago, which was not heard of yet.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether a SIGSTOP has taken effect. */
export function isFrozen({ pid }: ChildProcess): boolean {
  const { stdout } = spawnSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim().startsWith("T");
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalTo(child, signal);
  await until(() => child.exitCode !== null || child.signalCode !== null, `its end at ${signal}`);
}

const PORTS = join(tmpdir(), `passerelle-test-ports-${userInfo().uid}`);
/** Longer than any test takes. */
const KEPT_MS = 3_600_000;

/**
 * A port for a process that listens a while later. It lies below those the system gives to whoever names none, and a file keeps it
 * from the tests that run beside this one.
 */
export async function freePort(): Promise<number> {
  await mkdir(PORTS, { recursive: true });
  while (true) {
    const port = 11_000 + Math.floor(Math.random() * 20_000); // browsers ask nobody at 10080
    if (await isKept(join(PORTS, String(port))) && await isFree(port)) return port;
  }
}

async function isKept(file: string): Promise<boolean> {
  const made = await open(file, "wx").catch(() => undefined);
  await made?.close();
  if (made) return true;
  const now = new Date();
  if (now.getTime() - (await stat(file)).mtimeMs < KEPT_MS) return false;
  await utimes(file, now, now);
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
