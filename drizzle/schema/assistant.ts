import * as p from "drizzle-orm/pg-core";

/** Tokens of language models per user and day (UTC), counted before they are spent. */
export const aiUsage = p.pgTable("ai_usage", {
  username: p.text().notNull(),
  day: p.date({ mode: "string" }).notNull(),
  tokens: p.bigint({ mode: "number" }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.username, t.day] })]);

const at = () => p.timestamp({ withTimezone: true });

/** Conversation of one user with a language model. */
export const aiConversations = p.pgTable("ai_conversations", {
  /** UUID version 7, so that ids sort by creation time. */
  id: p.uuid().primaryKey(),
  owner: p.text().notNull(),
  title: p.text().notNull(),
  /** App whose menu opened the conversation. */
  app: p.text(),
  model: p.text().notNull(),
  messageCount: p.integer().notNull().default(0),
  /** True once a tool call of this conversation ran, also after its message was deleted. */
  hasRead: p.boolean().notNull().default(false),
  createdAt: at().notNull().defaultNow(),
  updatedAt: at().notNull().defaultNow(),
  /**
   * Running turn, which alone may write messages. It counts as ended without a sign of life until
   * `turnUntil`.
   */
  turn: p.uuid(),
  turnUntil: at(),
}, (t) => [
  p.index("ai_conversations_of_owner").on(t.owner, t.updatedAt, t.id),
  p.index("ai_conversations_by_age").on(t.updatedAt),
]);

/** Messages in order. The type `json` preserves any text that a model writes. */
export const aiMessages = p.pgTable("ai_messages", {
  id: p.uuid().primaryKey(),
  conversationId: p.uuid().notNull().references(() => aiConversations.id, { onDelete: "cascade" }),
  seq: p.integer().notNull(),
  role: p.text().$type<"user" | "assistant">().notNull(),
  parts: p.json().$type<readonly object[]>().notNull(),
  inputTokens: p.integer(),
  outputTokens: p.integer(),
  /** Null while the message is being generated, or if generation was interrupted. */
  finishReason: p.text(),
  createdAt: at().notNull().defaultNow(),
}, (t) => [p.unique("ai_messages_order").on(t.conversationId, t.seq)]);

/** Copy of a conversation that its owner shared with everyone who has the link. */
export const aiShares = p.pgTable("ai_shares", {
  conversationId: p.uuid().primaryKey()
    .references(() => aiConversations.id, { onDelete: "cascade" }),
  /** SHA-256 of the link's token. */
  tokenHash: p.text().notNull().unique(),
  owner: p.text().notNull(),
  snapshot: p.json().$type<object>().notNull(),
  includeResults: p.boolean().notNull(),
  createdAt: at().notNull().defaultNow(),
  expiresAt: at().notNull(),
});

/**
 * Questions sent to users of MCP clients. A row is deleted once its answer is fetched, or when a later
 * question finds it expired.
 */
export const aiQuestions = p.pgTable("ai_questions", {
  /** Random id, known only to the client that was asked. */
  id: p.uuid().primaryKey(),
  owner: p.text().notNull(),
  /** Answer as the client sent it; null while the question is open. */
  answer: p.json().$type<object>(),
  expiresAt: at().notNull(),
}, (t) => [p.index("ai_questions_of_owner").on(t.owner)]);
