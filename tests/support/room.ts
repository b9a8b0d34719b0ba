import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const TESTS = join(import.meta.dirname ?? ".", "..");

/**
 * Runs the test files of some folders of `tests/`, including subfolders, in sequence as one module. The product is
 * loaded once and stays warm. Each file also runs separately.
 */
export async function openRoom(...folders: readonly string[]): Promise<void> {
  for (const file of testsIn(folders)) await import(pathToFileURL(join(TESTS, file)).href);
}

/** Returns paths below `tests/` in the same order on every machine. */
export function testsIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => globSync(`${folder}/**/*_test.ts`, { cwd: TESTS }).toSorted());
}
