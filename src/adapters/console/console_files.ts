import { newPromiseCache } from "#src/kernel/concurrency/promise_cache.ts";
import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rm, stat, utimes } from "node:fs/promises";
import { extname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { ConsoleEntry, ConsoleFile, ConsoleFiles } from "#src/ports/console.ts";
import type { Log } from "#src/ports/log.ts";
import { ENTRY_FILE, GUIDE, SOURCES } from "./places.ts";

interface ConsoleOptions {
  /** Module that bundles into the folder in its argument. */
  readonly program: URL;
  /** Folders for built consoles; the first writable one is used. */
  readonly folders: readonly string[];
  readonly log: Log;
  /** Variables with which the runtime finds its packages (`HOME`, `PATH`, `DENO_DIR`, `XDG_CACHE_HOME`). */
  readonly environment: Readonly<Record<string, string>>;
}

const PREFIX = "console-";
const UNUSED_MS = 30 * 24 * 3_600_000;
/** Timeout of a build. Seconds are usual, but two minutes were too short on busy machines. */
const BUILD_MS = 1_200_000;

/**
 * Console that is built on first use, in a separate process so that no user waits. It is stored under a name
 * derived from its sources, so later starts find it.
 */
export function consoleFiles(options: ConsoleOptions): ConsoleFiles {
  const { get: open } = newSharedValue(() =>
    openConsole(options).catch((error) => {
      options.log.error("console.unbuilt", { error });
      throw error;
    })
  );
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
  const name = await consoleName();
  const folder = await builtFolder(name, options);
  const now = new Date(Date.now());
  await utimes(folder, now, now).catch(() => {}); // a read-only folder works too
  const names = new Set(await readdir(folder));
  const kept = newPromiseCache<ConsoleFile>();
  return {
    entry: JSON.parse(await readFile(join(folder, ENTRY_FILE), "utf8")),
    async read(wanted) {
      const type = TYPES[extname(wanted)];
      if (type === undefined || !names.has(wanted)) return undefined;
      return await kept.get(
        wanted,
        () => readPacked(join(folder, wanted), type, names.has.bind(names)),
      );
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
  const pack = (end: string) => isThere(name + end) ? readFile(path + end) : undefined;
  const [plain, br, gzip] = await Promise.all([readFile(path), pack(".br"), pack(".gz")]);
  return { type, plain, br, gzip };
}

/** Returns the folder of an earlier build, or builds the console. Throws the error of the last folder. */
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
      await deleteUnused(parent);
      await build(join(parent, name), options);
      return join(parent, name);
    } catch (error) {
      problem = error;
    }
  }
  throw problem ?? new Error(`The console can be kept in none of ${options.folders.join(", ")}`);
}

/**
 * Checks that a folder belongs to this user or the administrator and that nobody else can write to it. Files of
 * another user would run in every browser.
 */
async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (!found?.isDirectory()) return false;
  if (process.getuid === undefined) return true;
  return (found.uid === process.getuid() || found.uid === 0) && (found.mode & 0o022) === 0;
}

async function deleteUnused(parent: string): Promise<void> {
  for (const it of await readdir(parent)) {
    const path = join(parent, it);
    const isOld = it.startsWith(PREFIX) && (await stat(path)).mtimeMs < Date.now() - UNUSED_MS;
    if (isOld) await rm(path, { recursive: true, force: true });
  }
}

/** Returns the name of the folder of a built console, which is made of its sources. */
export async function consoleName(): Promise<string> {
  return PREFIX + await hashOfSources();
}

/** Changes with every source, with the version of any package, and with how it is built. */
async function hashOfSources(): Promise<string> {
  const names = (await readdir(SOURCES, { recursive: true })).filter((it) =>
    /\.(tsx?|css|svg)$/.test(it)
  ).sort();
  const guide = (await readdir(GUIDE, { recursive: true })).filter((it) => it.endsWith(".md"));
  const files = [
    ...names.map((it) => join(SOURCES, it)),
    ...guide.sort().map((it) => join(GUIDE, it)),
    fileURLToPath(new URL("./bundle.ts", import.meta.url)),
    fileURLToPath(new URL("./join_chunks.ts", import.meta.url)),
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
    : ["--no-warnings"];
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
