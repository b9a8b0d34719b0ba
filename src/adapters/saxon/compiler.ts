import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import {
  describeExit,
  launch,
  mayLaunch,
  noProcessHere,
  onceWorked,
} from "#src/adapters/children/mod.ts";
import { ChildDied, type ChildExit } from "#src/ports/children.ts";
import type { StylesheetText } from "#src/ports/xslt.ts";
import { type Closure, isFresh, readClosure } from "./closure.ts";
import { compileFailure } from "./compile_messages.ts";
import { type Modules, modulesWith } from "./modules.ts";
import { collectSources } from "./sources.ts";

const COMPILER = new URL("./compile_child.ts", import.meta.url);
const MEMORY = 512;
const DEADLINE = 60_000;
/** Time in ms that a stylesheet is assumed unchanged without a check. */
const TRUST = 250;
const MAX_COMPILED = 64;
/** Maximum characters of all cached stylesheets, twice the limit of one. */
const MAX_KNOWN = 64 * 1024 * 1024;
/** Bytes of a compiled stylesheet; the bundled one has 0.5 MB. */
const MAX_SEF = 32 * 1024 * 1024;
const MAX_SAID = 20_000;
/** Bytes of all compiled stylesheets in the cache; the oldest ones make room. */
const MAX_CACHE = 512 * 1024 * 1024;

interface CompilerOptions {
  readonly modules: Modules;
  /** Folder of compiled stylesheets between starts. */
  readonly cacheDir: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** A stylesheet ready to run; `hash` names its contents. */
export interface CompiledStylesheet {
  readonly hash: string;
  /** SaxonJS' export format, JSON; it is validated where it runs (`vet.ts`), not here. */
  readonly sef: string;
  readonly closure: Closure;
  /** Business term → source element, as the stylesheet declares. */
  readonly sources: ReadonlyMap<string, string>;
}

interface RecheckOptions {
  readonly signal?: AbortSignal | undefined;
  readonly instead?: StylesheetText | undefined;
}

interface Compiler {
  compiled(stylesheet: string): Promise<CompiledStylesheet>;
  /** The same, but looks at the files in any case, and can be given up. `instead` is read instead of its file. */
  recheck(stylesheet: string, options?: RecheckOptions): Promise<CompiledStylesheet>;
  close(): void;
}

/** Compiles each content once, in a separate process; an edited stylesheet is another content. */
export function createCompiler(options: CompilerOptions): Compiler {
  return new CachingCompiler(options);
}

class CachingCompiler implements Compiler {
  readonly #options: CompilerOptions;
  readonly #known = new Map<string, { closure: Closure; looked: number }>();
  readonly #looks = new Map<string, Promise<Closure>>();
  readonly #results = new Map<string, Promise<string>>();
  readonly #givenUp = new WeakSet<Promise<string>>();
  readonly #closing = new AbortController();

  constructor(options: CompilerOptions) {
    this.#options = options;
  }

  async compiled(stylesheet: string): Promise<CompiledStylesheet> {
    return await this.#toCompiled(await this.#getClosure(stylesheet, TRUST));
  }

  async recheck(
    stylesheet: string,
    { signal, instead }: RecheckOptions = {},
  ): Promise<CompiledStylesheet> {
    const closure = instead
      ? readClosure(stylesheet, await modulesWith(this.#options.modules, instead))
      : this.#getClosure(stylesheet, 0);
    return await this.#toCompiled(await unlessGivenUp(closure, signal), signal);
  }

  close(): void {
    this.#closing.abort();
  }

  /** Returns the closure of a stylesheet; simultaneous callers share one check. */
  async #getClosure(stylesheet: string, trust: number): Promise<Closure> {
    const last = this.#known.get(stylesheet);
    if (last && performance.now() - last.looked < trust) return last.closure;
    const underWay = this.#looks.get(stylesheet);
    if (underWay && trust > 0) return await underWay;
    const look = this.#lookAt(stylesheet, last?.closure);
    this.#looks.set(stylesheet, look);
    try {
      return await look;
    } finally {
      if (this.#looks.get(stylesheet) === look) this.#looks.delete(stylesheet);
    }
  }

  async #lookAt(stylesheet: string, last: Closure | undefined): Promise<Closure> {
    const { modules } = this.#options;
    const fresh = last !== undefined && await isFresh(last, modules);
    const closure = fresh ? last : await readClosure(stylesheet, modules);
    this.#known.delete(stylesheet);
    this.#known.set(stylesheet, { closure, looked: performance.now() });
    evictOldest(this.#known);
    return closure;
  }

  async #toCompiled(closure: Closure, signal?: AbortSignal): Promise<CompiledStylesheet> {
    return {
      hash: closure.hash,
      sef: await this.#compileOnce(closure, signal),
      closure,
      sources: await collectSources(closure),
    };
  }

  /**
   * Compiles a stylesheet for all simultaneous callers. If the caller that started the work gives up, the work
   * ends, and a waiting caller starts it again. Other failures apply to all of them.
   */
  async #compileOnce(closure: Closure, signal?: AbortSignal): Promise<string> {
    const { hash } = closure;
    const results = this.#results;
    for (let known = results.get(hash); known; known = results.get(hash)) {
      try {
        return await unlessGivenUp(known, signal);
      } catch (error) {
        const isKept = results.get(hash) === known;
        if (signal?.aborted || isKept || !this.#givenUp.has(known)) throw error;
      }
    }
    const closing = this.#closing.signal;
    const end = signal ? AbortSignal.any([closing, signal]) : closing;
    const result = compile(closure, this.#options, end);
    result.catch(() => signal?.aborted && this.#givenUp.add(result));
    remember(results, hash, result);
    return await result;
  }
}

async function unlessGivenUp<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return await work;
  let give = () => {};
  const given = new Promise<never>((_, fail) => give = () => fail(signal.reason));
  if (signal.aborted) give();
  signal.addEventListener("abort", give);
  try {
    return await Promise.race([work, given]);
  } finally {
    signal.removeEventListener("abort", give);
  }
}

/** Removes the closures used least recently, beyond the memory limit; they are read again when needed. */
function evictOldest(known: Map<string, { readonly closure: Closure }>): void {
  const getLength = ({ files }: Closure) =>
    [...files.values()].reduce((sum, { text }) => sum + text.length, 0);
  let length = [...known.values()].reduce((sum, { closure }) => sum + getLength(closure), 0);
  for (const [stylesheet, { closure }] of known) {
    if (known.size <= MAX_COMPILED && length <= MAX_KNOWN) return;
    known.delete(stylesheet);
    length -= getLength(closure);
  }
}

/** Caches a result or a refusal: the same contents fail the same way. Other failures are not cached. */
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
  if (!mayLaunch()) throw noProcessHere("stylesheets");
  const folder = await realpath(await mkdtemp(join(tmpdir(), "passerelle-xslt-")));
  try {
    const sef = await compileIn(folder, closure, { environment, signal });
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
    await writeFile(copy, `\ufeff${text}`); // else its compiler looks for a declaration, and finds that of the original
  }
  const output = join(folder, "out.sef.json");
  const main = join(folder, "in", relative(base, closure.main));
  const said = await run({ folder, args: [main, output], environment, signal });
  const size = await stat(output).then((found) => found.size, () => undefined);
  if (size !== undefined && size <= MAX_SEF) return await readFile(output, "utf8");
  const why = size === undefined ? said : `compiled it has ${size} bytes; ${MAX_SEF} are allowed`;
  throw await compileFailure(closure, { said: why, folder: join(folder, "in"), base });
}

interface Run {
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/**
 * Runs the compiler and returns its standard error output. Its result is in the folder, the only one it may read
 * or write. Throws if the process was killed from outside: the stylesheet is not at fault and is not refused
 * later.
 */
async function run({ folder, args, environment, signal }: Run): Promise<string> {
  signal.throwIfAborted();
  const { child, channel, processorMs } = launch({
    entry: COMPILER,
    args,
    memory: MEMORY,
    read: [folder],
    write: [folder],
    environment,
    cwd: folder,
  });
  const kill = () => child.kill("SIGKILL");
  let isLate = false;
  const stop = onceWorked(processorMs, DEADLINE, () => {
    isLate = true;
    kill();
  });
  signal.addEventListener("abort", kill);
  let said = "";
  child.stdout?.resume();
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (said.length < MAX_SAID) said = (said + text).slice(0, MAX_SAID);
  });
  channel.resume();
  const death = await new Promise<ChildExit>((done, failed) =>
    child.once("close", (...end) => done({ ...describeExit(...end, said), said })).once(
      "error",
      failed,
    )
  );
  stop();
  signal.removeEventListener("abort", kill);
  signal.throwIfAborted();
  if (isLate) return `it took more than ${DEADLINE / 1000} s`;
  if (death.cause === "memory") return `it needed more than ${MEMORY} MB of memory`;
  if (death.cause === "killed") throw new ChildDied("stylesheets", death);
  return said;
}

async function keep(path: string, sef: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const fresh = `${path}.${crypto.randomUUID()}`;
  await writeFile(fresh, sef);
  await rename(fresh, path);
  await removeOldest(dirname(path), MAX_CACHE);
}

/** Removes the oldest files of a folder until the rest takes at most `maxBytes`. */
export async function removeOldest(folder: string, maxBytes: number): Promise<void> {
  const found = await Promise.all((await readdir(folder)).map(async (name) => {
    const path = join(folder, name);
    const file = await stat(path).catch(() => undefined); // another process removed it
    return { path, bytes: file?.size ?? 0, at: file?.mtimeMs ?? 0 };
  }));
  let bytes = 0;
  for (const file of found.sort((a, b) => b.at - a.at)) {
    bytes += file.bytes;
    if (bytes > maxBytes) await rm(file.path, { force: true });
  }
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
