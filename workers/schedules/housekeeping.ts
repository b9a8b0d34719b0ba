import type { Deps } from "#src/deps.ts";
import { pruneConversations } from "#src/framework/assistant/mod.ts";
import { pruneDownloads } from "#src/gateway/extraction/mod.ts";
import { pruneDeliveries } from "#src/gateway/notifications/mod.ts";
import { pruneQuotas } from "#src/platform/files/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { toMessage } from "#src/kernel/errors.ts";

const INTERVAL_MS = 6 * 3_600_000;

type HousekeepingDeps = Pick<Deps, "db" | "log" | "settings" | "storage">;

/**
 * Deletes records that are older than they are kept for (`KEEP_DAYS`, `AI_KEEP_DAYS`) every six hours; several processes may do so
 * at once.
 */
export async function scheduleHousekeeping(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await pruneOldRecords(deps).catch((error) =>
      deps.log.warn("housekeeping.failed", { error: toMessage(error) })
    );
    await delay(INTERVAL_MS, signal);
  }
}

export async function pruneOldRecords(
  { db, log, settings: { assistant, keepDays }, storage }: HousekeepingDeps,
): Promise<void> {
  await storage.forget().catch((error) =>
    log.warn("housekeeping.files.failed", { error: toMessage(error) })
  );
  await pruneQuotas(db);
  const conversations = assistant.keepDays ? await pruneConversations(db, assistant.keepDays) : 0;
  const deliveries = keepDays ? await pruneDeliveries(db, keepDays) : 0;
  const downloads = keepDays ? await pruneDownloads(db, keepDays) : 0;
  if (conversations || deliveries || downloads) {
    log.info("housekeeping.done", { conversations, deliveries, downloads });
  }
}
