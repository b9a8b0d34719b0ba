import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { Deps } from "#src/deps.ts";
import { wantsPage } from "#src/http/console.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { failing, newRouter, route } from "#src/http/router.ts";
import { AppError, type ErrorCode } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Oidc, OidcLogin } from "#src/ports/oidc.ts";
import type { AccessNeeds } from "../needs.ts";
import { setRefreshCookie } from "./wire.ts";
import { signInFederated } from "./sign_in_oidc.ts";

const PUBLIC = { method: "get" as const, "x-permission": "public" as const, tags: ["Sign-in"] };

const begin = route({
  ...PUBLIC,
  operationId: "beginOidcSignIn",
  path: "/auth/oidc/login",
  summary: "To the identity provider",
  description: "A browser that cannot be sent there comes back to the console, which says why",
  responses: { 302: { description: "To the identity provider" } },
});
const callback = route({
  ...PUBLIC,
  operationId: "completeOidcSignIn",
  path: "/auth/oidc/callback",
  summary: "Back from the identity provider: the session as a cookie, never a token in a URL",
  description: "A browser whose sign-in fails comes back to the console as well, which says why",
  // A provider adds parameters as it likes (RFC 6749, 4.1.2).
  request: { query: z.looseObject({}) },
  responses: { 302: { description: "To `/`" }, ...failing(401, 422) },
});

type Needs = Pick<Deps, "clock" | "vault">;

export function oidcRoutes(deps: AccessNeeds & Needs & Pick<Deps, "oidc">) {
  const router = newRouter("framework");
  router.use("/auth/oidc/*", toldInPage);
  return router
    .openapi(begin, async (c) => {
      const { url, login } = await configured(deps.oidc).begin();
      remember(c, deps, login);
      return c.redirect(url.href, 302);
    })
    .openapi(callback, async (c) => {
      const oidc = configured(deps.oidc);
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

/** A person is told by the sign-in what failed, in words of its own, also before a handler is reached; a program gets the answer. */
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

/** What the browser keeps until the provider sends it back; `until` in milliseconds, for a cookie may be kept longer. */
type Kept = OidcLogin & { readonly until: number };

/** Tabs of one browser may each be on their way. */
const MOST_BEGUN = 4;

/** Binds the sign-in to the browser that began it: sealed, for ten minutes. */
function remember(c: Context<HttpEnv>, needs: Needs, login: OidcLogin): void {
  const until = needs.clock.now().getTime() + LASTS_S * 1000;
  keep(c, needs, [...begun(c, needs), { ...login, until }].slice(-MOST_BEGUN));
}

/** Forgets it at once, so that each sign-in can return once; what returns from elsewhere takes none of the others away. */
function recall(c: Context<HttpEnv>, needs: Needs): OidcLogin {
  const all = begun(c, needs);
  const login = all.find(({ state }) => state === c.req.query("state"));
  keep(c, needs, all.filter((it) => it !== login));
  if (login) return login;
  throw new AppError(
    "invalid",
    say`No sign-in was begun in this browser, or more than ten minutes ago`,
  );
}

function keep(c: Context<HttpEnv>, { vault }: Needs, all: readonly Kept[]): void {
  if (all.length === 0) return void deleteCookie(c, COOKIE, OPTIONS);
  const sealed = vault.seal(JSON.stringify(all), CONTEXT);
  setCookie(c, COOKIE, sealed, { ...OPTIONS, maxAge: LASTS_S });
}

function begun(c: Context<HttpEnv>, { clock, vault }: Needs): readonly Kept[] {
  const sealed = getCookie(c, COOKIE);
  const now = clock.now().getTime();
  return sealed ? opened(vault, sealed).filter(({ until }) => now < until) : [];
}

/** Of a cookie that was not made here, none. */
function opened(vault: Deps["vault"], sealed: string): readonly Kept[] {
  try {
    return [JSON.parse(vault.open(sealed, CONTEXT)) as Kept | Kept[]].flat(); // one alone, as it was once kept
  } catch {
    return [];
  }
}

function configured(oidc: Oidc | undefined): Oidc {
  if (!oidc) {
    throw new AppError(
      "unavailable",
      say`No identity provider is configured: OIDC_ISSUER, OIDC_CLIENT_ID and PUBLIC_URL`,
    );
  }
  return oidc;
}
