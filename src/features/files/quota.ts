import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { returnQuota, takeQuota } from "./upload_store.ts";

/** Never filled by what people add: the database, the queue and the runs need room as well. */
const KEPT_FREE = 64 * 1024 * 1024;

/** Bytes there is room for. Throws AppError `unavailable` where there is none. */
export async function roomFor({ storage }: Pick<Deps, "storage">): Promise<number> {
  const room = await storage.free() - KEPT_FREE;
  if (room > 0) return room;
  throw full();
}

function full(): AppError {
  return new AppError("unavailable", say`There is no room for further files`);
}

/** What a user adds to the files. */
interface Addition {
  readonly bytes: number;
  readonly username: string;
  /** Of one who has added as much as is allowed. */
  readonly refusal: Sentence;
}

/**
 * Does work that adds so many bytes, if there is room for them and the user may add as much today; work that fails counts for
 * nothing. Throws AppError `unavailable` and `too_large`.
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
