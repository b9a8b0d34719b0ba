import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { isLoopbackHost } from "#src/kernel/url.ts";
import type { HttpEnv } from "./env.ts";
import { isListedOrigin } from "./cors.ts";
import type { Access } from "./guard.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Refuses calls that the browser marks as coming from other sites, unless they are plain visits or from pages of
 * `CORS_ORIGINS`. Such pages can change nothing and use no cookie.
 * Without sign-in, other sites cannot read either, and the product answers only to the names of this machine (DNS
 * rebinding). Throws AppError `forbidden`.
 */
export function crossSite(
  { access, publicUrl, corsOrigins }: {
    access: Access;
    publicUrl: string | undefined;
    corsOrigins: readonly string[];
  },
) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const isOpen = access.isOpen ?? false;
    const stranger = isOpen ? problemOfHost(getHost(c)) : undefined;
    if (stranger) throw new AppError("forbidden", stranger);
    const isSafe = SAFE.has(c.req.method);
    const isVisit = isSafe && c.req.header("sec-fetch-mode") === "navigate";
    const isGuarded = !isSafe || isOpen || c.req.header("cookie") !== undefined;
    const isListed = isListedOrigin(c, corsOrigins);
    if (isGuarded && !isVisit && !isListed && sender(c, publicUrl) === "foreign") {
      throw new AppError("forbidden", FOREIGN);
    }
    await next();
  });
}

const FOREIGN = say`A page of another site sent this call`;

function problemOfHost(host: string): Sentence | undefined {
  if (isLoopbackHost(host)) return undefined;
  return say`Without sign-in the product answers as localhost only, not as ${formatHost(host)}`;
}

type Header = (name: string) => string | undefined;

/**
 * Checks the origin of long-lived connections like `crossSite`. A token authenticates who opens one. Without sign-in,
 * pages of other sites may open none.
 */
export function originProblem(
  { header, publicUrl, isOpen }: {
    header: Header;
    publicUrl: string | undefined;
    isOpen: boolean;
  },
): Sentence | undefined {
  if (!isOpen) return undefined;
  const host = header("host") ?? "";
  return problemOfHost(host) ??
    (findSender(header, { host, publicUrl }) === "foreign" ? FOREIGN : undefined);
}

/**
 * Returns the browser's statement about the calling page: `Sec-Fetch-Site` (Fetch Metadata), else the origin. Other
 * programs send neither, which proves nothing.
 */
export function sender(
  c: Context<HttpEnv>,
  publicUrl: string | undefined,
): "own" | "foreign" | "unknown" {
  return findSender((name) => c.req.header(name), { host: getHost(c), publicUrl });
}

/**
 * Checks whether a cookie may authenticate this call: one of our own pages or a program sent it. A browser always sends
 * `Sec-Fetch-Site` or, with a POST, `Origin`. A program sends neither and received the cookie at its own sign-in.
 */
export function mayUseCookie(c: Context<HttpEnv>, publicUrl: string | undefined): boolean {
  const isBrowser = BROWSER_HEADERS.some((name) => c.req.header(name) !== undefined);
  return !isBrowser || sender(c, publicUrl) === "own";
}

const BROWSER_HEADERS = ["origin", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];

function findSender(
  header: Header,
  { host, publicUrl }: { host: string; publicUrl: string | undefined },
): "own" | "foreign" | "unknown" {
  const site = header("sec-fetch-site");
  if (site === "same-origin") return "own";
  if (site === "none") return "unknown"; // the user typed the address or opened a bookmark
  if (site !== undefined) return "foreign";
  const origin = header("origin");
  if (origin === undefined) return "unknown";
  if (!URL.canParse(origin)) return "foreign";
  const isOwn = publicUrl === undefined ? new URL(origin).host === host : origin === publicUrl;
  return isOwn ? "own" : "foreign";
}

function getHost(c: Context<HttpEnv>): string {
  return c.req.header("host") ?? new URL(c.req.url).host;
}

function formatHost(host: string): string {
  return JSON.stringify(host.slice(0, 100));
}
