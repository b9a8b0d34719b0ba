import { and, count, desc, eq, gt, sql } from "drizzle-orm";
import { aiConversations, aiShares } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

const SUMMARY = {
  id: aiConversations.id,
  title: aiConversations.title,
  app: aiConversations.app,
  model: aiConversations.model,
  message_count: aiConversations.messageCount,
  createdAt: aiConversations.createdAt,
  updatedAt: aiConversations.updatedAt,
  isBusy: sql<boolean>`coalesce(${aiConversations.turnUntil} > now(), false)`,
  sharedAt: aiShares.createdAt,
  sharedUntil: aiShares.expiresAt,
  withResults: aiShares.includeResults,
};

/** Lists the conversations of a user, latest change first. */
export async function listConversations(
  db: Db,
  owner: string,
  { limit, offset }: { limit: number; offset: number },
) {
  const own = eq(aiConversations.owner, owner);
  const rows = await summaries(db).where(own)
    .orderBy(desc(aiConversations.updatedAt), desc(aiConversations.id)).limit(limit).offset(offset);
  const [counted] = await db.select({ total: count() }).from(aiConversations).where(own);
  return { items: rows.map(summaryView), total: counted?.total ?? 0, limit, offset };
}

/** Returns undefined when the owner has no conversation with this id. */
export async function showSummary(db: Db, { id, owner }: { id: string; owner: string }) {
  const [row] = await summaries(db)
    .where(and(eq(aiConversations.id, id), eq(aiConversations.owner, owner)));
  return row && summaryView(row);
}

function summaries(db: Db) {
  return db.select(SUMMARY).from(aiConversations).leftJoin(
    aiShares,
    and(
      eq(aiShares.conversationId, aiConversations.id),
      gt(aiShares.expiresAt, sql`now()`),
    ),
  ).$dynamic();
}

type Row = Awaited<ReturnType<typeof summaries>>[number];

function summaryView(
  { createdAt, updatedAt, isBusy, sharedAt, sharedUntil, withResults, ...row }: Row,
) {
  return {
    ...row,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    turn_under_way: isBusy,
    share: sharedAt && sharedUntil && {
      created_at: sharedAt.toISOString(),
      expires_at: sharedUntil.toISOString(),
      include_results: withResults ?? false,
    },
  };
}
