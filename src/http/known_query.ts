import { say } from "#src/kernel/i18n/sentence.ts";
import { z } from "@hono/zod-openapi";
import { createMiddleware } from "hono/factory";
import { nearest } from "#src/kernel/text.ts";
import type { HttpEnv } from "./env.ts";
import type { Family } from "./envelope.ts";
import { createMalformed } from "./readable.ts";

/**
 * Refuses query parameters that the route does not declare. If a misspelt parameter were ignored, the answer would be
 * to a different question. A `looseObject` accepts any parameter. Throws AppError `invalid` (`refused` in the database
 * family) with the parameter's name.
 */
export function knownQuery(schema: unknown) {
  const known = getNames(schema);
  return createMiddleware<HttpEnv>(async (c, next) => {
    if (known && c.req.url.includes("?")) {
      for (const name of Object.keys(c.req.queries())) {
        if (!known.has(name)) throw unknownParameter(name, { known, family: c.var.family });
      }
    }
    await next();
  });
}

/** Returns undefined if any name is accepted. */
function getNames(schema: unknown): ReadonlySet<string> | undefined {
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
  return createMalformed(family, {
    where: "query",
    place,
    says: say`there is no such parameter; ${hint}`,
  });
}
