import { Unzip, type UnzipFile, UnzipInflate, unzipSync } from "fflate";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

interface UnzipLimits {
  /** Of entries that are wanted. */
  readonly files: number;
  /** Of what comes out of them together. */
  readonly bytes: number;
  /** Which entries to inflate; default all. */
  readonly wanted?: (name: string) => boolean;
}

/** Of any kind, wanted or not. */
const MOST_ENTRIES = 20_000;
/** Compressed bytes inflated between two looks at what came out: at 1032:1, the most deflate reaches, 4 MB. */
const STEP = 4096;

/**
 * The wanted entries of a zip, in its order. No size it tells is believed: what comes out is counted while it does, and the
 * entries in it must be those its directory lists. `refused` where it is no such zip, `too_large` beyond the limits.
 */
export function unzipWithin(zip: Uint8Array, limits: UnzipLimits): [string, Uint8Array][] {
  const { files, bytes, wanted = () => true } = limits;
  const tooLarge = () =>
    new AppError("too_large", say`A zip may hold ${files} files and ${bytes} bytes at most`);
  const budget = { left: bytes, open: 0, tooLarge };
  const found: string[] = [];
  const taken: { name: string; parts: Uint8Array[] }[] = [];
  const unzip = new Unzip((file) => {
    if (found.push(file.name) > MOST_ENTRIES) throw tooLarge();
    if (!wanted(file.name)) return;
    const parts: Uint8Array[] = [];
    if (taken.push({ name: file.name, parts }) > files) throw tooLarge();
    inflate(file, { into: parts, budget });
  });
  unzip.register(UnzipInflate);
  const listed = read(() => {
    const names = listOf(zip, tooLarge);
    for (let at = 0; at < zip.length; at += STEP) {
      unzip.push(zip.subarray(at, at + STEP), at + STEP >= zip.length);
    }
    return names;
  });
  if (budget.open > 0 || found.sort().join("\0") !== listed.sort().join("\0")) {
    throw new AppError("refused", say`This is not a readable zip: its directory lists other files`);
  }
  return taken.map(({ name, parts }) => [name, joined(parts)]);
}

interface Budget {
  left: number;
  /** Entries begun and not ended. */
  open: number;
  readonly tooLarge: () => AppError;
}

function inflate(file: UnzipFile, { into, budget }: { into: Uint8Array[]; budget: Budget }): void {
  budget.open++;
  file.ondata = (error, chunk, final) => {
    if (error) throw error;
    budget.left -= chunk.length;
    if (budget.left < 0) throw budget.tooLarge();
    into.push(chunk);
    if (final) budget.open--;
  };
  file.start();
}

/** The names in the zip's directory; nothing is inflated for them. */
function listOf(zip: Uint8Array, tooLarge: () => AppError): string[] {
  const names: string[] = [];
  unzipSync(zip, {
    filter: ({ name }) => {
      if (names.push(name) > MOST_ENTRIES) throw tooLarge();
      return false;
    },
  });
  return names;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function read<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("refused", say`This is not a readable zip: ${messageOf(error)}`);
  }
}
