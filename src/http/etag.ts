import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { HttpEnv } from "./env.ts";
import { json } from "./router.ts";

/** Headers of a route that changes what can be read with an `ETag`. */
export const IfMatch = z.object({
  "if-match": z.string().max(1_000).optional().openapi({
    description:
      "The `ETag` of what is to be changed; when it was changed meanwhile the answer is 412",
    example: '"7"',
  }),
});

/** An answer that carries the tag of what it shows or changed. */
export function tagged<S extends z.ZodType>(schema: S, description: string) {
  return {
    ...json(schema, description),
    headers: {
      ETag: { description: "Of this version, for `If-Match`", schema: { type: "string" as const } },
    },
  };
}

export function ifMatchOf(c: Context<HttpEnv>): string | undefined {
  return c.req.header("if-match");
}
