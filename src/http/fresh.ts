import type { Context } from "hono";
import { tagOf } from "#src/kernel/etag.ts";
import type { HttpEnv } from "./env.ts";
import { json } from "./router.ts";
import type { z } from "@hono/zod-openapi";

/** Answers of what changes seldom: whole with their `ETag`, or 304 for a caller that has this version. */
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
  description: "What `If-None-Match` names is still true; without a body",
};

/** Sends JSON text of this revision, or 304 where the caller has it. */
export function sendFresh(
  c: Context<HttpEnv>,
  { text, revision }: { text: string; revision: string },
): Response {
  if (isKnown(c, revision)) return c.body(null, 304);
  return c.body(text, 200, { "Content-Type": "application/json; charset=UTF-8" });
}

/**
 * Gives the answer the tag of this revision; true where `If-None-Match` names it (RFC 9110, 13.1.2: compared weakly). The answer
 * belongs to this caller and this language alone.
 */
export function isKnown(c: Context<HttpEnv>, revision: string): boolean {
  const etag = tagOf(revision);
  c.header("ETag", etag);
  c.header("Cache-Control", "private, max-age=0, must-revalidate");
  c.header("Vary", "Authorization, X-Service-Lang, Accept-Language");
  const known = (c.req.header("if-none-match") ?? "").split(",")
    .map((it) => it.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}
