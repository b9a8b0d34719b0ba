import { asc, eq, lt, sql } from "drizzle-orm";
import { paWebhookCalls, paWebhooks } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export async function insertWebhook(db: Db, row: typeof paWebhooks.$inferInsert): Promise<void> {
  await db.insert(paWebhooks).values(row);
}

export async function listWebhooks(db: Db): Promise<(typeof paWebhooks.$inferSelect)[]> {
  return await db.select().from(paWebhooks).orderBy(asc(paWebhooks.createdAt));
}

export async function replaceSigningKey(
  db: Db,
  webhookId: string,
  signingKey: string,
): Promise<void> {
  await db.update(paWebhooks).set({ signingKey }).where(eq(paWebhooks.webhookId, webhookId));
}

export async function deleteWebhook(db: Db, webhookId: string): Promise<void> {
  await db.delete(paWebhooks).where(eq(paWebhooks.webhookId, webhookId));
}

/** False when the call was heard before. */
export async function rememberCall(
  tx: Db,
  { webhookId, signature, keptS }: { webhookId: string; signature: string; keptS: number },
): Promise<boolean> {
  await tx.delete(paWebhookCalls).where(
    lt(paWebhookCalls.receivedAt, sql`now() - ${keptS} * interval '1 second'`),
  );
  const rows = await tx.insert(paWebhookCalls).values({ signature }).onConflictDoNothing()
    .returning({ signature: paWebhookCalls.signature });
  await tx.update(paWebhooks).set({ lastCallAt: sql`now()` }).where(
    eq(paWebhooks.webhookId, webhookId),
  );
  return rows.length === 1;
}
