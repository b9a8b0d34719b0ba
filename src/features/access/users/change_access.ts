import type { Deps } from "#src/deps.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import { lockAccess } from "./user_store.ts";

/**
 * Changes of users, roles and sessions run one after the other, so that two that are harmless alone do no harm
 * together, and every process hears of each.
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

/** Every process asks the database again what these users may do, or without names what everybody may. */
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

/** Whether an announced change concerns a user. */
export function concerns({ topic, data }: LiveEvent, username: string): boolean {
  if (topic !== ACCESS_TOPIC) return false;
  const { usernames } = data as { usernames?: readonly string[] };
  return usernames === undefined || usernames.includes(username);
}
