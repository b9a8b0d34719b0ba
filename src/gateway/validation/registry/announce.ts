import type { Deps } from "#src/deps.ts";
import type { Db } from "#src/ports/db.ts";

/** Every process that keeps compiled rules reads the registry again. */
export function announceRules(
  { live }: Pick<Deps, "live">,
  tx: Db,
  { id, version }: { id: string; version?: string },
): Promise<void> {
  const data = version === undefined ? { id } : { id, version };
  return live.publish(tx, {
    topic: "rules",
    type: "rules.changed",
    data,
    permission: "rules:read",
  });
}
