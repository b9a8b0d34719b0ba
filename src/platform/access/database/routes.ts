import type { Deps } from "#src/deps.ts";
import { canonicalUsername } from "#src/domain/permission/account.ts";
import { ADMIN_ROLE } from "#src/domain/permission/given_roles.ts";
import { permissionSet } from "#src/domain/permission/permission_set.ts";
import { checkPermission } from "#src/http/guard.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { AccessDeps } from "../needs.ts";
import { signIn } from "../sessions/sign_in.ts";
import { signInFederated } from "../sessions/sign_in_oidc.ts";
import { showUser } from "../users/views.ts";
import { Token, TokenBody, TokenQuery, UserQuery, UserRecords } from "./schemas.ts";

const TAGS = { tags: ["Database"] };

const token = route({
  ...TAGS,
  method: "post",
  operationId: "createDatabaseToken",
  "x-audit": "auth.signed_in",
  path: "/api/auth/token",
  "x-permission": "public",
  summary: "Create an access token",
  description:
    "For clients of the database family. The credentials are a username and password, or an ID token of the identity provider.",
  request: { query: TokenQuery, body: body(TokenBody) },
  responses: { 200: json(Token, "Access token, which cannot be refreshed"), ...failing(401, 429) },
});
const user = route({
  ...TAGS,
  method: "get",
  operationId: "getDatabaseUser",
  path: "/api/auth/user",
  "x-permission": "authenticated",
  summary: "Read a user record",
  description:
    "For clients of the database family. Another user than the caller requires `users:read`.",
  request: { query: UserQuery },
  responses: { 200: json(UserRecords, "Record of the user"), ...failing(404) },
});

/** The same users, throttle and tokens as everywhere, in the envelope of the database family. */
export function databaseAuthRoutes(deps: AccessDeps & Pick<Deps, "oidc">) {
  return newRouter("database")
    .openapi(token, async (c) => {
      const { pool, type } = c.req.valid("query");
      checkPool(pool);
      const given = { ...c.req.valid("json"), address: c.var.address };
      const { accessToken, expiresIn } = type === "database"
        ? await signIn(deps, {
          username: given.user,
          password: given.password ?? "",
          address: given.address,
        }, "token")
        : await signInWithIdToken(deps, given);
      const message = `Signed in as ${given.user}`;
      const status = "success" as const;
      return c.json({
        access_token: accessToken,
        token_type: "bearer" as const,
        expires_in: expiresIn,
        status,
        message,
      }, 200);
    })
    .openapi(user, async (c) => {
      const { pool, user } = c.req.valid("query");
      checkPool(pool);
      const username = canonicalUsername(user);
      if (username !== c.var.actor.username) await checkPermission(c, "users:read");
      const found = username === undefined ? undefined : await showUser(deps, username);
      if (!found) throw notFound("User", user);
      return c.json({ items: [getRecord(found)], status: "success" as const }, 200);
    });
}

async function signInWithIdToken(
  deps: AccessDeps & Pick<Deps, "oidc">,
  { user, password, address }: {
    user: string;
    password: string | null;
    address: string | undefined;
  },
) {
  if (!deps.oidc) throw new AppError("unavailable", say`No identity provider is configured`);
  if (!password) {
    throw new AppError(
      "unauthenticated",
      say`An ID token of the identity provider is needed as password`,
    );
  }
  const identity = await deps.oidc.identify(password).catch((error) => {
    if (error instanceof AppError && error.code !== "invalid") throw error;
    throw new AppError("unauthenticated", say`The ID token is expired or not valid`, {
      cause: error,
    });
  });
  return await signInFederated(deps, { identity, method: "token", address, expected: user });
}

/** Refuses actions on the product's own database, where users are stored. */
function checkPool(pool: string): void {
  if (pool !== "default") {
    throw new AppError("refused", say`There are no users in the pool ${pool}`);
  }
}

function getRecord(found: NonNullable<Awaited<ReturnType<typeof showUser>>>) {
  const { grantOf } = permissionSet(found.permissions);
  return {
    ROW_ID: 1,
    USR_ID: found.username,
    USR_PASSWORD: "ENC:********",
    USR_NAME: found.display_name,
    USR_EMAIL: found.email ?? "",
    USR_STATUS: flag(found.active),
    USR_ADMIN: flag(found.roles.includes(ADMIN_ROLE)),
    USR_LANGUAGE: found.language ?? "fr",
    USR_MODE: "light",
    USR_READONLY: flag(grantOf("invoices:run") === undefined),
    USR_DASHBOARD: 0,
    USR_THEME: "default",
  };
}

function flag(yes: boolean): "Y" | "N" {
  return yes ? "Y" : "N";
}
