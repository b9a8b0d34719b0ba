import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { HttpEnv } from "#src/http/env.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { TokenPair } from "./open_session.ts";

const REFRESH = "__Host-refresh";
const OPTIONS = { httpOnly: true, secure: true, sameSite: "Strict", path: "/" } as const;

/** The only cookie that authenticates: out of reach of scripts, sent by our own pages only. */
export function setRefreshCookie(
  c: Context<HttpEnv>,
  { refreshToken, refreshExpiresAt }: TokenPair,
): void {
  if (refreshToken !== undefined) {
    setCookie(c, REFRESH, refreshToken, { ...OPTIONS, expires: refreshExpiresAt });
  }
}

export function clearRefreshCookie(c: Context<HttpEnv>): void {
  deleteCookie(c, REFRESH, OPTIONS);
}

/**
 * The refresh token of the body, else of the cookie. A cookie counts only when the browser says that a page of ours
 * sent it; throws 403 otherwise.
 */
export function refreshTokenOf(
  c: Context<HttpEnv>,
  { inBody, publicUrl }: { inBody: string | undefined; publicUrl: string | undefined },
): string {
  if (inBody) return inBody;
  const token = getCookie(c, REFRESH);
  if (!token) {
    throw new AppError("unauthenticated", "A refresh token is needed, in the body or the cookie");
  }
  if (!isOwnPage(c, publicUrl)) {
    throw new AppError("forbidden", "The cookie was sent by a page of another site");
  }
  return token;
}

/** `Sec-Fetch-Site` where the browser sends it, the origin elsewhere; silence is no proof. */
function isOwnPage(c: Context<HttpEnv>, publicUrl: string | undefined): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("origin");
  if (origin === undefined || !URL.canParse(origin)) return false;
  return publicUrl === undefined
    ? new URL(origin).host === c.req.header("host")
    : origin === publicUrl;
}

export function wirePair({ accessToken, refreshToken, expiresIn }: TokenPair) {
  return {
    access_token: accessToken,
    refresh_token: refreshToken ?? "",
    token_type: "Bearer" as const,
    expires_in: expiresIn,
  };
}
