import { inArray, sql } from "drizzle-orm";
import { connectionStates } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

/** Last result of a connection. */
export type ConnectionState = typeof connectionStates.$inferSelect;

/** Lists the last results of all connections. */
export async function listConnectionStates(db: Db): Promise<readonly ConnectionState[]> {
  return await db.select().from(connectionStates);
}

export async function deleteConnectionStates(tx: Db, kinds: readonly string[]): Promise<void> {
  if (kinds.length === 0) return;
  await tx.delete(connectionStates).where(inArray(connectionStates.kind, [...kinds]));
}

/** Writes a result; the first failure after a success stays the start of the outage. */
export async function writeConnectionState(
  db: Db,
  { kind, name, reason, reasonFr }: {
    readonly kind: string;
    readonly name: string;
    /** Undefined for a success. */
    readonly reason: string | undefined;
    readonly reasonFr: string | undefined;
  },
): Promise<void> {
  const isWorking = reason === undefined;
  const now = sql`now()`;
  const row = {
    isWorking,
    checkedAt: now,
    reason: reason ?? null,
    reasonFr: reasonFr ?? null,
    ...isWorking ? { succeededAt: now, failingSince: null } : {},
  };
  const failingSince = isWorking ? null : now;
  await db.insert(connectionStates).values({ kind, name, ...row, failingSince })
    .onConflictDoUpdate({
      target: [connectionStates.kind, connectionStates.name],
      set: {
        ...row,
        ...!isWorking && { failingSince: sql`coalesce(${connectionStates.failingSince}, now())` },
      },
    });
}
