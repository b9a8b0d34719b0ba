import { say } from "#src/kernel/sentences/sentence.ts";
import { words } from "#src/kernel/sentences/schema.ts";
import { z } from "@hono/zod-openapi";

const POOL = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/,
  words(say`expected the alias of a pool`),
)
  .default("default");
const MODE = z.enum(["framework", "session"]).default("framework");

export const TokenQuery = z.object({
  pool: POOL,
  mode: MODE,
  type: z.enum(["database", "oidc"]).default("database"),
});
export const TokenBody = z.object({
  user: z.string().min(1).max(256),
  password: z.string().nullable().openapi({
    description: "With `type=oidc`: an ID token of the identity provider",
  }),
}).openapi("TokenRequest");
export const Token = z.object({
  access_token: z.string(),
  token_type: z.literal("bearer"),
  expires_in: z.int(),
  status: z.literal("success"),
  message: z.string(),
}).openapi("Token");

export const UserQuery = z.object({ user: z.string().min(1).max(256), pool: POOL, mode: MODE });
const YesNo = z.enum(["Y", "N"]);
const UserRecord = z.object({
  ROW_ID: z.int(),
  USR_ID: z.string(),
  USR_PASSWORD: z.string().openapi({ description: "`ENC:` and a mask, never a secret" }),
  USR_NAME: z.string(),
  USR_EMAIL: z.string(),
  USR_STATUS: YesNo,
  USR_ADMIN: YesNo,
  USR_LANGUAGE: z.string(),
  USR_MODE: z.string(),
  USR_READONLY: YesNo,
  USR_DASHBOARD: z.int(),
  USR_THEME: z.string(),
}).openapi("UserRecord");
export const UserRecords = z.object({ items: z.array(UserRecord), status: z.literal("success") })
  .openapi("UserRecords");
