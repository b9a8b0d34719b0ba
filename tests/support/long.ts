import process from "node:process";

/**
 * Selects the tenth of the long tests and examples that this run executes; `all` in `deno task test:long`. Without the
 * variable the date selects it, so that ten days in a row run everything.
 */
const LONG_SEED = process.env["LONG_SEED"] ?? String(Math.floor(Date.now() / 86_400_000));
const SHARES = 10;

if (process.env["LONG_SEED"] === undefined) {
  // The test files of a run share one process: they agree on the seed, and one of them prints it.
  process.env["LONG_SEED"] = LONG_SEED;
  process.stderr.write(`A tenth of the long tests runs: LONG_SEED=${LONG_SEED} repeats it\n`);
}

/** Registers a test that takes long and rarely fails. A run skips it unless the seed selects it. */
export function longTest(test: Deno.TestDefinition): void;
export function longTest(name: string, fn: Deno.TestDefinition["fn"]): void;
export function longTest(given: Deno.TestDefinition | string, fn?: Deno.TestDefinition["fn"]) {
  const test = typeof given === "string" ? { name: given, fn: fn ?? (() => {}) } : given;
  const isLeftOut = !isDrawn(test.name, LONG_SEED);
  Deno.test({ ...test, ignore: test.ignore === true || isLeftOut });
}

/** Returns the examples of a long list that this run executes: at least one, and all in `deno task test:long`. */
export function selectTenth<T>(list: readonly T[], seed: string = LONG_SEED): T[] {
  const shares = Math.min(SHARES, list.length);
  return list.filter((_, at) => seed === "all" || at % shares === computeShare(seed, shares));
}

/** Returns true if the seed selects this name: ten seeds in a row select every name once. */
export function isDrawn(name: string, seed: string): boolean {
  return seed === "all" || hashOf(name) % SHARES === computeShare(seed, SHARES);
}

function computeShare(seed: string, shares: number): number {
  const number = seed === "" ? NaN : Number(seed);
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Error(
      `Invalid seed \`${seed}\` in LONG_SEED: use a whole number of 0 or more, or all`,
    );
  }
  return number % shares;
}

/** Hashes by FNV-1a, to 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
