import type { BigIntStats } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname } from "node:path";
import { delay } from "#src/kernel/delay.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isWithin, outside } from "./confine.ts";

/** Longer than the grain of a file system's clock, so that two changes cannot hide behind one time stamp. */
const GRAIN_MS = 20;
const TRIES = 40;

/**
 * Runs an action on a path and checks that no folder above it was exchanged for a link. Neither runtime can open
 * a path relative to an open folder, so folders are compared before and after. They must be the same, and folders
 * that contain the next ones must be unmodified. Otherwise `undo` reverts the action.
 */
export async function withSteadyFolders<T>(
  root: string,
  path: string,
  { act, undo }: { act: () => Promise<T>; undo?: (done: T) => Promise<void> },
): Promise<T> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await foldersTo(root, dirname(path));
    if (isQuiet(before)) {
      const done = await act();
      const after = await foldersTo(root, dirname(path)).catch(async (error) => {
        await undo?.(done);
        throw error;
      });
      if (before.identities.join() === after.identities.join()) return done;
      await undo?.(done);
    }
    await delay(GRAIN_MS + 5);
  }
  throw new AppError("conflict", say`A folder above ${path} is being changed all the time`);
}

interface Folders {
  /** Identity of each folder from the root down. */
  readonly identities: readonly string[];
  /** When the newest of the folders but the last was changed, in milliseconds. */
  readonly changedMs: number;
  readonly seenMs: number;
}

async function foldersTo(root: string, folder: string): Promise<Folders> {
  const paths: string[] = [];
  for (let at = folder; isWithin(root, at); at = dirname(at)) {
    paths.unshift(at);
    if (at === root) break;
  }
  const stats = await Promise.all(paths.map((it) => lstat(it, { bigint: true })));
  if (stats.some((it) => it.isSymbolicLink())) throw outside(folder);
  if (stats.some((it) => !it.isDirectory())) {
    throw new AppError("refused", say`${folder} is not a folder`);
  }
  const above = stats.slice(0, -1);
  return {
    identities: [
      ...stats.map((it) => `${it.dev}:${it.ino}`),
      ...above.map((it) => `${it.mtimeNs}:${it.ctimeNs}`),
    ],
    changedMs: Math.max(0, ...above.map(changedAt)),
    seenMs: Date.now(),
  };
}

/** Returns the change time, which cannot be set back, if it is exact; Deno reports it in whole seconds. */
function changedAt({ mtimeMs, ctimeMs, ctimeNs }: BigIntStats): number {
  return Number(ctimeNs % 1_000_000_000n === 0n || mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
}

/** Checks that the last change is old enough: a recent one could be one of several under the same time stamp. */
function isQuiet({ seenMs, changedMs }: Folders): boolean {
  const age = seenMs - changedMs;
  return age < 0 || age >= GRAIN_MS;
}
