import { newBatchWriter } from "#src/kernel/concurrency/batch_writer.ts";
import type { Deps } from "#src/deps.ts";
import { isAway } from "#src/ports/db.ts";
import { type AuditEntry, GENESIS, hashEntry } from "./entry.ts";
import { appendRows, type Dated, rowsAfter } from "./store.ts";

/** Records an event in the caller's transaction, so that changes and records are committed or rolled back together. */
export async function recordAudit(
  deps: Pick<Deps, "clock" | "db">,
  entry: AuditEntry,
): Promise<void> {
  await deps.db.transaction((tx) => appendRows(tx, [{ entry, at: deps.clock.now() }]));
  entry.actor.audited?.(entry.event);
}

/** Entries that are written together. */
const TOGETHER = 100;

/**
 * Records events outside other transactions. The chain allows one commit at a time, so entries arriving during a commit
 * are written together. Each call resolves when its entry is written.
 */
export function auditTrail(
  deps: Pick<Deps, "clock" | "db">,
): (entry: AuditEntry) => Promise<void> {
  const { write } = newBatchWriter<Dated>({
    size: TOGETHER,
    write: (entries) => deps.db.transaction((tx) => appendRows(tx, entries)),
    failsAll: isAway,
  });
  return async (entry) => {
    await write({ entry, at: deps.clock.now() });
    entry.actor.audited?.(entry.event);
  };
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
        row.hash === hashEntry(row);
      if (!follows) return { rows: last.seq, brokenAt: last.seq + 1 };
      last = row;
    }
    if (rows.length < BATCH) return { rows: last.seq, brokenAt: undefined };
  }
}
