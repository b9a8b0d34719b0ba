import type { Deps } from "#src/deps.ts";
import { windowQuery } from "#src/http/list.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import type { Actor } from "#src/ports/access.ts";
import type { AccessDeps } from "../needs.ts";
import { findAccount } from "../users/accounts.ts";
import { Ok, ok, UserPath } from "../users/schemas.ts";
import { wireClaims } from "../users/views.ts";
import { changeOwnPassword } from "./change_own_password.ts";
import { signOut } from "./end_session.ts";
import { refreshSession } from "./refresh_session.ts";
import { revokeSessions } from "./revoke_sessions.ts";
import {
  CurrentUser,
  Jwks,
  LoginBody,
  OwnPasswordBody,
  RefreshBody,
  Revoked,
  SessionList,
  SignOutQuery,
  TokenPair,
} from "./schemas.ts";
import { showSessions } from "./show_sessions.ts";
import { signIn } from "./sign_in.ts";
import { clearRefreshCookie, readRefreshToken, setRefreshCookie, wirePair } from "./wire.ts";

const TAGS = { tags: ["Sign-in"] };
const pair = {
  200: json(TokenPair, "Tokens; the refresh token is also set as a cookie"),
};

const login = route({
  ...TAGS,
  method: "post",
  operationId: "signIn",
  "x-audit": "auth.signed_in",
  path: "/auth/login",
  "x-permission": "public",
  summary: "Sign in",
  description: "For users. The call opens a session for a username and password.",
  request: { body: body(LoginBody) },
  responses: { ...pair, ...failing(401, 422, 429) },
});
const refresh = route({
  ...TAGS,
  method: "post",
  operationId: "refreshSession",
  "x-audit": false,
  path: "/auth/refresh",
  "x-permission": "public",
  summary: "Refresh a session",
  description: "For users. The refresh token comes from the body or the cookie and works once.",
  request: { body: { ...body(RefreshBody), required: false } },
  responses: { ...pair, ...failing(401) },
});
const logout = route({
  ...TAGS,
  method: "post",
  operationId: "signOut",
  "x-audit": "auth.signed_out",
  path: "/auth/logout",
  "x-permission": "authenticated",
  summary: "Sign out",
  description: "For users. The tokens and streams of the session end.",
  request: { query: SignOutQuery },
  responses: { 200: json(Ok, "The change was made") },
});
const me = route({
  ...TAGS,
  method: "get",
  operationId: "getCurrentUser",
  path: "/auth/me",
  "x-permission": "authenticated",
  summary: "Read the caller",
  description: "For all users. The answer contains the roles and permissions of the caller.",
  responses: { 200: json(CurrentUser, "Caller with roles and permissions") },
});
const ownPassword = route({
  ...TAGS,
  method: "post",
  operationId: "changeOwnPassword",
  "x-audit": "user.password_set",
  path: "/auth/password",
  "x-permission": "authenticated",
  summary: "Change the caller's password",
  description: "For all users. All other sessions of the caller end.",
  request: { body: body(OwnPasswordBody) },
  responses: { 200: json(Ok, "The change was made"), ...failing(429) },
});
const revoke = route({
  "x-permission": "users:write",
  tags: ["Users and roles"],
  method: "post",
  operationId: "revokeUserSessions",
  "x-audit": "user.sessions_revoked",
  path: "/admin/users/{username}/revoke",
  summary: "End the sessions of a user",
  description: "For administrators of users. Streams end within two seconds.",
  request: { params: UserPath },
  responses: { 200: json(Revoked, "Number of ended sessions") },
});

const list = route({
  "x-permission": "users:read",
  tags: ["Users and roles"],
  method: "get",
  operationId: "listUserSessions",
  path: "/admin/users/{username}/sessions",
  summary: "List the sessions of a user",
  description: "For administrators of users. Only open sessions are listed, newest first.",
  request: { params: UserPath, query: windowQuery({ limit: 50 }) },
  responses: { 200: json(SessionList, "Entries, newest first"), ...failing(404) },
});

const keys = route({
  ...TAGS,
  method: "get",
  operationId: "getSigningKeys",
  path: "/.well-known/jwks.json",
  "x-permission": "public",
  summary: "Read the signing keys",
  description: "For services that verify access tokens (RFC 7517).",
  responses: { 200: json(Jwks, "Public keys") },
});

export function sessionRoutes(deps: AccessDeps & Pick<Deps, "settings">) {
  const { publicUrl } = deps.settings.access;
  return newRouter("framework")
    .openapi(login, async (c) => {
      const opened = await signIn(
        deps,
        { ...c.req.valid("json"), address: c.var.address },
        "password",
      );
      setRefreshCookie(c, opened);
      return c.json(wirePair(opened), 200);
    })
    .openapi(refresh, async (c) => {
      const token = readRefreshToken(c, { inBody: c.req.valid("json")?.refresh_token, publicUrl });
      const renewed = await refreshSession(deps, { token, address: c.var.address })
        .catch((error) => {
          c.var.access.forget(); // a token that came back has ended its session
          throw error;
        });
      setRefreshCookie(c, renewed);
      return c.json(wirePair(renewed), 200);
    })
    .openapi(logout, async (c) => {
      const everywhere = c.req.valid("query").everywhere === "true";
      await signOut(deps, { actor: c.var.actor, everywhere });
      c.var.access.forget();
      clearRefreshCookie(c);
      return c.json(ok, 200);
    })
    .openapi(me, async (c) => c.json(await describeCaller(deps, c.var.actor), 200))
    .openapi(ownPassword, async (c) => {
      const { current_password: current, password } = c.req.valid("json");
      await changeOwnPassword(deps, { current, password, actor: c.var.actor });
      c.var.access.forget();
      return c.json(ok, 200);
    })
    .openapi(revoke, async (c) => {
      const username = c.req.valid("param").username.toLowerCase();
      const sessions = await revokeSessions(deps, username, c.var.actor);
      c.var.access.forget();
      return c.json({ ...ok, sessions }, 200);
    })
    .openapi(list, async (c) => {
      const username = c.req.valid("param").username.toLowerCase();
      return c.json(await showSessions(deps, username, c.req.valid("query")), 200);
    })
    .openapi(keys, async (c) => {
      c.header("Cache-Control", "public, max-age=300");
      return c.json({ keys: [...(await deps.tokens.jwks()).keys] }, 200);
    });
}

async function describeCaller(
  { db, live }: AccessDeps,
  { username, roles, permissions }: Actor,
) {
  const before = live.last() ?? null;
  const account = await findAccount(db, username);
  return {
    username,
    display_name: account?.displayName || username, // an empty name gets no greeting
    claims: wireClaims(account?.claims ?? {}),
    roles: [...roles],
    permissions: [...permissions.codes],
    has_password: (account?.passwordHash ?? null) !== null,
    last_event_id: before,
  };
}
