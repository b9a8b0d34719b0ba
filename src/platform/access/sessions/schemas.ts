import { z } from "@hono/zod-openapi";
import { windowed } from "#src/http/list.ts";
import { Claims } from "../users/schemas.ts";

const text = (max: number) => z.string().max(max);

export const LoginBody = z.object({
  username: text(256).openapi({ description: "Username", example: "mdurand" }),
  password: z.string().openapi({
    description: "Password",
    example: "correct horse battery staple",
  }),
}).strict().openapi(
  "Login",
  { description: "Credentials of a user" },
);
export const SignOutQuery = z.object({
  everywhere: z.enum(["true", "false"]).optional().openapi({
    description: "`true` ends all sessions of the caller; default: only the current session",
  }),
});
export const RefreshBody = z.object({
  refresh_token: text(200).optional().openapi({
    description: "Refresh token of the session; default: the cookie",
    example: "q83vEjRWeJCrze8SNFZ4kA",
  }),
}).strict().openapi(
  "Refresh",
  { description: "Refresh token to exchange" },
);
export const TokenPair = z.object({
  access_token: z.string().openapi({
    description: "Access token: a JWT that is valid for ten minutes",
    example: "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJtZHVyYW5kIn0.c2lnbmF0dXJl",
  }),
  refresh_token: z.string().openapi({
    description: "Refresh token, which works once",
    example: "q83vEjRWeJCrze8SNFZ4kA",
  }),
  token_type: z.literal("Bearer").openapi({ description: "Always `Bearer`", example: "Bearer" }),
  expires_in: z.int().openapi({
    description: "Validity of the access token in seconds",
    example: 600,
  }),
}).openapi("TokenPair", { description: "Tokens of a session" });

export const Jwks = z.object({
  keys: z.array(z.record(z.string(), z.unknown())).openapi({ description: "Keys (RFC 7517)" }),
}).openapi("Jwks", { description: "Public keys of the access tokens" });

export const CurrentUser = z.object({
  username: z.string().openapi({ description: "Username", example: "mdurand" }),
  display_name: z.string().openapi({ description: "Display name", example: "Marie Durand" }),
  claims: Claims.openapi({
    description: "Attributes of the account, which queries can use as parameters",
    example: { company: "00001" },
  }),
  roles: z.array(z.string()).openapi({ description: "Names of the roles", example: ["clerk"] }),
  permissions: z.array(z.string()).openapi({
    description: "Permission codes of the caller",
    example: ["invoices:read"],
  }),
  has_password: z.boolean().openapi({
    description: "False for an account of an identity provider",
    example: true,
  }),
  last_event_id: z.string().nullable().openapi({
    description:
      "Identifier of the last live event before this answer. A stream with this `Last-Event-ID` misses no event",
    example: "731-42",
  }),
}).openapi("CurrentUser", { description: "Caller with roles and permissions" });
export const OwnPasswordBody = z.object({
  current_password: z.string().openapi({
    description: "Current password",
    example: "correct horse battery staple",
  }),
  password: z.string().openapi({
    description: "New password",
    example: "another horse battery staple",
  }),
})
  .strict()
  .openapi("OwnPassword", { description: "Current and new password" });

export const SessionList = z.object({
  sessions: z.array(
    z.object({
      began_at: z.iso.datetime().openapi({
        description: "Time of the sign-in",
        example: "2026-11-20T09:30:00.000Z",
      }),
      ends_at: z.iso.datetime().openapi({
        description: "Latest end of the session",
        example: "2026-11-21T09:30:00.000Z",
      }),
      method: z.enum(["password", "oidc", "token"]).openapi({
        description: "Sign-in method; `token` is the session of one access token",
      }),
      address: z.string().nullable().openapi({
        description: "Address that the user signed in from",
        example: "192.0.2.10",
      }),
    }).openapi({ description: "Session of a user" }),
  ).openapi({ description: "Sessions, newest first" }),
  ...windowed,
}).openapi("SessionList", { description: "Open sessions of a user" });

export const Revoked = z.object({
  ok: z.literal(true).openapi({ description: "Success of the call; always true here" }),
  sessions: z.int().openapi({ description: "Number of sessions that ended", example: 2 }),
}).openapi("Revoked", { description: "Number of ended sessions" });
