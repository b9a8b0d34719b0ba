import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { returnQuota, takeQuota } from "./upload_store.ts";

/** Bytes reserved for the database, the queue and the runs, which user files never fill. */
const KEPT_FREE = 64 * 1024 * 1024;

/** Returns the number of free bytes. Throws AppError `unavailable` when no space is left. */
export async function roomFor({ storage }: Pick<Deps, "storage">): Promise<number> {
  const room = await storage.free() - KEPT_FREE;
  if (room > 0) return room;
  throw full();
}

function full(): AppError {
  return new AppError("unavailable", say`There is no room for further files`);
}

/** Addition of a user to the files. */
interface Addition {
  readonly bytes: number;
  readonly username: string;
  /** Refusal shown when the quota is used up. */
  readonly refusal: Sentence;
}

/**
 * Runs work that adds bytes, within the free space and the user's daily quota; failed work does not count. Throws
 * AppError `unavailable` and `too_large`.
 */
export async function whileCounted<T>(
  deps: Pick<Deps, "db" | "settings" | "storage">,
  { bytes, username, refusal }: Addition,
  work: () => Promise<T>,
): Promise<T> {
  if (bytes > await roomFor(deps)) throw full();
  const limit = deps.settings.uploads.dailyBytes;
  if (!await takeQuota(deps.db, username, { bytes, limit })) {
    throw new AppError("too_large", refusal);
  }
  try {
    return await work();
  } catch (error) {
    await returnQuota(deps.db, username, bytes);
    throw error;
  }
}
