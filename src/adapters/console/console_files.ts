import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { extname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ConsoleEntry, ConsoleFile, ConsoleFiles } from "#src/ports/console.ts";
import type { Log } from "#src/ports/log.ts";
import { ENTRY_FILE, SOURCES } from "./places.ts";

interface ConsoleOptions {
  /** A module that bundles into the folder it is given as an argument. */
  readonly program: URL;
  /** Where built consoles are kept, the first that can be written to. */
  readonly folders: readonly string[];
  readonly log: Log;
  /** What the runtime needs to find its packages (`HOME`, `PATH`, `DENO_DIR`, `XDG_CACHE_HOME`). */
  readonly environment: Readonly<Record<string, string>>;
}

const PREFIX = "console-";
const UNUSED_MS = 30 * 24 * 3_600_000;
/** It ends a build that hangs: seconds are enough, but on a machine that has others to serve two minutes were not, and nobody ever saw a page. */
const BUILD_MS = 1_200_000;

/**
 * The console, built when it is first asked for, in a process of its own so that nobody who is served waits, and kept under
 * a name made of its sources: later starts find it.
 */
export function consoleFiles(options: ConsoleOptions): ConsoleFiles {
  let opened: Promise<OpenedConsole> | undefined;
  const open = () =>
    opened ??= openConsole(options).catch((error) => {
      opened = undefined; // the next visitor tries again
      options.log.error("console.unbuilt", { error });
      throw error;
    });
  return {
    entry: async () => (await open()).entry,
    read: async (name) => (await open()).read(name),
  };
}

interface OpenedConsole {
  readonly entry: ConsoleEntry;
  read(name: string): Promise<ConsoleFile | undefined>;
}

async function openConsole(options: ConsoleOptions): Promise<OpenedConsole> {
  const name = PREFIX + await hashOfSources();
  const folder = await builtFolder(name, options);
  const now = new Date(Date.now());
  await utimes(folder, now, now).catch(() => {}); // one that may only be read serves too
  const names = new Set(await readdir(folder));
  const kept = new Map<string, Promise<ConsoleFile>>();
  return {
    entry: JSON.parse(await readFile(join(folder, ENTRY_FILE), "utf8")),
    async read(wanted) {
      const type = TYPES[extname(wanted)];
      if (type === undefined || !names.has(wanted)) return undefined;
      const file = kept.get(wanted) ??
        readPacked(join(folder, wanted), type, names.has.bind(names));
      kept.set(wanted, file);
      return await file;
    },
  };
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

async function readPacked(
  path: string,
  type: string,
  isThere: (name: string) => boolean,
): Promise<ConsoleFile> {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const packed = (end: string) => isThere(name + end) ? readFile(path + end) : undefined;
  const [plain, br, gzip] = await Promise.all([readFile(path), packed(".br"), packed(".gz")]);
  return { type, plain, br, gzip };
}

/** Where it was built before, else where it is built now. Throws what the last folder said. */
async function builtFolder(name: string, options: ConsoleOptions): Promise<string> {
  for (const parent of options.folders) {
    const folder = join(parent, name);
    if (await isOwn(parent) && await isOwn(folder)) return folder;
  }
  let problem: unknown;
  for (const parent of options.folders) {
    try {
      await mkdir(parent, { recursive: true, mode: 0o700 });
      if (!await isOwn(parent)) continue;
      await dropUnused(parent);
      await build(join(parent, name), options);
      return join(parent, name);
    } catch (error) {
      problem = error;
    }
  }
  throw problem ?? new Error(`The console can be kept in none of ${options.folders.join(", ")}`);
}

/** Of this user or of the administrator, and writable by nobody else: what another put there would run in every browser. */
async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  if (process.getuid === undefined) return true;
  return (found.uid === process.getuid() || found.uid === 0) && (found.mode & 0o022) === 0;
}

async function dropUnused(parent: string): Promise<void> {
  for (const it of await readdir(parent)) {
    const path = join(parent, it);
    const isOld = it.startsWith(PREFIX) && (await stat(path)).mtimeMs < Date.now() - UNUSED_MS;
    if (isOld) await rm(path, { recursive: true, force: true });
  }
}

/** Changes with every source, with the version of any package, and with how it is built. */
async function hashOfSources(): Promise<string> {
  const names = (await readdir(SOURCES, { recursive: true })).filter((it) =>
    /\.(tsx?|css|svg)$/.test(it)
  ).sort();
  const files = [
    ...names.map((it) => join(SOURCES, it)),
    fileURLToPath(new URL("./bundle.ts", import.meta.url)),
    fileURLToPath(new URL("./mantine.ts", import.meta.url)),
    fileURLToPath(new URL("../../../package.json", import.meta.url)),
  ];
  const hash = createHash("sha256");
  const contents = await Promise.all(files.map((it) => readFile(it)));
  for (const [at, it] of contents.entries()) hash.update(`${names[at]}:${it.length}:`).update(it);
  return hash.digest("hex").slice(0, 32);
}

async function build(folder: string, { program, environment }: ConsoleOptions): Promise<void> {
  const rights = ["--allow-read", "--allow-write", "--allow-env", "--allow-run", "--allow-sys"];
  const args = "Deno" in globalThis
    ? ["run", "--no-prompt", "--cached-only", "--no-check", ...rights]
    : ["--import", import.meta.resolve("tsx"), "--no-warnings"];
  const child = spawn(process.execPath, [...args, fileURLToPath(program), folder], {
    env: { ...environment, NO_COLOR: "1" },
    stdio: ["ignore", "ignore", "pipe"],
    timeout: BUILD_MS,
    killSignal: "SIGKILL",
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4000);
  });
  const code = await new Promise((done, failed) => child.on("close", done).on("error", failed));
  if (code !== 0) throw new Error(`The console cannot be built (${code}): ${said}`);
}
