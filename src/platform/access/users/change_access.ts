import type { Deps } from "#src/deps.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import { lockAccess } from "./user_store.ts";

/**
 * Runs changes of users, roles and sessions one after the other, so that harmless changes cannot combine to a harmful
 * one. Announces each to every process.
 */
export function changeAccess<T>(
  deps: Pick<Deps, "db" | "live">,
  work: (tx: Deps["db"]) => Promise<T>,
  usernames?: readonly string[],
): Promise<T> {
  return deps.db.transaction(async (tx) => {
    await lockAccess(tx);
    const result = await work(tx);
    await announceChange(deps, tx, usernames);
    return result;
  });
}

export const ACCESS_TOPIC = "access";

/** Makes every process read the rights of these users again, or of all users without names. */
export function announceChange(
  { live }: Pick<Deps, "live">,
  tx: Deps["db"],
  usernames?: readonly string[],
): Promise<void> {
  const data = usernames ? { usernames } : {};
  return live.publish(tx, {
    topic: ACCESS_TOPIC,
    type: "access.changed",
    data,
    permission: "users:read",
  });
}

/** Returns true when an announced change concerns a user. */
export function concerns(
  { topic, data }: Pick<LiveEvent, "topic" | "data">,
  username: string,
): boolean {
  if (topic !== ACCESS_TOPIC) return false;
  const { usernames } = data as { usernames?: readonly string[] };
  return usernames === undefined || usernames.includes(username);
}
