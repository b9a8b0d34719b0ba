import type { Deps } from "#src/deps.ts";
import { type AuditEntry, GENESIS, hashOf } from "./entry.ts";
import { appendRow, rowsAfter } from "./store.ts";

/** Records what happened in the caller's transaction: no change without its record, no record of what was undone. */
export async function recordAudit(
  deps: Pick<Deps, "clock" | "db">,
  entry: AuditEntry,
): Promise<void> {
  await deps.db.transaction((tx) => appendRow(tx, entry, deps.clock.now()));
  entry.actor.audited?.(entry.event);
}

const BATCH = 1_000;

/** Follows the chain from its beginning; resolves to the first row that was changed, removed or put in, if any. */
export async function verifyAudit(
  deps: Pick<Deps, "db">,
): Promise<{ rows: number; brokenAt: number | undefined }> {
  let last = { seq: 0, hash: GENESIS };
  for (;;) {
    const rows = await rowsAfter(deps.db, last.seq, BATCH);
    for (const row of rows) {
      const follows = row.seq === last.seq + 1 && row.previousHash === last.hash &&
        row.hash === hashOf(row);
      if (!follows) return { rows: last.seq, brokenAt: last.seq + 1 };
      last = row;
    }
    if (rows.length < BATCH) return { rows: last.seq, brokenAt: undefined };
  }
}
