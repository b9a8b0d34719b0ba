import type { Deps } from "#src/deps.ts";
import { lockAccess } from "./user_store.ts";

/**
 * Changes of users, roles and sessions run one after the other, so that two that are harmless alone do no harm
 * together, and every process hears of each.
 */
export function inTurn<T>(
  deps: Pick<Deps, "db" | "live">,
  work: (tx: Deps["db"]) => Promise<T>,
): Promise<T> {
  return deps.db.transaction(async (tx) => {
    await lockAccess(tx);
    const result = await work(tx);
    await announceChange(deps, tx);
    return result;
  });
}

export const ACCESS_TOPIC = "access";

/** Every process asks the database again what its callers may do. */
export function announceChange({ live }: Pick<Deps, "live">, tx: Deps["db"]): Promise<void> {
  return live.publish(tx, {
    topic: ACCESS_TOPIC,
    type: "access.changed",
    data: {},
    permission: "users:read",
  });
}
