import { statfsSync, type StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

/** PostgreSQL writes ahead in pieces of 16 MB; what comes between two looks needs some of them. */
export const LEAST_ROOM_MB = 64;
/** With so much it takes changes again, not at each file that comes and goes. */
const ENOUGH_ROOM_MB = 2 * LEAST_ROOM_MB;
const LOOK_MS = 1_000;
const MB = 1024 * 1024;

/** Throws AppError `unavailable` where the disk of a database has less room than it needs; its folder may be still to be made. */
export function checkRoom(folder: string): void {
  const left = megabytes(statfsSync(dirname(folder)));
  if (left >= LEAST_ROOM_MB) return;
  throw new AppError(
    "unavailable",
    say`The disk of ${folder} has ${left} MB left, and the database needs ${LEAST_ROOM_MB}`,
  );
}

/** Of the disk below a folder. */
async function roomMb(folder: string): Promise<number> {
  return megabytes(await statfs(folder));
}

function megabytes({ bavail, bsize }: StatsFs): number {
  return Math.floor(bavail * bsize / MB);
}

interface Room {
  /** Has the database take no changes, until what it answers with is called. */
  readonly freeze: () => Promise<() => Promise<void>>;
  readonly tell: (state: "low" | "back", leftMb: number) => void;
}

/** Looks after the room a database needs: it does not outlive a disk that takes no more. Resolves to the way to stop. */
export function watchRoom(folder: string, { freeze, tell }: Room): () => Promise<void> {
  let thaw: (() => Promise<void>) | undefined;
  const look = async () => {
    const left = await roomMb(folder);
    if (!thaw && left < LEAST_ROOM_MB) {
      thaw = await freeze();
      tell("low", left);
    } else if (thaw && left >= ENOUGH_ROOM_MB) {
      await thaw();
      thaw = undefined;
      tell("back", left);
    }
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().catch(() => {}).finally(() => looking = undefined);
  }, LOOK_MS);
  timer.unref?.();
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
