import { z } from "@hono/zod-openapi";
import { words } from "#src/kernel/sentences/schema.ts";
import { say } from "#src/kernel/sentences/sentence.ts";

/** What the database family calls the types of columns. */
export const TYPE_NAMES = [
  "int",
  "str",
  "float",
  "bool",
  "date",
  "datetime",
  "bytes",
  "UNKNOWN",
] as const;
export type TypeName = (typeof TYPE_NAMES)[number];

export const Metadata = z.array(z.object({ name: z.string(), type: z.enum(TYPE_NAMES) }));
export const Success = z.literal("success");
export const success = "success" as const;

/** The family's own database, under the name its clients know. */
export const DEFAULT_POOL = "default";

export const PoolAlias = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/,
  words(say`expected the alias of a pool`),
);

/** Where definitions and users lie, whatever other pools there are: the product's own database. */
export const FrameworkPool = z.literal(DEFAULT_POOL).default(DEFAULT_POOL);

/** From the framework or from the session's pool: both are the same here. */
export const SessionMode = z.enum(["framework", "session"]).default("framework");

/** A row without a value is none. */
export const EMPTY_BODY = say`The body is empty: an object of names and values is expected`;

/** Rows with their number in the answer; one that has a number of its own keeps it. */
export function numbered<Row extends object>(rows: readonly Row[], from = 0) {
  return rows.map((row, at) => ({ ROW_ID: from + at + 1, ...row }));
}
