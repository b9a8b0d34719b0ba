import { computeSha256 } from "#src/kernel/sha256.ts";
import { randomBytes } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, type ErrorCode, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { acquiredEvent, type HidesRecords, releasedEvent } from "./events.ts";
import {
  countLocks,
  endWriting,
  freeLock,
  giveLock,
  heldLock,
  insertLock,
  type LockRow,
  renewLock,
  sweepLocks,
} from "./store.ts";

type LockRecordDeps = Pick<Deps, "db" | "live"> & { readonly hides: HidesRecords };

/** A record of a screen; the values of its key are texts, equal where the records are. */
export interface LockedRecord {
  readonly app: string;
  readonly screen: string;
  readonly key: Readonly<Record<string, string>>;
}

type Holder = Pick<Actor, "username" | "session" | "profile">;

/** Limit of locks per user. */
const MAX = 1_000;

/**
 * Locks the record for `ttlMs` from now; the same session renews its lock. Throws AppError `locked` with the holder
 * when another user has it, unless `takeover` is set. Even a takeover fails while a write runs.
 */
export async function acquireLock(
  { clock, ...deps }: LockRecordDeps & Pick<Deps, "clock">,
  record: LockedRecord,
  { actor, ttlMs, takeover }: { actor: Actor; ttlMs: number; takeover: boolean },
): Promise<LockRow> {
  return await deps.db.transaction(async (tx) => {
    if (await countLocks(tx, actor.username) >= MAX) {
      throw new AppError("throttled", say`${actor.username} holds ${MAX} records already`);
    }
    const wanted = createLock(record, actor, { announced: true });
    const { row, before } = await take(tx, wanted, { ttlMs, takeover, refusal: "locked" });
    if (before?.announced && before.token !== row.token) {
      const reason = before.isOver ? "expired" : "stolen";
      await deps.live.publish(tx, releasedEvent(before, deps.hides, reason));
      if (reason === "stolen") {
        const target = `${record.app}/${record.screen} ${JSON.stringify(record.key)}`;
        const entry = {
          event: "lock.taken_over",
          target,
          before: { holder: before.username },
        } as const;
        await recordAudit({ clock, db: tx }, { ...entry, actor });
      }
    }
    const isNew = !before?.announced || before.token !== row.token;
    if (isNew) await deps.live.publish(tx, acquiredEvent(row, deps.hides));
    return row;
  });
}

/**
 * Runs work that changes the record while it is locked against other users and writes, for at most `ms`. Throws
 * AppError `conflict` when another user has the lock or writes.
 */
export async function whileHeld<T>(
  { db, log }: Pick<Deps, "db" | "log">,
  record: LockedRecord,
  { actor, ms, work }: { actor: Actor; ms: number; work: () => Promise<T> },
): Promise<T> {
  const wanted = createLock(record, actor, { announced: false });
  const row = await db.transaction(async (tx) =>
    (await take(tx, wanted, { ttlMs: 0, writingMs: ms, takeover: false, refusal: "conflict" })).row
  );
  try {
    return await work();
  } finally {
    // The lock expires by itself; the write stays committed.
    await endWriting(db, row).catch((error) =>
      log.warn("lock.end.failed", { error: toMessage(error) })
    );
  }
}

interface Taking {
  readonly ttlMs: number;
  readonly writingMs?: number;
  readonly takeover: boolean;
  /** Refusal for a caller who is too late. */
  readonly refusal: ErrorCode;
}

type Before = NonNullable<Awaited<ReturnType<typeof heldLock>>>;

async function take(
  tx: Db,
  wanted: ReturnType<typeof createLock>,
  taking: Taking,
): Promise<{ row: LockRow; before: Before | undefined }> {
  for (;;) {
    const row = await insertLock(tx, wanted, taking);
    if (row) return { row, before: undefined };
    const before = await heldLock(tx, wanted.hash);
    if (!before) continue; // freed between the two
    const isMine = before.username === wanted.username && before.session === wanted.session;
    const isWriting = taking.writingMs !== undefined;
    if (before.isOver || taking.takeover && !isMine && !before.isWritten) {
      return { row: await giveLock(tx, wanted, taking), before };
    }
    if (!isMine || isWriting && before.isWritten) throw createLockedError(before, taking.refusal);
    const announced = before.announced || wanted.announced;
    return { row: await renewLock(tx, wanted.hash, { ...taking, announced }), before };
  }
}

function createLockedError(
  { username, displayName, expiresAt, writingUntil }: LockRow,
  code: ErrorCode,
) {
  const end = writingUntil && writingUntil > expiresAt ? writingUntil : expiresAt;
  return new AppError(code, say`${displayName} is working on this record`, {
    details: {
      holder: { username, display_name: displayName },
      expires_at: end.toISOString(),
    },
  });
}

function createLock(
  { app, screen, key }: LockedRecord,
  { username, session, profile }: Holder,
  { announced }: { announced: boolean },
) {
  const ordered = Object.fromEntries(Object.entries(key).sort(([a], [b]) => a < b ? -1 : 1));
  const hash = computeSha256(JSON.stringify([app, screen, ordered]));
  return {
    hash,
    app,
    screen,
    key,
    token: randomBytes(16).toString("base64url"),
    username,
    displayName: profile?.displayName || username,
    session: session ?? null,
    announced,
  };
}

/**
 * Releases the lock by its token, or by the session that holds it. Returns false when the record is not locked; throws
 * AppError `conflict` when another user has the lock.
 */
export async function releaseLock(
  { db, live, hides }: LockRecordDeps,
  record: LockedRecord,
  { actor, token }: { actor: Actor; token?: string | undefined },
): Promise<boolean> {
  const { hash, session } = createLock(record, actor, { announced: true });
  return await db.transaction(async (tx) => {
    const held = await heldLock(tx, hash);
    if (!held?.announced || held.isOver) return false;
    const isMine = held.username === actor.username && held.session === session;
    if (!isMine && token !== held.token) throw createLockedError(held, "conflict");
    await freeLock(tx, held, held.isWritten);
    await live.publish(tx, releasedEvent(held, hides, "released"));
    return true;
  });
}

/** Removes expired locks and announces it. */
export async function endLocks({ db, live, hides }: LockRecordDeps): Promise<void> {
  await db.transaction(async (tx) => {
    const over = (await sweepLocks(tx)).filter((it) => it.announced);
    await live.publishAll(tx, over.map((it) => releasedEvent(it, hides, "expired")));
  });
}
