import type { Deps } from "#src/deps.ts";
import { endLocks } from "./locks/mod.ts";
import { mayHideRecords } from "./seen_records.ts";

/** Removes expired locks and notifies the clients concerned. */
export async function endLocksNow(
  { configuration, ...deps }: Pick<Deps, "configuration" | "db" | "live">,
): Promise<void> {
  await endLocks({ ...deps, hides: (it) => mayHideRecords(configuration.current(), it) });
}
