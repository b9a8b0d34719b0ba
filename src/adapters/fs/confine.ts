import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isPortable } from "#src/kernel/portable_name.ts";
import { PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

const MAX_PATH = 4096;
const MAX_NAME = 255; // bytes, of every common file system

/**
 * Resolves links, so that neither `..` nor a linked folder leads outside. A path that is outside, private or
 * invalid always gets the same answer, whether it exists or not.
 */
export async function confine(root: string, given: string): Promise<ConfinedPath> {
  checkSpelling(given);
  const real = await findRealPath(resolve(root, given));
  if (real === undefined || !isWithin(root, real) || isWithin(join(root, PRIVATE_FOLDER), real)) {
    throw outside(given);
  }
  return real as ConfinedPath;
}

/** Returns the refusal of a path outside the data folder, the same whether it exists or not. */
export function outside(given: string): AppError {
  return new AppError(
    "forbidden",
    say`The path ${JSON.stringify(given.slice(0, 300))} is not inside the data folder`,
  );
}

/** Checks whether an absolute path is the folder or inside it; compares text and follows no link. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Throws AppError `refused` for a text that can be no path: a control character, a backslash, or a name longer than
 * file systems allow; `forbidden` for a relative path with `..`.
 */
export function checkSpelling(given: string): void {
  const shown = JSON.stringify(given.slice(0, 300));
  if (given.length > MAX_PATH) {
    throw new AppError(
      "refused",
      say`The path ${shown} has ${given.length} characters; ${MAX_PATH} are allowed`,
    );
  }
  // deno-lint-ignore no-control-regex -- these are the characters no path of ours may have
  if (/[\u0000-\u001f\u007f\\]/.test(given) || !given.isWellFormed()) {
    throw new AppError(
      "refused",
      say`The path ${shown} has a backslash or a control character: separate folders by /`,
    );
  }
  const names = given.split("/");
  if (!isAbsolute(given) && names.includes("..")) throw outside(given);
  const longest = Math.max(...names.map((name) => new TextEncoder().encode(name).length));
  if (longest > MAX_NAME) {
    throw new AppError(
      "refused",
      say`The path ${shown} has a name of ${longest} bytes; ${MAX_NAME} are allowed`,
    );
  }
}

/** Characters that other systems or readers take for others: invisible ones, escapes, look-alikes of slashes and dots. */
const AMBIGUOUS = /[\p{C}:*?"<>|⁄∕⧸／＼﹨․‥．]|(?! )\p{Z}|%[0-9a-f]{2}|^ /iu;

/** Throws AppError `refused` for a folder that a user's path would create under an ambiguous name. */
export function checkNewFolder(name: string): void {
  if (isPortable(name) && !AMBIGUOUS.test(name)) return;
  throw new AppError(
    "refused",
    say`The folder ${
      JSON.stringify(name)
    } cannot be created: use letters, digits, spaces and ordinary signs, without a dot or a space at the end`,
  );
}

/** Number of attempts while other processes create the missing parts. */
const LOOKS = 10;

/** Resolves the links of a path. Its last parts may be missing or below a file, but none may be a broken link. */
async function findRealPath(path: string, looks = LOOKS): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !isMissing(error)) return undefined;
    const found = await lstat(path).catch(() => undefined);
    if (found && (found.isSymbolicLink() || !looks)) return undefined;
    if (found) return await findRealPath(path, looks - 1); // made a moment ago
    const real = await findRealPath(parent);
    return real === undefined ? undefined : join(real, basename(path));
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error &&
    (error.code === "ENOENT" || error.code === "ENOTDIR");
}
