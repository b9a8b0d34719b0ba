import { say } from "#src/kernel/i18n/sentence.ts";
import { words } from "#src/kernel/i18n/schema.ts";
import { z } from "@hono/zod-openapi";

const POOL = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/,
  words(say`expected the alias of a pool`),
)
  .default("default");
const MODE = z.enum(["framework", "session"]).default("framework");

export const TokenQuery = z.object({
  pool: POOL.openapi({ description: "Alias of the pool that stores the users: `default`" }),
  mode: MODE.openapi({ description: "`framework` and `session` have the same effect" }),
  type: z.enum(["database", "oidc"]).default("database").openapi({
    description: "`database` for username and password, `oidc` for an ID token",
  }),
});
export const TokenBody = z.object({
  user: z.string().min(1).max(256).openapi({
    description: "Username; omit it with `type=oidc`",
    example: "mdurand",
  }),
  password: z.string().nullable().openapi({
    description: "Password, or with `type=oidc` an ID token of the identity provider",
    example: "correct horse battery staple",
  }),
}).openapi("TokenRequest", { description: "Credentials of a user" });
export const Token = z.object({
  access_token: z.string().openapi({
    description: "Access token: a JWT that is valid for ten minutes",
    example: "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJtZHVyYW5kIn0.c2lnbmF0dXJl",
  }),
  token_type: z.literal("bearer").openapi({ description: "Always `bearer`", example: "bearer" }),
  expires_in: z.int().openapi({ description: "Seconds until it ends", example: 600 }),
  status: z.literal("success").openapi({ description: "Always `success`", example: "success" }),
  message: z.string().openapi({
    description: "Result in the caller's language",
    example: "Signed in",
  }),
}).openapi("Token", { description: "Access token for the database family" });

export const UserQuery = z.object({
  user: z.string().min(1).max(256).openapi({
    description: "Username; default: the caller",
    example: "mdurand",
  }),
  pool: POOL.openapi({ description: "Alias of the pool that stores the users: `default`" }),
  mode: MODE.openapi({ description: "`framework` and `session` have the same effect" }),
});
const YesNo = z.enum(["Y", "N"]);
const UserRecord = z.object({
  ROW_ID: z.int().openapi({ description: "Row number in this answer, from 1", example: 1 }),
  USR_ID: z.string().openapi({ description: "Username", example: "mdurand" }),
  USR_PASSWORD: z.string().openapi({
    description: "Mask after `ENC:`, never the password",
    example: "ENC:********",
  }),
  USR_NAME: z.string().openapi({
    description: "Display name of the user",
    example: "Marie Durand",
  }),
  USR_EMAIL: z.string().openapi({
    description: "E-mail address of the user",
    example: "marie.durand@helios.example",
  }),
  USR_STATUS: YesNo.openapi({ description: "`Y` when the user can sign in", example: "Y" }),
  USR_ADMIN: YesNo.openapi({ description: "`Y` when the user has all permissions", example: "N" }),
  USR_LANGUAGE: z.string().openapi({
    description: "Language of the user: `fr` or `en`",
    example: "fr",
  }),
  USR_MODE: z.string().openapi({ description: "Sign-in method of the user", example: "framework" }),
  USR_READONLY: YesNo.openapi({
    description: "`Y` when the user cannot change anything",
    example: "N",
  }),
  USR_DASHBOARD: z.int().openapi({ description: "Reserved; always 0", example: 0 }),
  USR_THEME: z.string().openapi({ description: "Colour theme of the user", example: "light" }),
}).openapi("UserRecord", { description: "User in the format of the database family" });
export const UserRecords = z.object({
  items: z.array(UserRecord).openapi({ description: "Record of the user" }),
  status: z.literal("success").openapi({ description: "Always `success`", example: "success" }),
})
  .openapi("UserRecords", { description: "Record of a user" });
