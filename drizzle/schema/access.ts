import * as p from "drizzle-orm/pg-core";

const at = () => p.timestamp({ withTimezone: true });

export const roles = p.pgTable("roles", {
  name: p.text().primaryKey(),
  displayName: p.text().notNull().default(""),
  description: p.text().notNull().default(""),
  builtIn: p.boolean().notNull().default(false),
  permissions: p.text().array().notNull().default([]),
  inheritsFrom: p.text().array().notNull().default([]),
  createdAt: at().notNull().defaultNow(),
  updatedAt: at().notNull().defaultNow(),
});

export const users = p.pgTable("users", {
  /** Canonical: NFKC, lower case. */
  username: p.text().primaryKey(),
  displayName: p.text().notNull().default(""),
  email: p.text(),
  language: p.text().$type<"en" | "fr">().notNull().default("en"),
  /** PHC string; null for accounts that sign in elsewhere. */
  passwordHash: p.text(),
  active: p.boolean().notNull().default(true),
  /** Counts every change of what the user may do; an access token of an older epoch is read anew. */
  epoch: p.bigint({ mode: "number" }).notNull().default(1),
  createdAt: at().notNull().defaultNow(),
  updatedAt: at().notNull().defaultNow(),
  passwordChangedAt: at(),
  lastSignInAt: at(),
});

export const userRoles = p.pgTable(
  "user_roles",
  {
    username: p.text().notNull(),
    role: p.text().notNull(),
  },
  (
    t,
  ) => [p.primaryKey({ columns: [t.username, t.role] }), p.index("user_roles_of_role").on(t.role)],
);

/** Accounts at identity providers are known by issuer and subject, never by an address. */
export const userIdentities = p.pgTable("user_identities", {
  issuer: p.text().notNull(),
  subject: p.text().notNull(),
  username: p.text().notNull(),
  createdAt: at().notNull().defaultNow(),
}, (t) => [p.primaryKey({ columns: [t.issuer, t.subject] })]);

/** What follows from one sign-in: its refresh tokens and access tokens end with it. */
export const sessions = p.pgTable("sessions", {
  id: p.uuid().primaryKey(),
  username: p.text().notNull(),
  method: p.text().$type<"password" | "oidc" | "token">().notNull(),
  address: p.text(),
  createdAt: at().notNull(),
  expiresAt: at().notNull(),
  endedAt: at(),
  endedBy: p.text(),
});

export const refreshTokens = p.pgTable("refresh_tokens", {
  tokenSha256: p.text().primaryKey(),
  sessionId: p.uuid().notNull(),
  issuedAt: at().notNull(),
  expiresAt: at().notNull(),
  usedAt: at(),
});

/** Keys are hashes of user and address, of user, and of address. */
export const signInAttempts = p.pgTable("sign_in_attempts", {
  key: p.text().primaryKey(),
  failures: p.integer().notNull(),
  lastAt: at().notNull(),
  blockedUntil: at(),
  succeededAt: at(),
});

export const signingKeys = p.pgTable("signing_keys", {
  kid: p.text().primaryKey(),
  /** Sealed by the vault. */
  privateJwk: p.text().notNull(),
  publicJwk: p.jsonb().$type<Record<string, unknown>>().notNull(),
  createdAt: at().notNull(),
  retiredAt: at(),
});

/** Append-only (a trigger refuses the rest); each row's hash includes the one before. */
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
});
