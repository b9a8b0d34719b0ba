import type { Context } from "hono";
import { toEtag } from "#src/kernel/etag.ts";
import type { HttpEnv } from "./env.ts";
import { json } from "./router.ts";
import type { z } from "@hono/zod-openapi";

/** Declares answers that rarely change: the full answer with its `ETag`, or 304 if the caller has this version. */
export function fresh<S extends z.ZodType>(schema: S, description: string) {
  return {
    200: { ...json(schema, description), headers: FRESH_HEADERS },
    304: UNCHANGED,
  };
}

export const FRESH_HEADERS = {
  ETag: {
    description: "Of this version, for `If-None-Match`",
    schema: { type: "string" as const },
  },
};
export const UNCHANGED = {
  description: "The content has not changed since the `ETag` in `If-None-Match`; no body",
};

/** Sends JSON text of this revision, or 304 if the caller has it. */
export function sendFresh(
  c: Context<HttpEnv>,
  { text, revision }: { text: string; revision: string },
): Response {
  if (isKnown(c, revision)) return c.body(null, 304);
  return c.body(text, 200, { "Content-Type": "application/json; charset=UTF-8" });
}

/**
 * Sets the tag of this revision. Returns true if `If-None-Match` contains it (RFC 9110, 13.1.2: weak comparison). The
 * answer is private to this caller and language.
 */
export function isKnown(c: Context<HttpEnv>, revision: string): boolean {
  const etag = toEtag(revision);
  c.header("ETag", etag);
  c.header("Cache-Control", "private, max-age=0, must-revalidate");
  c.header("Vary", "Authorization, X-Service-Lang, Accept-Language");
  const known = (c.req.header("if-none-match") ?? "").split(",")
    .map((it) => it.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
