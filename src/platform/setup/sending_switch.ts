import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { readSendingOff, writeSendingOff } from "./store.ts";

/** Returns whether sending is off, by `SENDING=off` or by a restore or an operator. */
export async function isSendingOff(
  { db, settings }: Pick<Deps, "db"> & { settings: { submission: { sending: boolean } } },
): Promise<boolean> {
  return !settings.submission.sending || await readSendingOff(db) !== null;
}

/** Switches sending off or on for all processes; waiting submissions are sent within two minutes. */
export async function switchSending(
  deps: Pick<Deps, "clock" | "db">,
  { isOff, by }: { isOff: boolean; by: Actor },
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    await writeSendingOff(tx, isOff);
    const after = { sending: isOff ? "off" : "on" };
    const entry = { actor: by, event: "sending.switched", target: "PA", after } as const;
    await recordAudit({ ...deps, db: tx }, entry);
  });
}
