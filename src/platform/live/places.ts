import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Access, Actor } from "#src/ports/access.ts";

/** Limit of live streams, sockets and followed logs per user and process. */
export const MAX_OPEN = 100;
const AGAIN_S = 30;

/** Connections by user, for each sign-in service of the process. */
const open = new WeakMap<Access, Map<string, number>>();

/** Throws AppError `throttled` when a user has too many connections. Without sign-in, users cannot be distinguished. */
export function checkConnectionLimit(access: Access, { username }: Pick<Actor, "username">): void {
  if (access.isOpen || (open.get(access)?.get(username) ?? 0) < MAX_OPEN) return;
  throw new AppError(
    "throttled",
    say`You have ${MAX_OPEN} live streams, sockets and followed logs open here: close some`,
    { retryAfter: AGAIN_S },
  );
}

/** Counts an opened connection until the returned function is called. Throws like `checkConnectionLimit`. */
export function countConnection(access: Access, { username }: Pick<Actor, "username">): () => void {
  checkConnectionLimit(access, { username });
  const counts = open.get(access) ?? new Map<string, number>();
  open.set(access, counts);
  counts.set(username, (counts.get(username) ?? 0) + 1);
  return () => {
    const left = (counts.get(username) ?? 1) - 1;
    if (left) counts.set(username, left);
    else counts.delete(username);
  };
}
