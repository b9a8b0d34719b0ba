import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Deps } from "#src/deps.ts";
import { wantsPage } from "#src/http/console.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { failing, newRouter, route } from "#src/http/router.ts";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Oidc, OidcLogin } from "#src/ports/oidc.ts";
import type { AccessDeps } from "../needs.ts";
import { setRefreshCookie } from "./wire.ts";
import { signInFederated } from "./sign_in_oidc.ts";

const PUBLIC = { method: "get" as const, "x-permission": "public" as const, tags: ["Sign-in"] };

const begin = route({
  ...PUBLIC,
  operationId: "beginOidcSignIn",
  path: "/auth/oidc/login",
  summary: "Start the sign-in with the identity provider",
  description:
    "For browsers. A browser that cannot be redirected returns to the console with the reason.",
  responses: { 302: { description: "Redirect to the identity provider" } },
});
const callback = route({
  ...PUBLIC,
  operationId: "completeOidcSignIn",
  path: "/auth/oidc/callback",
  summary: "Complete the sign-in with the identity provider",
  description:
    "For browsers. The session is a cookie; a failed sign-in returns to the console with the reason.",
  // A provider adds parameters as it likes (RFC 6749, 4.1.2).
  request: { query: z.looseObject({}) },
  responses: { 302: { description: "Redirect to the console" }, ...failing(401, 422) },
});

type OidcRoutesDeps = Pick<Deps, "clock" | "vault">;

export function oidcRoutes(deps: AccessDeps & OidcRoutesDeps & Pick<Deps, "oidc">) {
  const router = newRouter("framework");
  router.use("/auth/oidc/*", toldInPage);
  return router
    .openapi(begin, async (c) => {
      const { url, login } = await requireOidc(deps.oidc).begin();
      remember(c, deps, login);
      return c.redirect(url.href, 302);
    })
    .openapi(callback, async (c) => {
      const oidc = requireOidc(deps.oidc);
      const login = recall(c, deps);
      const returned = new URL(c.req.url);
      const identity = await oidc.complete(returned, login);
      const { address } = c.var;
      setRefreshCookie(c, await signInFederated(deps, { identity, method: "oidc", address }));
      c.var.access.forget();
      return c.redirect(HOME, 302);
    });
}

/** The console. */
const HOME = "/";

/**
 * Redirects browsers to the sign-in page, which shows the error, even for errors before a handler; programs receive the
 * JSON error.
 */
const toldInPage = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  if (!(c.error instanceof AppError) || !wantsPage(c)) return;
  c.res = c.redirect(`${HOME}?sign-in=${FAILED[c.error.code] ?? "away"}`, 302);
  c.res.headers.delete("content-type");
});

const FAILED: Partial<Record<ErrorCode, string>> = {
  invalid: "over",
  unauthenticated: "refused",
  forbidden: "refused",
  conflict: "refused",
  refused: "refused",
};

const COOKIE = "__Host-oidc";
const CONTEXT = "sign-in at the identity provider";
/** Lax, since the provider sends the browser back from another site. */
const OPTIONS = { httpOnly: true, secure: true, sameSite: "Lax", path: "/" } as const;

const LASTS_S = 600;

/**
 * State in the browser until the provider redirects back. `until` is in milliseconds, because a browser may keep a
 * cookie longer.
 */
type Kept = OidcLogin & { readonly until: number };

/** Tabs of one browser may each be on their way. */
const MAX_STARTED = 4;

/** Binds the sign-in to the browser that began it: sealed, for ten minutes. */
function remember(c: Context<HttpEnv>, deps: OidcRoutesDeps, login: OidcLogin): void {
  const until = deps.clock.now().getTime() + LASTS_S * 1000;
  keep(c, deps, [...listBegun(c, deps), { ...login, until }].slice(-MAX_STARTED));
}

/**
 * Reads and deletes the login state, so that each login can return once. A foreign return does not delete other logins.
 */
function recall(c: Context<HttpEnv>, deps: OidcRoutesDeps): OidcLogin {
  const all = listBegun(c, deps);
  const login = all.find(({ state }) => state === c.req.query("state"));
  keep(c, deps, all.filter((it) => it !== login));
  if (login) return login;
  throw new AppError(
    "invalid",
    say`No sign-in was begun in this browser, or more than ten minutes ago`,
  );
}

function keep(c: Context<HttpEnv>, { vault }: OidcRoutesDeps, all: readonly Kept[]): void {
  if (all.length === 0) return void deleteCookie(c, COOKIE, OPTIONS);
  const sealed = vault.seal(JSON.stringify(all), CONTEXT);
  setCookie(c, COOKIE, sealed, { ...OPTIONS, maxAge: LASTS_S });
}

function listBegun(c: Context<HttpEnv>, { clock, vault }: OidcRoutesDeps): readonly Kept[] {
  const sealed = getCookie(c, COOKIE);
  const now = clock.now().getTime();
  return sealed ? openLogins(vault, sealed).filter(({ until }) => now < until) : [];
}

/** Returns no logins for a cookie that was not made here. */
function openLogins(vault: Deps["vault"], sealed: string): readonly Kept[] {
  try {
    return [JSON.parse(vault.open(sealed, CONTEXT)) as Kept | Kept[]].flat(); // older versions stored a single login
  } catch {
    return [];
  }
}

function requireOidc(oidc: Oidc | undefined): Oidc {
  if (!oidc) {
    throw new AppError(
      "unavailable",
      say`No identity provider is configured: OIDC_ISSUER, OIDC_CLIENT_ID and PUBLIC_URL`,
    );
  }
  return oidc;
}
