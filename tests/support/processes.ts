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
/** Flags of the tasks in `deno.json`, except for permissions. */
const FLAGS = ["--no-prompt", "--no-check", "-A"];
const SKEW = join(ROOT, "tests/support/skewed_date.ts");

/** Process of the product, as an operator starts it. Disposing it kills it. */
export interface ProductProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  /** Returns the output so far, of both streams. */
  output(): string;
  /** Resolves to the first output that matches. A process may answer before its lines are flushed. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Returns true if the process has ended and `output` is complete. */
  hasEnded(): boolean;
  /** Sends the signal and waits for the end and, if the process has time for it, its last output. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts `start`, `web` (both answer on `url` when this resolves) or a worker. `CLOCK_SKEW_MS` in its environment
 * shifts its clock. `root` is the folder of the code: this checkout's, or a release's.
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

/** Permissions on a platform that calls a function: no files are written, no processes started, and no port opened. */
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

function getCommand(
  role: Role,
  { port, skewed, args }: { port: number; skewed: readonly string[]; args: readonly string[] },
): string[] {
  if (role === "edge") {
    const place = ["--host", "127.0.0.1", "--port", String(port)];
    return ["serve", ...EDGE_RIGHTS, ...place, "src/edge.ts"];
  }
  const script = role === "worker" ? ["workers/main.ts", ...args] : ["src/main.ts", role];
  return ["run", ...FLAGS, ...skewed, ...script];
}

/** Longest wait for the output of a process that has ended, in milliseconds. */
const WORDS_MS = 10_000;

type Role = "start" | "web" | "worker" | "edge";

/** Starts a process without waiting until it is ready, since it may end before. */
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
  const child = spawn(process.execPath, getCommand(role, { port, skewed, args }), {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      AUTH: "off",
      CACHE_DIR,
      NO_COLOR: "1",
      PORT: String(port),
      DRAIN_SECONDS: "0",
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
      await end(child, signal).catch((error) => {
        throw new Error(`${(error as Error).message}: ${written.slice(-2000)}`);
      });
      // A child process that outlives it would keep its output open.
      if (signal !== "SIGKILL") {
        await until(() => isOver, "its last words", WORDS_MS).catch(() => {});
      }
    },
    [Symbol.asyncDispose]: () => end(child, "SIGKILL"),
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

/** Sends a signal; Deno's `child.kill` sends only the first signal. */
export function signalTo({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(pid, signal);
  } catch (error) {
    // The process has just ended and its exit event is still pending.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Returns true when a SIGSTOP has taken effect. */
export function isFrozen({ pid }: ChildProcess): boolean {
  const { stdout } = spawnSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim().startsWith("T");
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  signalTo(child, signal);
  await until(() => child.exitCode !== null || child.signalCode !== null, `its end at ${signal}`);
}

const PORTS = join(tmpdir(), `passerelle-test-ports-${userInfo().uid}`);
/** Longer than any test takes. */
const KEPT_MS = 3_600_000;

/**
 * Returns a port for a process that starts later. It is below the ports that the system assigns, and a file reserves it
 * against parallel tests.
 */
export async function freePort(): Promise<number> {
  await mkdir(PORTS, { recursive: true });
  while (true) {
    const port = 11_000 + Math.floor(Math.random() * 20_000); // browsers refuse port 10080
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
