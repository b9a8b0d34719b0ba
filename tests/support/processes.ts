import "./english.ts";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { CACHE_DIR } from "./db.ts";
import { usePrebuilt } from "./prebuilt.ts";
import { until } from "./until.ts";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");
/** As the tasks of `deno.json` start it, but for the rights. */
const FLAGS = ["--no-prompt", "--v8-flags=--max-semi-space-size=8,--expose-gc", "--no-check", "-A"];
const SKEW = join(ROOT, "tests/support/skewed_date.ts");

/** A process of the product, as an operator starts it. Disposing kills it. */
export interface ProductProcess extends AsyncDisposable {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has written so far, both streams. */
  output(): string;
  /** Sends the signal and waits for the end. */
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
  return ["run", ...FLAGS, ...skewed, ...script];
}

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
      AUTH: "off",
      CACHE_DIR,
      NO_COLOR: "1",
      PORT: String(port),
      ...environment,
    },
  });
  let written = "";
  const keep = (chunk: Buffer) => void (written += chunk);
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    child,
    output: () => written,
    isUp: () => role === "worker" ? Promise.resolve(isWorking(written)) : isReady(url),
    stop: (signal = "SIGTERM") => ended(child, signal),
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
  if (pid !== undefined) process.kill(pid, signal);
}

/** Whether a SIGSTOP has taken effect. */
export function isFrozen({ pid }: ChildProcess): boolean {
  const { stdout } = spawnSync("ps", ["-o", "state=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim().startsWith("T");
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new Promise((resolve) => child.once("exit", resolve));
  signalTo(child, signal);
  await end;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
