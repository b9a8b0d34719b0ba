import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { isLoopbackHost } from "#src/kernel/url.ts";
import type { HttpEnv } from "./env.ts";
import type { Access } from "./guard.ts";

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Pages of other sites change nothing here and use nobody's cookie: whatever a browser says comes from one is refused,
 * unless it is a plain visit. Where nobody signs in, pages of other sites read nothing either, and the product answers
 * to the names of this machine alone, so that no name an attacker lets point here leads in (DNS rebinding). Throws
 * AppError `forbidden`.
 */
export function crossSite(
  { access, publicUrl }: { access: Access; publicUrl: string | undefined },
) {
  return createMiddleware<HttpEnv>(async (c, next) => {
    const isOpen = access.isOpen ?? false;
    const stranger = isOpen ? problemOfHost(hostOf(c)) : undefined;
    if (stranger) throw new AppError("forbidden", stranger);
    const isSafe = SAFE.has(c.req.method);
    const isVisit = isSafe && c.req.header("sec-fetch-mode") === "navigate";
    const isGuarded = !isSafe || isOpen || c.req.header("cookie") !== undefined;
    if (isGuarded && !isVisit && sender(c, publicUrl) === "foreign") {
      throw new AppError("forbidden", FOREIGN);
    }
    await next();
  });
}

const FOREIGN = say`A page of another site sent this call`;

function problemOfHost(host: string): Sentence | undefined {
  if (isLoopbackHost(host)) return undefined;
  return say`Without sign-in the product answers as localhost only, not as ${shown(host)}`;
}

type Header = (name: string) => string | undefined;

/** As `crossSite`, for connections that last: a token proves who opens one; where nobody signs in, no page of another site does. */
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
    (senderOf(header, { host, publicUrl }) === "foreign" ? FOREIGN : undefined);
}

/**
 * What a browser says of the page that sent a call: `Sec-Fetch-Site` where it sends it (Fetch Metadata), the origin
 * elsewhere. Programs say nothing, which proves nothing.
 */
export function sender(
  c: Context<HttpEnv>,
  publicUrl: string | undefined,
): "own" | "foreign" | "unknown" {
  return senderOf((name) => c.req.header(name), { host: hostOf(c), publicUrl });
}

function senderOf(
  header: Header,
  { host, publicUrl }: { host: string; publicUrl: string | undefined },
): "own" | "foreign" | "unknown" {
  const site = header("sec-fetch-site");
  if (site === "same-origin") return "own";
  if (site === "none") return "unknown"; // a person's own doing: an address typed, a bookmark
  if (site !== undefined) return "foreign";
  const origin = header("origin");
  if (origin === undefined) return "unknown";
  if (!URL.canParse(origin)) return "foreign";
  const isOwn = publicUrl === undefined ? new URL(origin).host === host : origin === publicUrl;
  return isOwn ? "own" : "foreign";
}

function hostOf(c: Context<HttpEnv>): string {
  return c.req.header("host") ?? new URL(c.req.url).host;
}

function shown(host: string): string {
  return JSON.stringify(host.slice(0, 100));
}
