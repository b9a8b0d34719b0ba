import type { Deps } from "#src/deps.ts";
import { forgetDownloads } from "#src/features/extraction/mod.ts";
import { forgetDeliveries } from "#src/features/notifications/mod.ts";
import { mergeCounts } from "#src/features/invoices/mod.ts";
import { forgetQuotas } from "#src/features/files/mod.ts";
import { delay } from "#src/kernel/delay.ts";
import { messageOf } from "#src/kernel/errors.ts";

const EVERY_MS = 6 * 3_600_000;

type Needs = Pick<Deps, "db" | "log" | "settings">;

/** Lets go of old records, now and then; processes that do so at once share the work. */
export async function scheduleHousekeeping(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await keepHouse(deps).catch((error) =>
      deps.log.warn("housekeeping.failed", { error: messageOf(error) })
    );
    await delay(EVERY_MS, signal);
  }
}

export async function keepHouse({ db, log, settings: { keepDays } }: Needs): Promise<void> {
  await forgetQuotas(db);
  await mergeCounts(db);
  if (!keepDays) return;
  const deliveries = await forgetDeliveries(db, keepDays);
  const downloads = await forgetDownloads(db, keepDays);
  if (deliveries || downloads) log.info("housekeeping.done", { deliveries, downloads });
}
