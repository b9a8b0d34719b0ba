import { say } from "#src/kernel/sentences/sentence.ts";
import { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { nearest } from "#src/kernel/text.ts";
import type { HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";
import { malformed } from "./readable.ts";

/**
 * Refuses a query parameter that the route does not declare, since one that is passed over in silence (`?kko=00002`)
 * answers another question than was asked. A `looseObject` takes any: for callers that add parameters of their own.
 * Throws AppError `invalid` (`refused` in the database family) naming the parameter.
 */
export function knownQuery(schema: unknown) {
  const known = namesOf(schema);
  return createMiddleware<HttpEnv>(async (c, next) => {
    if (known && c.req.url.includes("?")) {
      for (const name of Object.keys(c.req.queries())) {
        if (!known.has(name)) throw unknownParameter(name, { known, family: c.var.family });
      }
    }
    await next();
  });
}

/** Undefined where any name is taken. */
function namesOf(schema: unknown): ReadonlySet<string> | undefined {
  if (schema === undefined) return new Set();
  if (!(schema instanceof z.ZodObject)) throw new Error("A query is declared as an object");
  const { catchall } = schema.def;
  return catchall && !(catchall instanceof z.ZodNever)
    ? undefined
    : new Set(Object.keys(schema.shape));
}

function unknownParameter(
  name: string,
  { known, family }: { known: ReadonlySet<string>; family: Family },
) {
  const meant = nearest(name, known);
  const hint = meant
    ? say`did you mean ${meant}?`
    : known.size
    ? say`known are ${[...known]}`
    : say`this call takes none`;
  const place = name.slice(0, 100) || say`(nameless)`;
  return malformed(family, {
    where: "query",
    place,
    says: say`there is no such parameter; ${hint}`,
  });
}
