import { Unzip, type UnzipFile, UnzipInflate, unzipSync } from "fflate";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

interface UnzipLimits {
  /** Maximum number of wanted entries. */
  readonly files: number;
  /** Maximum size of their content together. */
  readonly bytes: number;
  /** Selects the entries to inflate; default all. */
  readonly wanted?: (name: string) => boolean;
}

/** Maximum number of entries of any kind. */
const MAX_ENTRIES = 20_000;
/** Compressed bytes that are inflated between two checks of the output: 4 MB at deflate's maximum of 1032:1. */
const STEP = 4096;

/**
 * Returns the wanted entries of a zip, in its order. Declared sizes are not trusted: the output is counted as it
 * grows, and the entries must be those of the directory, each name once: of two, programs choose differently. Throws
 * `refused` for an invalid zip, `too_large` beyond the limits.
 */
export function unzipWithin(zip: Uint8Array, limits: UnzipLimits): [string, Uint8Array][] {
  const { files, bytes, wanted = () => true } = limits;
  const tooLarge = () =>
    new AppError("too_large", say`A zip may hold ${files} files and ${bytes} bytes at most`);
  const budget = { left: bytes, open: 0, tooLarge };
  const found: string[] = [];
  const names = new Set<string>();
  const taken: { name: string; parts: Uint8Array[] }[] = [];
  const unzip = new Unzip((file) => {
    if (found.push(file.name) > MAX_ENTRIES) throw tooLarge();
    if (!wanted(file.name)) return;
    if (names.has(file.name)) {
      throw new AppError("refused", say`The zip holds ${file.name.slice(0, 200)} twice`);
    }
    names.add(file.name);
    const parts: Uint8Array[] = [];
    if (taken.push({ name: file.name, parts }) > files) throw tooLarge();
    inflate(file, { into: parts, budget });
  });
  unzip.register(UnzipInflate);
  const listed = wrapErrors(() => {
    const names = listNames(zip, tooLarge);
    for (let at = 0; at < zip.length; at += STEP) {
      unzip.push(zip.subarray(at, at + STEP), at + STEP >= zip.length);
    }
    return names;
  });
  if (budget.open > 0 || found.sort().join("\0") !== listed.sort().join("\0")) {
    throw new AppError("refused", say`This is not a readable zip: its directory lists other files`);
  }
  return taken.map(({ name, parts }) => [name, joinParts(parts)]);
}

interface Budget {
  left: number;
  /** Entries that have begun but not ended. */
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

/** Returns the names in the zip's directory without inflating anything. */
function listNames(zip: Uint8Array, tooLarge: () => AppError): string[] {
  const names: string[] = [];
  unzipSync(zip, {
    filter: ({ name }) => {
      if (names.push(name) > MAX_ENTRIES) throw tooLarge();
      return false;
    },
  });
  return names;
}

function joinParts(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function wrapErrors<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("refused", say`This is not a readable zip: ${toMessage(error)}`);
  }
}
