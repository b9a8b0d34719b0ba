import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import type { Socket } from "node:net";
import { availableParallelism } from "node:os";
import { dirname, join, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** What a child runs and all it may reach. It has no network, no processes, no environment, no code from strings. */
export interface Program {
  /** In logs and errors: "the process for <name> did not answer". */
  readonly name: string;
  /** A module that calls `serve`. */
  readonly entry: URL;
  /** MB of JavaScript heap. */
  readonly memory: number;
  /** Folders it may read. Its own code and packages need not be named. */
  readonly read?: readonly string[];
  /** Folders it may write. */
  readonly write?: readonly string[];
  /** It may load packages in machine code; asked of Node only, Deno has what it needs built in. */
  readonly addons?: boolean;
  /** npm packages whose files it reads while it runs (WebAssembly, fonts). */
  readonly packages?: readonly string[];
  /** What the runtime needs to find its packages (`HOME`, `DENO_DIR`, `XDG_CACHE_HOME`); given back when the program is loaded. */
  readonly environment?: Readonly<Record<string, string>>;
}

interface Launch
  extends Pick<Program, "addons" | "entry" | "memory" | "read" | "packages" | "write"> {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string;
}

/** Whether this process may start others: a platform, or who started it, may not let it. */
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
  /** How much processor time it has had, all its threads together; undefined where the system does not tell (Linux does). */
  processorMs(): Promise<number | undefined>;
}

/**
 * Before the program takes its place, the shell sets what the kernel enforces (memory, no core files, first to go when the
 * machine runs out) and leaves a watcher behind: when this process ends, however it ends, the watcher's descriptor 4 does,
 * and it kills the child, which may be too busy to notice. The word "ended" on descriptor 4 sends the watcher home; to any other
 * it answers what the system says of the child, which Deno lets nobody read who may not do everything.
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

/** Starts a program in this runtime with no more than it is given. */
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
  for (const end of [channel, watcher]) end.on("error", () => {}); // "exit" tells
  const processorMs = askedOf(watcher);
  watcher.unref();
  child.once("exit", () => watcher.end("ended\n"));
  return { child, channel, processorMs };
}

/** Linux counts in hundredths of a second. */
const TICK_MS = 10;

/** One answer, a line, to each question. */
function askedOf(watcher: Socket): Launched["processorMs"] {
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

/** KB of private memory: the heap, what a runtime reserves besides (measured: Deno 0.56 GB), threads, and room for bytes. */
function dataLimit(memory: number): number {
  const runtime = (DENO ? 1024 : 512) + 32 * availableParallelism();
  return (memory + runtime) * 1024;
}

function denoArgs({ entry, memory, read = [], write = [], packages = [] }: Launch): string[] {
  const readable = [...read, ...packages.map(folderOf)];
  // V8 keeps compiled code for one set of flags: a child of the product's own modules would throw away what its start needs.
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

/**
 * Node has permissions for files, processes and threads, none for the network, and reads TypeScript itself from 22.18 on.
 * Before, a TypeScript program goes through tsx, which starts processes: such a child has no permissions to lack.
 */
function nodeArgs({ addons, entry, memory, read = [], write = [] }: Launch): string[] {
  const readsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);
  const viaTsx = isTypeScript(entry) && !readsTypeScript;
  const code = [join(ROOT, "src"), join(ROOT, "drizzle"), dirname(fileURLToPath(entry))];
  // Packages may lie behind a link; Node asks for them at both places.
  const packages = [join(ROOT, "node_modules"), packagesFolder()];
  const folders = outermost([...code, ...packages, ...read, ...write]);
  const flag = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  return [
    `--max-old-space-size=${memory}`,
    "--disallow-code-generation-from-strings",
    "--no-warnings",
    ...viaTsx ? ["--import", import.meta.resolve("tsx")] : [
      flag,
      ...addons ? ["--allow-addons"] : [],
      `--allow-fs-read=${join(ROOT, "package.json")}`,
      ...folders.map((folder) => `--allow-fs-read=${join(folder, "*")}`),
      ...write.map((folder) => `--allow-fs-write=${join(folder, "*")}`),
    ],
  ];
}

function isTypeScript({ pathname }: URL): boolean {
  return pathname.endsWith(".ts");
}

/** Node 20 stumbles over a folder that is given twice. */
function outermost(folders: readonly string[]): string[] {
  return [...new Set(folders)].filter((it) => !folders.some((other) => it.startsWith(other + sep)));
}

function packagesFolder(): string {
  return dirname(folderOf("saxon-js"));
}

/** Where a package lies; one without code is found by its description, one that exports no description by its code. */
function folderOf(name: string): string {
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
