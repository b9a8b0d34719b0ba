import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const TESTS = join(import.meta.dirname ?? ".", "..");

/**
 * Runs the test files of some folders of `tests/` and of those inside them, one after another, as one module: the product is
 * loaded once and is warm after the first of them. A file of them runs by itself as well.
 */
export async function openRoom(...folders: readonly string[]): Promise<void> {
  for (const file of testsIn(folders)) await import(pathToFileURL(join(TESTS, file)).href);
}

/** Paths below `tests/`, in one order on every machine. */
export function testsIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => globSync(`${folder}/**/*_test.ts`, { cwd: TESTS }).toSorted());
}
