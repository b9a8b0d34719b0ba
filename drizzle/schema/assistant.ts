import * as p from "drizzle-orm/pg-core";

/** Tokens of language models a user has used on a day (UTC); counted before they are spent. */
export const aiUsage = p.pgTable("ai_usage", {
  username: p.text().notNull(),
  day: p.date({ mode: "string" }).notNull(),
  tokens: p.bigint({ mode: "number" }).notNull(),
}, (t) => [p.primaryKey({ columns: [t.username, t.day] })]);

const at = () => p.timestamp({ withTimezone: true });

/** A conversation of one user with a language model. */
export const aiConversations = p.pgTable("ai_conversations", {
  /** Version 7, so that ids sort by the time they were made. */
  id: p.uuid().primaryKey(),
  owner: p.text().notNull(),
  title: p.text().notNull(),
  /** The app of the menus it was begun in. */
  app: p.text(),
  model: p.text().notNull(),
  messageCount: p.integer().notNull().default(0),
  createdAt: at().notNull().defaultNow(),
  updatedAt: at().notNull().defaultNow(),
  /** The turn under way, which alone may write messages; one that has not been heard of until then has ended. */
  turn: p.uuid(),
  turnUntil: at(),
}, (t) => [
  p.index("ai_conversations_of_owner").on(t.owner, t.updatedAt, t.id),
  p.index("ai_conversations_by_age").on(t.updatedAt),
]);

/** Messages in their order. `json`, which keeps any text a model writes. */
export const aiMessages = p.pgTable("ai_messages", {
  id: p.uuid().primaryKey(),
  conversationId: p.uuid().notNull().references(() => aiConversations.id, { onDelete: "cascade" }),
  seq: p.integer().notNull(),
  role: p.text().$type<"user" | "assistant">().notNull(),
  parts: p.json().$type<readonly object[]>().notNull(),
  inputTokens: p.integer(),
  outputTokens: p.integer(),
  /** Null while it is being made, or where that was cut off. */
  finishReason: p.text(),
  createdAt: at().notNull().defaultNow(),
}, (t) => [p.unique("ai_messages_order").on(t.conversationId, t.seq)]);

/** A conversation as it was when its owner made it readable for whoever has the link. */
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

/** What clients of MCP were asked for their user. A row goes when its answer is fetched, or when another question is asked after its time. */
export const aiQuestions = p.pgTable("ai_questions", {
  /** Random: who knows it was asked. */
  id: p.uuid().primaryKey(),
  owner: p.text().notNull(),
  /** As the client sent it; null while it waits. */
  answer: p.json().$type<object>(),
  expiresAt: at().notNull(),
}, (t) => [p.index("ai_questions_of_owner").on(t.owner)]);
