import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { mayUseCookie } from "#src/http/cross_site.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { TokenPair } from "./open_session.ts";

const REFRESH = "__Host-refresh";
const OPTIONS = { httpOnly: true, secure: true, sameSite: "Strict", path: "/" } as const;
/** Cookie that tells our own pages that a session exists and when it changes. It contains nothing else. */
const MARK = "__Host-session";
const MARK_OPTIONS = { ...OPTIONS, httpOnly: false } as const;

/** The only cookie that authenticates: out of reach of scripts, sent by our own pages only. */
export function setRefreshCookie(
  c: Context<HttpEnv>,
  { refreshToken, refreshExpiresAt }: TokenPair,
): void {
  if (refreshToken === undefined) return;
  setCookie(c, REFRESH, refreshToken, { ...OPTIONS, expires: refreshExpiresAt });
  setCookie(c, MARK, crypto.randomUUID(), { ...MARK_OPTIONS, expires: refreshExpiresAt });
}

export function clearRefreshCookie(c: Context<HttpEnv>): void {
  deleteCookie(c, REFRESH, OPTIONS);
  deleteCookie(c, MARK, MARK_OPTIONS);
}

/**
 * Returns the refresh token of the body, else of the cookie. Throws AppError `forbidden` for a cookie sent from a page
 * of another site.
 */
export function readRefreshToken(
  c: Context<HttpEnv>,
  { inBody, publicUrl }: { inBody: string | undefined; publicUrl: string | undefined },
): string {
  if (inBody) return inBody;
  const token = getCookie(c, REFRESH);
  if (!token) {
    throw new AppError(
      "unauthenticated",
      say`A refresh token is needed, in the body or the cookie`,
    );
  }
  if (!mayUseCookie(c, publicUrl)) {
    throw new AppError("forbidden", say`The cookie was sent by a page of another site`);
  }
  return token;
}

export function wirePair({ accessToken, refreshToken, expiresIn }: TokenPair) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken ?? "",
    token_type: "Bearer" as const,
    expires_in: expiresIn,
  };
}
