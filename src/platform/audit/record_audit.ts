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

/** Caller who waits for the entry to be written. */
interface Pending {
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Writes entries together. An invalid entry does not affect the others; an unavailable database fails all at once. */
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
        row.hash === hashEntry(row);
      if (!follows) return { rows: last.seq, brokenAt: last.seq + 1 };
      last = row;
    }
    if (rows.length < BATCH) return { rows: last.seq, brokenAt: undefined };
  }
}
