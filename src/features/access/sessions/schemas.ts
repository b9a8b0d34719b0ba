import { z } from "@hono/zod-openapi";
import { windowed } from "#src/http/list.ts";
import { Claims } from "../users/schemas.ts";

const text = (max: number) => z.string().max(max);

export const LoginBody = z.object({ username: text(256), password: z.string() }).strict().openapi(
  "Login",
);
export const SignOutQuery = z.object({
  everywhere: z.enum(["true", "false"]).optional().openapi({
    description:
      "`true`: all sessions of the caller end, on whatever machine; without it this one alone",
  }),
});
export const RefreshBody = z.object({ refresh_token: text(200).optional() }).strict().openapi(
  "Refresh",
);
export const TokenPair = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int().openapi({ description: "Seconds" }),
}).openapi("TokenPair");

export const Jwks = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).openapi("Jwks");

export const CurrentUser = z.object({
  username: z.string(),
  display_name: z.string(),
  claims: Claims,
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
  has_password: z.boolean(),
  last_event_id: z.string().nullable().openapi({
    description:
      "The last live event before this answer. Who follows from it (`Last-Event-ID`) misses nothing of what happens while they read",
  }),
}).openapi("CurrentUser");
export const OwnPasswordBody = z.object({ current_password: z.string(), password: z.string() })
  .strict()
  .openapi("OwnPassword");

export const SessionList = z.object({
  sessions: z.array(z.object({
    began_at: z.iso.datetime().openapi({ description: "The sign-in" }),
    ends_at: z.iso.datetime().openapi({ description: "At the latest" }),
    method: z.enum(["password", "oidc", "token"]).openapi({
      description: "How the user signed in; `token` is a session of one access token",
    }),
    address: z.string().nullable().openapi({ description: "Where the sign-in came from" }),
  })),
  ...windowed,
}).openapi("SessionList");

export const Revoked = z.object({ ok: z.literal(true), sessions: z.int() }).openapi("Revoked");
