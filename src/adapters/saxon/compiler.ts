import { mkdir, mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import {
  causeOf,
  launch,
  mayLaunch,
  noProcessHere,
  onceWorked,
} from "#src/adapters/children/mod.ts";
import { ChildDied, type Death } from "#src/ports/children.ts";
import { type Closure, isFresh, readClosure } from "./closure.ts";
import { compileFailure } from "./compile_messages.ts";
import type { Modules } from "./modules.ts";
import { sourcesOf } from "./sources.ts";

const COMPILER = new URL("./compile_child.js", import.meta.url);
const MEMORY = 512;
const DEADLINE = 60_000;
/** How long a stylesheet is believed unchanged without looking, in ms. */
const TRUST = 250;
const MAX_COMPILED = 64;
/** Characters of all stylesheets as they were read last, twice what one may have. */
const MAX_KNOWN = 64 * 1024 * 1024;
/** Bytes of a compiled stylesheet; the bundled one has 0.5 MB. */
const MAX_SEF = 32 * 1024 * 1024;
const MAX_SAID = 20_000;

interface CompilerOptions {
  readonly modules: Modules;
  /** Where compiled stylesheets are kept between starts. */
  readonly cacheDir: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** A stylesheet ready to run; `hash` names its contents. */
export interface Compiled {
  readonly hash: string;
  /** SaxonJS' export format, JSON; what it may hold is not looked at here but where it runs (`vet.js`). */
  readonly sef: string;
  readonly closure: Closure;
  /** Business term → source element, as the stylesheet declares. */
  readonly sources: ReadonlyMap<string, string>;
}

interface Compiler {
  compiled(stylesheet: string): Promise<Compiled>;
  /** The same, but looks at the files in any case, and can be given up. */
  recheck(stylesheet: string, signal?: AbortSignal): Promise<Compiled>;
  close(): void;
}

/** Compiles each content once, in a process of its own; an edited stylesheet is another content. */
export function createCompiler(options: CompilerOptions): Compiler {
  const known = new Map<string, { closure: Closure; looked: number }>();
  const looks = new Map<string, Promise<Closure>>();
  const results = new Map<string, Promise<string>>();
  const givenUp = new WeakSet<Promise<string>>();
  const closing = new AbortController();

  /** Those who ask at the same time look once. */
  async function closureOf(stylesheet: string, trust: number): Promise<Closure> {
    const last = known.get(stylesheet);
    if (last && performance.now() - last.looked < trust) return last.closure;
    const underWay = looks.get(stylesheet);
    if (underWay && trust > 0) return await underWay;
    const look = lookAt(stylesheet, last?.closure);
    looks.set(stylesheet, look);
    try {
      return await look;
    } finally {
      if (looks.get(stylesheet) === look) looks.delete(stylesheet);
    }
  }

  async function lookAt(stylesheet: string, last: Closure | undefined): Promise<Closure> {
    const fresh = last !== undefined && await isFresh(last, options.modules);
    const closure = fresh ? last : await readClosure(stylesheet, options.modules);
    known.delete(stylesheet);
    known.set(stylesheet, { closure, looked: performance.now() });
    forgetOldest(known);
    return closure;
  }

  async function get(stylesheet: string, trust: number, signal?: AbortSignal): Promise<Compiled> {
    const closure = await unlessGivenUp(closureOf(stylesheet, trust), signal);
    return {
      hash: closure.hash,
      sef: await sefOf(closure, signal),
      closure,
      sources: await sourcesOf(closure),
    };
  }

  /** Who gives up ends the work, if he began it; who waited for that begins it anew; what fails otherwise fails for all who waited. */
  async function sefOf(closure: Closure, signal?: AbortSignal): Promise<string> {
    const { hash } = closure;
    for (let known = results.get(hash); known; known = results.get(hash)) {
      try {
        return await unlessGivenUp(known, signal);
      } catch (error) {
        const isKept = results.get(hash) === known;
        if (signal?.aborted || isKept || !givenUp.has(known)) throw error;
      }
    }
    const end = signal ? AbortSignal.any([closing.signal, signal]) : closing.signal;
    const result = compile(closure, options, end);
    result.catch(() => signal?.aborted && givenUp.add(result));
    remember(results, hash, result);
    return await result;
  }

  return {
    compiled: (stylesheet) => get(stylesheet, TRUST),
    recheck: (stylesheet, signal) => get(stylesheet, 0, signal),
    close: () => closing.abort(),
  };
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

/** Those looked at last are kept, as many as there is memory for: any other is read again. */
function forgetOldest(known: Map<string, { readonly closure: Closure }>): void {
  const lengthOf = ({ files }: Closure) =>
    [...files.values()].reduce((sum, { text }) => sum + text.length, 0);
  let length = [...known.values()].reduce((sum, { closure }) => sum + lengthOf(closure), 0);
  for (const [stylesheet, { closure }] of known) {
    if (known.size <= MAX_COMPILED && length <= MAX_KNOWN) return;
    known.delete(stylesheet);
    length -= lengthOf(closure);
  }
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
 * What the compiler wrote to standard error. It leaves its result in the folder, the only place it may read or write. Throws where
 * somebody else ended it, which is no fault of the stylesheet and no reason to refuse it from now on.
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
  const death = await new Promise<Death>((done, failed) =>
    child.once("close", (...end) => done({ ...causeOf(...end, said), said })).once("error", failed)
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
