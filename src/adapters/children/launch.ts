import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { availableParallelism } from "node:os";
import { dirname, join, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/**
 * Program of a child process, and everything it may reach. It has no network, processes, environment or code from
 * strings.
 */
export interface Program {
  /** Name in logs and errors: "the process for <name> did not answer". */
  readonly name: string;
  /** A module that calls `serve`. */
  readonly entry: URL;
  /** MB of JavaScript heap. */
  readonly memory: number;
  /** Folders it may read. Its own code and packages need not be named. */
  readonly read?: readonly string[];
  /** Folders it may write. */
  readonly write?: readonly string[];
  /** npm packages whose files it reads while it runs (WebAssembly, fonts). */
  readonly packages?: readonly string[];
  /**
   * Variables with which the runtime finds its packages (`HOME`, `DENO_DIR`, `XDG_CACHE_HOME`); removed once the
   * program is loaded.
   */
  readonly environment?: Readonly<Record<string, string>>;
}

interface Launch extends Pick<Program, "entry" | "memory" | "read" | "packages" | "write"> {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string;
}

/** Checks whether this process may start others: a platform or a parent process may forbid it. */
export function mayLaunch(): boolean {
  if (!DENO) return true;
  const { Deno } = globalThis as unknown as DenoRights;
  const shell = { name: "run", command: "/bin/sh" };
  return Deno.permissions.querySync(shell).state === "granted";
}

interface DenoRights {
  readonly Deno: {
    readonly permissions: { querySync(asked: object): { readonly state: string } };
  };
}

interface Launched {
  readonly child: ChildProcess;
  /** Descriptor 3 of the child, both ways. */
  readonly channel: Socket;
  /** Returns the processor time of all its threads; undefined where the system does not report it (Linux does). */
  processorMs(): Promise<number | undefined>;
}

/**
 * Shell script that sets the kernel's limits before it runs the program: memory, no core files, first to be
 * killed when memory runs out. It also leaves a watcher behind. When this process ends in any way, the watcher's
 * descriptor 4 closes, and it kills the child, which may be too busy to notice. The word "ended" on descriptor 4
 * ends the watcher. To any other word it answers with the child's process statistics, which Deno lets only fully
 * privileged code read.
 */
const START = `
ulimit -c 0; ulimit -d "$1" 2>/dev/null; shift
(echo 900 > /proc/$$/oom_score_adj) 2>/dev/null
(trap "" HUP INT TERM PIPE; exec </dev/null >/dev/null 2>&1 3>&-
while read word <&4; do
  [ "$word" = ended ] && exit
  stat=; read stat </proc/$$/stat; echo "$stat" >&4
done; kill -9 $$) &
exec "$@" 4<&-`;

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const DENO = "Deno" in globalThis;

/** Starts a program in this runtime with only the given rights. */
export function launch(given: Launch): Launched {
  const command = [process.execPath, ...(DENO ? denoArgs(given) : nodeArgs(given))];
  const program = [...command, fileURLToPath(given.entry), ...(given.args ?? [])];
  const child = spawn("/bin/sh", ["-c", START, "sh", String(dataLimit(given.memory)), ...program], {
    env: { ...given.environment },
    stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
    ...given.cwd !== undefined && { cwd: given.cwd },
  });
  const [, , , channel, watcher] = child.stdio as unknown as (Socket | null)[];
  if (!channel || !watcher) throw new Error("A child process has no channel");
  for (const end of [channel, watcher]) end.on("error", () => {}); // the "exit" event reports the end
  const processorMs = meterProcessor(watcher);
  watcher.unref();
  child.once("exit", () => watcher.end("ended\n"));
  return { child, channel, processorMs };
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** One answer, a line, to each question. */
function meterProcessor(watcher: Socket): Launched["processorMs"] {
  const asked: ((ms: number | undefined) => void)[] = [];
  let said = "";
  watcher.setEncoding("latin1").on("data", (text: string) => {
    const lines = (said + text).split("\n");
    said = lines.pop() ?? "";
    for (const line of lines) asked.shift()?.(processorMsIn(line));
  });
  watcher.once("close", () => {
    for (const answer of asked.splice(0)) answer(undefined);
  });
  return () =>
    new Promise((answer) => {
      if (!watcher.writable) return answer(undefined);
      asked.push(answer);
      watcher.write("look\n");
    });
}

/** proc_pid_stat(5): fields 14 and 15, counted from the third, which follows the name in brackets. */
function processorMsIn(stat: string): number | undefined {
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const ms = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Returns the limit of private memory in KB: the heap, the runtime's reservation (Deno: 0.56 GB), threads and
 * buffers.
 */
function dataLimit(memory: number): number {
  const runtime = (DENO ? 1024 : 512) + 32 * availableParallelism();
  return (memory + runtime) * 1024;
}

function denoArgs({ entry, memory, read = [], write = [], packages = [] }: Launch): string[] {
  const readable = [...read, ...packages.map(getFolder)];
  // V8 caches compiled code for one set of flags: a child that shares the product's modules would discard the
  // cache of its start.
  const sharesModules = isTypeScript(entry);
  return [
    "run",
    "--no-prompt",
    "--cached-only",
    "--no-check",
    "--deny-import",
    ...sharesModules ? ["--no-code-cache"] : [],
    "--allow-env", // packages look at it while they are loaded; `serve` gives it back
    ...readable.length ? [`--allow-read=${readable.join(",")}`] : [],
    ...write.length ? [`--allow-write=${write.join(",")}`] : [],
    `--v8-flags=--max-old-space-size=${memory},--disallow-code-generation-from-strings`,
  ];
}

/** Node has permissions for files, processes and threads, and none for the network. */
function nodeArgs({ entry, memory, read = [], write = [] }: Launch): string[] {
  const code = [join(ROOT, "src"), join(ROOT, "drizzle"), dirname(fileURLToPath(entry))];
  // Packages may be behind a link; Node checks the permissions of both paths.
  const packages = [join(ROOT, "node_modules"), packagesFolder()];
  const folders = outermost([...code, ...packages, ...read, ...write]);
  return [
    `--max-old-space-size=${memory}`,
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    "--permission",
    `--allow-fs-read=${join(ROOT, "package.json")}`,
    ...folders.map((folder) => `--allow-fs-read=${join(folder, "*")}`),
    ...write.map((folder) => `--allow-fs-write=${join(folder, "*")}`),
  ];
}

function isTypeScript({ pathname }: URL): boolean {
  return pathname.endsWith(".ts");
}

/** Returns folders that no other one contains: Node refuses a folder that is given twice. */
function outermost(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter((it) => !folders.some((other) => it.startsWith(other + sep)));
}

function packagesFolder(): string {
  return dirname(getFolder("saxon-js"));
}

/**
 * Returns the folder of a package. It is found by its `package.json`, or by its code if it does not export that
 * file.
 */
function getFolder(name: string): string {
  const { resolve } = createRequire(import.meta.url);
  let folder = dirname(resolvable(() => resolve(`${name}/package.json`)) ?? resolve(name));
  while (!existsSync(join(folder, "package.json"))) folder = dirname(folder);
  return folder;
}

function resolvable(resolve: () => string): string | undefined {
  try {
    return resolve();
  } catch {
    return undefined;
  }
}
