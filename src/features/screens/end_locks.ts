import type { Deps } from "#src/deps.ts";
import { endLocks } from "./locks/mod.ts";
import { mayHideRecords } from "./seen_records.ts";

/** Removes locks that nobody renewed, and says so to whom it concerns. */
export async function endLocksNow(
  { configuration, ...needs }: Pick<Deps, "configuration" | "db" | "live">,
): Promise<void> {
  await endLocks({ ...needs, hides: (it) => mayHideRecords(configuration.current(), it) });
}
