import type { Deps } from "#src/deps.ts";
import { isAway } from "#src/ports/db.ts";
import { type AuditEntry, GENESIS, hashOf } from "./entry.ts";
import { appendRows, type Dated, rowsAfter } from "./store.ts";

/** Records what happened in the caller's transaction: no change without its record, no record of what was undone. */
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
 * Records what stands by itself, not in a transaction of others. There is one chain, and a commit a link, so entries that
 * come while some are being written are written together; each call resolves when its own is.
 */
export function auditTrail(
  deps: Pick<Deps, "clock" | "db">,
): (entry: AuditEntry) => Promise<void> {
  const waiting: (Dated & Pending)[] = [];
  let isWriting = false;
  const writeAll = async () => {
    isWriting = true;
    while (waiting.length) await writeTogether(deps, waiting.splice(0, TOGETHER));
    isWriting = false;
  };
  return async (entry) => {
    await new Promise<void>((resolve, reject) => {
      waiting.push({ entry, at: deps.clock.now(), resolve, reject });
      if (!isWriting) void writeAll();
    });
    entry.actor.audited?.(entry.event);
  };
}

/** Whoever waits for it to be written. */
interface Pending {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** One that cannot be written takes no other with it; a database that is away takes all, at once. */
async function writeTogether(
  { db }: Pick<Deps, "db">,
  entries: readonly (Dated & Pending)[],
): Promise<void> {
  try {
    await db.transaction((tx) => appendRows(tx, entries));
    for (const { resolve } of entries) resolve();
  } catch (error) {
    const isLast = entries.length === 1 || isAway(error);
    for (const entry of entries) {
      if (isLast) entry.reject(error);
      else await writeTogether({ db }, [entry]);
    }
  }
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
