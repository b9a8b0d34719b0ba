import type { Deps } from "#src/deps.ts";
import { forgetConversations } from "#src/features/assistant/mod.ts";
import { forgetDownloads } from "#src/features/extraction/mod.ts";
import { forgetDeliveries } from "#src/features/notifications/mod.ts";
import { mergeCounts } from "#src/features/invoices/mod.ts";
import { forgetQuotas } from "#src/features/files/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

const HOUR_MS = 3_600_000;
/** Hours between two looks for what is too old. */
const FORGET_EVERY = 6;

type Needs = Pick<Deps, "db" | "log" | "settings" | "storage">;

/**
 * Adds up the counts of connections every hour, and every six hours deletes records that are older than they are kept for (`KEEP_DAYS`,
 * `AI_KEEP_DAYS`); several processes may do so at once.
 */
export async function scheduleHousekeeping(deps: Deps, signal: AbortSignal): Promise<void> {
  for (let hour = 0; !signal.aborted; hour++) {
    const work = hour % FORGET_EVERY === 0 ? forgetOldRecords(deps) : mergeCounts(deps.db);
    await work.catch((error) => deps.log.warn("housekeeping.failed", { error: messageOf(error) }));
    await delay(HOUR_MS, signal);
  }
}

export async function forgetOldRecords(
  { db, log, settings: { assistant, keepDays }, storage }: Needs,
): Promise<void> {
  await storage.forget().catch((error) =>
    log.warn("housekeeping.files.failed", { error: messageOf(error) })
  );
  await forgetQuotas(db);
  await mergeCounts(db);
  const conversations = assistant.keepDays ? await forgetConversations(db, assistant.keepDays) : 0;
  const deliveries = keepDays ? await forgetDeliveries(db, keepDays) : 0;
  const downloads = keepDays ? await forgetDownloads(db, keepDays) : 0;
  if (conversations || deliveries || downloads) {
    log.info("housekeeping.done", { conversations, deliveries, downloads });
  }
}
