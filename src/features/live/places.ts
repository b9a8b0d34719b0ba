import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Access, Actor } from "#src/ports/access.ts";

/** Live streams, sockets and followed logs that one user may have open at one process. */
export const MOST_OPEN = 100;
const AGAIN_S = 30;

/** By the process's sign-in, by user. */
const open = new WeakMap<Access, Map<string, number>>();

/** Throws AppError `throttled` where a user has as many open as they may. Without sign-in there are no users to tell apart. */
export function checkPlace(access: Access, { username }: Pick<Actor, "username">): void {
  if (access.isOpen || (open.get(access)?.get(username) ?? 0) < MOST_OPEN) return;
  throw new AppError(
    "throttled",
    say`You have ${MOST_OPEN} live streams, sockets and followed logs open here: close some`,
    { retryAfter: AGAIN_S },
  );
}

/** Counts one that is opened, until what this answers is called. Throws as `checkPlace` does. */
export function takePlace(access: Access, { username }: Pick<Actor, "username">): () => void {
  checkPlace(access, { username });
  const counts = open.get(access) ?? new Map<string, number>();
  open.set(access, counts);
  counts.set(username, (counts.get(username) ?? 0) + 1);
  return () => {
    const left = (counts.get(username) ?? 1) - 1;
    if (left) counts.set(username, left);
    else counts.delete(username);
  };
}
