import type { Deps } from "#src/deps.ts";
import { windowQuery } from "#src/http/list.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import type { AccessNeeds } from "../needs.ts";
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
import { clearRefreshCookie, refreshTokenOf, setRefreshCookie, wirePair } from "./wire.ts";

const TAGS = { tags: ["Sign-in"] };
const pair = {
  200: json(TokenPair, "The tokens; the refresh token also as a cookie"),
};

const login = route({
  ...TAGS,
  method: "post",
  operationId: "signIn",
  "x-audit": "auth.signed_in",
  path: "/auth/login",
  "x-permission": "public",
  summary: "A session for a username and password",
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
  summary: "New tokens for a refresh token, which can be used once",
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
  summary: "Ends the session, or all of the caller: refresh tokens, access tokens and streams",
  request: { query: SignOutQuery },
  responses: { 200: json(Ok, "Done") },
});
const me = route({
  ...TAGS,
  method: "get",
  operationId: "getCurrentUser",
  path: "/auth/me",
  "x-permission": "authenticated",
  summary: "Who calls and what they may do at this moment",
  responses: { 200: json(CurrentUser, "The caller") },
});
const ownPassword = route({
  ...TAGS,
  method: "post",
  operationId: "changeOwnPassword",
  "x-audit": "user.password_set",
  path: "/auth/password",
  "x-permission": "authenticated",
  summary: "Changes the caller's own password; their other sessions end",
  request: { body: body(OwnPasswordBody) },
  responses: { 200: json(Ok, "Done"), ...failing(429) },
});
const revoke = route({
  "x-permission": "users:write",
  tags: ["Users and roles"],
  method: "post",
  operationId: "revokeUserSessions",
  "x-audit": "user.sessions_revoked",
  path: "/admin/users/{username}/revoke",
  summary: "End every session of a user, streams within two seconds",
  request: { params: UserPath },
  responses: { 200: json(Revoked, "How many sessions were open") },
});

const list = route({
  "x-permission": "users:read",
  tags: ["Users and roles"],
  method: "get",
  operationId: "listUserSessions",
  path: "/admin/users/{username}/sessions",
  summary: "The open sessions of a user",
  request: { params: UserPath, query: windowQuery({ limit: 50 }) },
  responses: { 200: json(SessionList, "The newest first"), ...failing(404) },
});

const keys = route({
  ...TAGS,
  method: "get",
  operationId: "getSigningKeys",
  path: "/.well-known/jwks.json",
  "x-permission": "public",
  summary: "The public keys access tokens are signed with (RFC 7517)",
  responses: { 200: json(Jwks, "The keys") },
});

export function sessionRoutes(deps: AccessNeeds & Pick<Deps, "settings">) {
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
      const token = refreshTokenOf(c, { inBody: c.req.valid("json")?.refresh_token, publicUrl });
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
    .openapi(me, async (c) => {
      const { username, roles, permissions } = c.var.actor;
      const before = deps.live.last() ?? null;
      const account = await findAccount(deps.db, username);
      const display_name = account?.displayName || username; // nobody is greeted by an empty name
      return c.json({
        username,
        display_name,
        claims: wireClaims(account?.claims ?? {}),
        roles: [...roles],
        permissions: [...permissions.codes],
        has_password: (account?.passwordHash ?? null) !== null,
        last_event_id: before,
      }, 200);
    })
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
