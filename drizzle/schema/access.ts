import { sql } from "drizzle-orm";
import * as p from "drizzle-orm/pg-core";
import type { Claims } from "#src/domain/permission/claims.ts";
import type { Language } from "#src/kernel/language.ts";

const at = () => p.timestamp({ withTimezone: true });

export const roles = p.pgTable("roles", {
  name: p.text().primaryKey(),
  displayName: p.text().notNull().default(""),
  description: p.text().notNull().default(""),
  builtIn: p.boolean().notNull().default(false),
  permissions: p.text().array().notNull().default([]),
  inheritsFrom: p.text().array().notNull().default([]),
  version: p.bigint({ mode: "number" }).notNull().default(1),
  createdAt: at().notNull().defaultNow(),
  updatedAt: at().notNull().defaultNow(),
}, () => [
  // Only `admin` may hold `*`, and `anon` holds no permission.
  p.check("roles_everything", sql`name = 'admin' or not ('*' = any (permissions))`),
  p.check("roles_anonymous", sql`name <> 'anon' or (permissions = '{}' and inherits_from = '{}')`),
]);

export const users = p.pgTable("users", {
  /** Canonical form: NFKC, lower case. */
  username: p.text().primaryKey(),
  displayName: p.text().notNull().default(""),
  email: p.text(),
  /** Null uses the browser's language. */
  language: p.text().$type<Language>(),
  /** PHC string; null for accounts that sign in through an identity provider. */
  passwordHash: p.text(),
  active: p.boolean().notNull().default(true),
  /** Attributes such as the company, for parameters taken from the caller. */
  claims: p.jsonb().$type<Claims>().notNull().default({}),
  /** Counts changes of the user's permissions; an access token with an older epoch reloads them. */
  epoch: p.bigint({ mode: "number" }).notNull().default(1),
  /** Sessions with an older epoch have ended. A new password, a revocation or a lock increases it. */
  sessionEpoch: p.bigint({ mode: "number" }).notNull().default(1),
  createdAt: at().notNull().defaultNow(),
  updatedAt: at().notNull().defaultNow(),
  passwordChangedAt: at(),
  lastSignInAt: at(),
});

const username = () => p.text().notNull().references(() => users.username, { onDelete: "cascade" });

export const userRoles = p.pgTable(
  "user_roles",
  {
    username: username(),
    role: p.text().notNull().references(() => roles.name, { onDelete: "restrict" }),
  },
  (
    t,
  ) => [p.primaryKey({ columns: [t.username, t.role] }), p.index("user_roles_of_role").on(t.role)],
);

/** Accounts of identity providers, identified by issuer and subject, never by e-mail address. */
export const userIdentities = p.pgTable("user_identities", {
  issuer: p.text().notNull(),
  subject: p.text().notNull(),
  username: username(),
  createdAt: at().notNull().defaultNow(),
}, (t) => [
  p.primaryKey({ columns: [t.issuer, t.subject] }),
  p.index("user_identities_of_user").on(t.username),
]);

/** Session of one sign-in; its refresh and access tokens end with it. */
export const sessions = p.pgTable("sessions", {
  id: p.uuid().primaryKey(),
  username: username(),
  /** The user's `session_epoch` at sign-in. */
  epoch: p.bigint({ mode: "number" }).notNull().default(1),
  method: p.text().$type<"password" | "oidc" | "token">().notNull(),
  address: p.text(),
  createdAt: at().notNull(),
  expiresAt: at().notNull(),
  endedAt: at(),
  endedBy: p.text(),
}, (t) => [
  p.index("sessions_open").on(t.username).where(sql`ended_at is null`),
  p.index("sessions_age").on(t.expiresAt),
]);

export const refreshTokens = p.pgTable("refresh_tokens", {
  tokenSha256: p.text().primaryKey(),
  sessionId: p.uuid().notNull().references(() => sessions.id, { onDelete: "cascade" }),
  issuedAt: at().notNull(),
  expiresAt: at().notNull(),
  usedAt: at(),
}, (t) => [p.index("refresh_tokens_of_session").on(t.sessionId)]);

/** Open invitation of a user to choose a password; a new one replaces it, and its use deletes it. */
export const invitations = p.pgTable("invitations", {
  username: p.text().primaryKey().references(() => users.username, { onDelete: "cascade" }),
  tokenSha256: p.text().notNull().unique(),
  /** The user's address at that time; a link sent to another address is void. */
  email: p.text(),
  /** The user's `session_epoch` at that time; a revocation or a lock makes the link void. */
  epoch: p.bigint({ mode: "number" }).notNull(),
  createdBy: p.text().notNull(),
  createdAt: at().notNull(),
  expiresAt: at().notNull(),
});

/** Failed sign-ins; keys are hashes of user and address, of the user, and of the address. */
export const signInAttempts = p.pgTable("sign_in_attempts", {
  key: p.text().primaryKey(),
  failures: p.integer().notNull(),
  lastAt: at().notNull(),
  blockedUntil: at(),
  succeededAt: at(),
}, (t) => [p.index("sign_in_attempts_age").on(t.lastAt)]);

export const signingKeys = p.pgTable("signing_keys", {
  kid: p.text().primaryKey(),
  /** Sealed by the vault. */
  privateJwk: p.text().notNull(),
  publicJwk: p.jsonb().$type<Record<string, unknown>>().notNull(),
  createdAt: at().notNull(),
  retiredAt: at(),
});

/** Append-only audit trail (a trigger rejects changes); each row's hash includes the previous one. */
export const auditLog = p.pgTable("audit_log", {
  seq: p.bigint({ mode: "number" }).primaryKey(),
  at: at().notNull(),
  actor: p.text().notNull(),
  address: p.text(),
  event: p.text().notNull(),
  target: p.text(),
  before: p.jsonb(),
  after: p.jsonb(),
  previousHash: p.text().notNull(),
  hash: p.text().notNull(),
}, (t) => [
  p.index("audit_log_by_time").on(t.at),
  p.index("audit_log_by_actor").on(t.actor, t.seq),
  p.index("audit_log_by_event").on(t.event.op("text_pattern_ops"), t.seq),
  p.index("audit_log_by_target").on(t.target, t.seq),
]);
