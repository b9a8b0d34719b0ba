import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

const MAX_PATH = 4096;
const MAX_NAME = 255; // bytes, of every common file system

/**
 * Resolves links, so that neither `..` nor a linked folder leads outside. What lies outside, is private or cannot be a
 * path at all gets one and the same answer, whether it exists or not.
 */
export async function confine(root: string, given: string): Promise<ConfinedPath> {
  if (!isPlain(given)) throw outside(given);
  const real = await realOf(resolve(root, given));
  if (real === undefined || !isWithin(root, real) || isWithin(join(root, PRIVATE_FOLDER), real)) {
    throw outside(given);
  }
  return real as ConfinedPath;
}

/** The refusal of a path outside the data folder, the same whether or not something is there. */
export function outside(given: string): AppError {
  return new AppError(
    "forbidden",
    say`The path ${JSON.stringify(given.slice(0, 300))} is not inside the data folder`,
  );
}

/** Whether an absolute path is the folder or lies below it; compares text and follows no link. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Whether it can be a path at all: no control character, no way up, no name longer than file systems have. */
export function isPlain(given: string): boolean {
  // deno-lint-ignore no-control-regex -- these are the characters no path of ours may have
  if (given.length > MAX_PATH || /[\u0000-\u001f\u007f\\]/.test(given) || !given.isWellFormed()) {
    return false;
  }
  const names = given.split("/");
  if (!isAbsolute(given) && names.includes("..")) return false;
  return names.every((name) => new TextEncoder().encode(name).length <= MAX_NAME);
}

/** How often somebody may make what was missing while it is looked at. */
const LOOKS = 10;

/**
 * The path without links; its last parts may be missing, or stand below a file, but none may be a link that leads
 * nowhere.
 */
async function realOf(path: string, looks = LOOKS): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !isMissing(error)) return undefined;
    const found = await lstat(path).catch(() => undefined);
    if (found && (found.isSymbolicLink() || !looks)) return undefined;
    if (found) return await realOf(path, looks - 1); // made a moment ago
    const real = await realOf(parent);
    return real === undefined ? undefined : join(real, basename(path));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR");
}
