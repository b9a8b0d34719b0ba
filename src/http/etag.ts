import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { HttpEnv } from "./env.ts";
import { json } from "./router.ts";

/** Headers of a route that changes a resource with an `ETag`. */
export const IfMatch = z.object({
  "if-match": z.string().max(1_000).optional().openapi({
    description:
      "`ETag` of the object to change. The answer is 412 when the object changed in the meantime",
    example: '"7"',
  }),
});

/** Declares an answer with the tag of the resource it shows or changed. */
export function declareTagged<S extends z.ZodType>(schema: S, description: string) {
  return {
    ...json(schema, description),
    headers: {
      ETag: {
        description: "Version of the object, for `If-Match`",
        schema: { type: "string" as const },
      },
    },
  };
}

export function readIfMatch(c: Context<HttpEnv>): string | undefined {
  return c.req.header("if-match");
}
