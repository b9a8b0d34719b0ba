import { newSingleFlight } from "#src/kernel/concurrency/single_flight.ts";
import { statfsSync, type StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

/**
 * Minimum free space: PostgreSQL writes ahead in files of 16 MB, several of which may appear between two checks.
 */
export const MIN_FREE_MB = 64;
/**
 * Room at which changes are allowed again: one file more than the minimum, so that a single file does not toggle
 * it.
 */
const ENOUGH_ROOM_MB = MIN_FREE_MB + 16;
const LOOK_MS = 1_000;
const MB = 1024 * 1024;

/** Throws AppError `unavailable` where the disk of a database has less room than it needs; its folder may be still to be made. */
export function checkRoom(folder: string): void {
  const left = megabytes(statfsSync(dirname(folder)));
  if (left >= MIN_FREE_MB) return;
  throw new AppError(
    "unavailable",
    say`The disk of ${folder} has ${left} MB left, and the database needs ${MIN_FREE_MB}`,
  );
}

/** Returns the free space of the disk of a folder, in MB. */
async function roomMb(folder: string): Promise<number> {
  return megabytes(await statfs(folder));
}

function megabytes({ bavail, bsize }: StatsFs): number {
  return Math.floor(bavail * bsize / MB);
}

interface Room {
  /** Stops all changes of the database until the returned function is called. */
  readonly freeze: () => Promise<() => Promise<void>>;
  readonly tell: (state: "low" | "back", leftMb: number) => void;
}

/** Watches the disk space, since the database does not survive a full disk. Returns a function that stops it. */
export function watchRoom(folder: string, { freeze, tell }: Room): () => Promise<void> {
  let thaw: (() => Promise<void>) | undefined;
  const look = async () => {
    const left = await roomMb(folder);
    if (!thaw && left < MIN_FREE_MB) {
      thaw = await freeze();
      tell("low", left);
    } else if (thaw && left >= ENOUGH_ROOM_MB) {
      await thaw();
      thaw = undefined;
      tell("back", left);
    }
  };
  const share = newSingleFlight<void>();
  const timer = setInterval(() => void share(look).catch(() => {}), LOOK_MS);
  timer.unref?.();
  return async () => {
    clearInterval(timer);
    await share(async () => {}).catch(() => {}); // the running one ends first
  };
}
