import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { type Closure, isFresh, readClosure, refuseCompiledScripts } from "./closure.ts";
import { compileFailure } from "./compile_messages.ts";
import { sourcesOf } from "./sources.ts";
import { childCommand } from "./runtime.ts";

const SCRIPT = resolve(import.meta.dirname ?? ".", "compile_child.js");
const MEMORY = 512;
const DEADLINE = 60_000;
/** How long a stylesheet is believed unchanged without looking, in ms. */
const TRUST = 250;
const MAX_COMPILED = 64;

export interface CompilerOptions {
  readonly roots: readonly string[];
  /** Where compiled stylesheets are kept between starts. */
  readonly cacheDir: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** A stylesheet ready to run; `hash` names its contents. */
export interface Compiled {
  readonly hash: string;
  /** SaxonJS' export format, JSON. */
  readonly sef: string;
  /** Business term → source element, as the stylesheet declares. */
  readonly sources: ReadonlyMap<string, string>;
}

export interface Compiler {
  compiled(stylesheet: string): Promise<Compiled>;
  /** The same, but looks at the files in any case. */
  recheck(stylesheet: string): Promise<Compiled>;
  close(): void;
}

/** Compiles each content once, in a process of its own; an edited stylesheet is another content. */
export function createCompiler(options: CompilerOptions): Compiler {
  const known = new Map<string, { closure: Closure; looked: number }>();
  const results = new Map<string, Promise<string>>();
  const closing = new AbortController();

  async function closureOf(stylesheet: string, trust: number): Promise<Closure> {
    const last = known.get(stylesheet);
    if (last && performance.now() - last.looked < trust) return last.closure;
    const fresh = last !== undefined && await isFresh(last.closure);
    const closure = fresh ? last.closure : await readClosure(stylesheet, options.roots);
    known.set(stylesheet, { closure, looked: performance.now() });
    return closure;
  }

  async function get(stylesheet: string, trust: number): Promise<Compiled> {
    const closure = await closureOf(stylesheet, trust);
    const { hash } = closure;
    let result = results.get(hash);
    if (result === undefined) {
      result = compile(closure, options, closing.signal);
      remember(results, hash, result);
    }
    return { hash, sef: await result, sources: sourcesOf(closure) };
  }

  return {
    compiled: (stylesheet) => get(stylesheet, TRUST),
    recheck: (stylesheet) => get(stylesheet, 0),
    close: () => closing.abort(),
  };
}

/** A refusal is kept like a result: the same contents fail the same way. Other failures may pass. */
function remember(results: Map<string, Promise<string>>, hash: string, result: Promise<string>) {
  if (results.size >= MAX_COMPILED) results.delete(results.keys().next().value ?? "");
  results.set(hash, result);
  result.catch((error) => {
    if (error?.code !== "refused") results.delete(hash);
  });
}

async function compile(
  closure: Closure,
  { cacheDir, environment }: CompilerOptions,
  signal: AbortSignal,
): Promise<string> {
  const cached = cacheDir && join(cacheDir, `${closure.hash}.sef.json`);
  const kept = cached && await readFile(cached, "utf8").catch(() => undefined);
  if (kept && isJson(kept)) return kept;
  const folder = await realpath(await mkdtemp(join(tmpdir(), "passerelle-xslt-")));
  try {
    const sef = await compileIn(folder, closure, { environment, signal });
    refuseCompiledScripts(closure.stylesheet, sef);
    if (cached) await keep(cached, sef);
    return sef;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compileIn(
  folder: string,
  closure: Closure,
  { environment, signal }: { environment: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<string> {
  const base = commonFolder([...closure.files.keys()]);
  for (const [file, { text }] of closure.files) {
    const copy = join(folder, "in", relative(base, file));
    await mkdir(dirname(copy), { recursive: true });
    await writeFile(copy, text);
  }
  const output = join(folder, "out.sef.json");
  const main = join(folder, "in", relative(base, closure.main));
  const said = await run({ folder, args: [main, output], environment, signal });
  const sef = await readFile(output, "utf8").catch(() => undefined);
  if (sef !== undefined) return sef;
  throw compileFailure(closure, { said, folder: join(folder, "in"), base });
}

interface Run {
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** What the compiler wrote to standard error. */
function run({ folder, args, environment, signal }: Run): Promise<string> {
  const { command, args: all } = childCommand({ script: SCRIPT, args, folder, memory: MEMORY });
  return new Promise((done, failed) => {
    const child = spawn(command, all, {
      cwd: folder,
      env: { ...environment },
      stdio: ["ignore", "ignore", "pipe"],
      signal,
      killSignal: "SIGKILL",
      timeout: DEADLINE,
    });
    let said = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => said = (said + text).slice(0, 20_000));
    child.on("error", failed);
    child.on("close", () => done(said));
  });
}

async function keep(path: string, sef: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${crypto.randomUUID()}`;
  await writeFile(fresh, sef);
  await rename(fresh, path);
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? "/");
  while (files.some((file) => relative(folder, file).startsWith(".."))) folder = dirname(folder);
  return folder;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
