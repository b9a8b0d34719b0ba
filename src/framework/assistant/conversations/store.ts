import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import { aiConversations, aiMessages } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import {
  type ConversationMessage,
  type ConversationPart,
  type FinishReason,
  hasRunCall,
} from "./message.ts";

export type ConversationRow = typeof aiConversations.$inferSelect;

const TURNS = 728_144; // any number, the same in every process
/** Conversations that are forgotten in one statement. */
const AT_ONCE = 100;
/** Lease of a turn; it ends when not renewed for this time. */
const LEASE = sql`interval '15 seconds'`;

export async function insertConversation(
  db: Db,
  row: Pick<ConversationRow, "id" | "owner" | "title" | "app" | "model" | "turn">,
): Promise<void> {
  await db.insert(aiConversations).values({ ...row, turnUntil: sql`now() + ${LEASE}` });
}

/** Returns undefined when the owner has no conversation with this id. */
export async function lockConversation(
  db: Db,
  { id, owner }: { id: string; owner: string },
): Promise<ConversationRow & { readonly isBusy: boolean } | undefined> {
  const [row] = await db.select({
    row: aiConversations,
    isBusy: sql<boolean>`coalesce(${aiConversations.turnUntil} > now(), false)`,
  }).from(aiConversations).where(mine(id, owner)).for("update");
  return row && { ...row.row, isBusy: row.isBusy };
}

/**
 * Counts a user's running turns in all conversations. Other counts wait until the transaction ends, so that concurrent
 * turns cannot exceed the limit.
 */
export async function countRunningTurns(tx: Db, owner: string): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${TURNS}, hashtext(${owner}))`);
  return await tx.$count(
    aiConversations,
    and(eq(aiConversations.owner, owner), sql`${aiConversations.turnUntil} > now()`),
  );
}

/** Claims the conversation for the turn; the caller has locked the row. */
export async function claimConversation(
  db: Db,
  { id, turn, model }: { id: string; turn: string; model: string },
): Promise<void> {
  await db.update(aiConversations)
    .set({ turn, model, turnUntil: sql`now() + ${LEASE}`, updatedAt: sql`now()` })
    .where(eq(aiConversations.id, id));
}

/** Returns false when the turn no longer owns the conversation. */
export async function extendConversationLease(
  db: Db,
  { id, turn }: { id: string; turn: string },
): Promise<boolean> {
  const rows = await db.update(aiConversations).set({ turnUntil: sql`now() + ${LEASE}` })
    .where(ownedByTurn(id, turn)).returning({ id: aiConversations.id });
  return rows.length === 1;
}

export async function releaseConversation(
  db: Db,
  { id, turn }: { id: string; turn: string },
): Promise<void> {
  await db.update(aiConversations).set({ turn: null, turnUntil: null, updatedAt: sql`now()` })
    .where(ownedByTurn(id, turn));
}

/** Inserts or updates a message while the turn owns the conversation; returns false when it no longer does. */
export async function writeMessage(
  db: Db,
  { id, turn }: { id: string; turn: string },
  { seq, role, parts, usage, finish_reason, ...message }: ConversationMessage,
): Promise<boolean> {
  const hasRead = hasRunCall([{ parts }]);
  const written = await db.execute(sql`
    with held as (
      update ai_conversations set turn_until = now() + ${LEASE}, updated_at = now(),
        message_count = greatest(message_count, ${seq}::int), has_read = has_read or ${hasRead}::boolean
      where id = ${id} and turn = ${turn} returning id
    )
    insert into ai_messages (id, conversation_id, seq, role, parts, input_tokens, output_tokens, finish_reason, created_at)
    select ${message.id}::uuid, held.id, ${seq}::int, ${role}, ${JSON.stringify(parts)}::json,
      ${usage?.input_tokens ?? null}::int, ${usage?.output_tokens ?? null}::int, ${finish_reason},
      ${message.created_at}::timestamptz from held
    on conflict (id) do update set parts = excluded.parts, input_tokens = excluded.input_tokens,
      output_tokens = excluded.output_tokens, finish_reason = excluded.finish_reason
    returning 1 as one`);
  return getRows(written).length === 1;
}

/** The last messages, in their order. */
export async function lastMessages(
  db: Db,
  id: string,
  limit: number,
): Promise<ConversationMessage[]> {
  const rows = await db.select().from(aiMessages).where(eq(aiMessages.conversationId, id))
    .orderBy(desc(aiMessages.seq)).limit(limit);
  return rows.reverse().map(getMessage);
}

/** A page of the messages, from the first on. */
export async function readMessages(
  db: Db,
  id: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<ConversationMessage[]> {
  const rows = await db.select().from(aiMessages).where(eq(aiMessages.conversationId, id))
    .orderBy(asc(aiMessages.seq)).limit(limit).offset(offset);
  return rows.map(getMessage);
}

export async function setTitle(
  db: Db,
  { id, title }: { id: string; title: string },
): Promise<ConversationRow | undefined> {
  const [row] = await db.update(aiConversations).set({ title, updatedAt: sql`now()` })
    .where(eq(aiConversations.id, id)).returning();
  return row;
}

export async function deleteConversation(db: Db, id: string): Promise<void> {
  await db.delete(aiConversations).where(eq(aiConversations.id, id));
}

/**
 * Deletes conversations without messages for so many days, with their messages, results and links. Deletes few at a
 * time, so that locks are short. A running turn protects its conversation.
 */
export async function pruneConversations(db: Db, days: number): Promise<number> {
  for (let forgotten = 0;;) {
    const old = db.select({ id: aiConversations.id }).from(aiConversations).where(and(
      lt(aiConversations.updatedAt, sql`now() - ${days} * interval '1 day'`),
      sql`coalesce(${aiConversations.turnUntil} < now(), true)`,
    )).limit(AT_ONCE).for("update", { skipLocked: true });
    const gone = await db.delete(aiConversations).where(inArray(aiConversations.id, old))
      .returning({ id: aiConversations.id });
    forgotten += gone.length;
    if (gone.length < AT_ONCE) return forgotten;
  }
}

function mine(id: string, owner: string) {
  return and(eq(aiConversations.id, id), eq(aiConversations.owner, owner));
}

function ownedByTurn(id: string, turn: string) {
  return and(eq(aiConversations.id, id), eq(aiConversations.turn, turn));
}

function getMessage(row: typeof aiMessages.$inferSelect): ConversationMessage {
  const { id, seq, role, parts, inputTokens, outputTokens, finishReason, createdAt } = row;
  return {
    id,
    seq,
    role,
    parts: parts as readonly ConversationPart[],
    usage: inputTokens === null || outputTokens === null
      ? null
      : { input_tokens: inputTokens, output_tokens: outputTokens },
    finish_reason: finishReason as FinishReason | null,
    created_at: createdAt.toISOString(),
  };
}
