import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

/** What the product keeps for itself inside the data folder; to users it does not exist. */
export const PRIVATE_FOLDER = ".passerelle";

/** Resolves links of the nearest existing ancestor, so that neither `..` nor a linked folder leads outside. */
export async function confine(root: string, given: string): Promise<ConfinedPath> {
  if (/[\0\\]/.test(given) || given.length > 4096) throw outside(given);
  const wanted = resolve(root, given.normalize("NFC"));
  if (!isAbsolute(given) && given.split("/").includes("..")) throw outside(given);
  const real = await realOf(wanted);
  if (!isWithin(root, real) || isPrivate(root, real)) throw outside(given);
  return real as ConfinedPath;
}

export function outside(given: string): AppError {
  return new AppError(
    "forbidden",
    `The path ${JSON.stringify(given.slice(0, 300))} is not inside the data folder`,
  );
}

async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if (parent === path || !isMissing(error)) throw outside(path);
    return join(await realOf(parent), basename(path));
  }
}

function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function isPrivate(root: string, path: string): boolean {
  return isWithin(join(root, PRIVATE_FOLDER), path);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
