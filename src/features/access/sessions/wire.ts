import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { sender } from "#src/http/cross_site.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { TokenPair } from "./open_session.ts";

const REFRESH = "__Host-refresh";
const OPTIONS = { httpOnly: true, secure: true, sameSite: "Strict", path: "/" } as const;
/** Says to our own pages that there is one to ask with, and whether it is still the one it was. Nothing else. */
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
 * The refresh token of the body, else of the cookie. A cookie counts only when the browser says that a page of ours
 * sent it, for silence is no proof; throws 403 otherwise.
 */
export function refreshTokenOf(
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
  if (sender(c, publicUrl) !== "own") {
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
