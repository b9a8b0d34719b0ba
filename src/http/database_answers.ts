import { z } from "@hono/zod-openapi";
import { words } from "#src/kernel/i18n/schema.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

/** Names of column types in the database family. */
const TYPE_NAMES = [
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

export const Metadata = z.array(
  z.object({
    name: z.string().openapi({ description: "Name of the column", example: "ORDER_NO" }),
    type: z.enum(TYPE_NAMES).openapi({ description: "Type of the values" }),
  }).openapi({ description: "Column of a result" }),
);
export const Success = z.literal("success");
export const success = "success" as const;

/** The product's own database, under the name that clients of the family use. */
export const DEFAULT_POOL = "default";

export const PoolAlias = z.string().regex(
  /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/,
  words(say`expected the alias of a pool`),
);

/** Pool of definitions and users. Whatever other pools exist, it is the product's own database. */
export const FrameworkPool = z.literal(DEFAULT_POOL).default(DEFAULT_POOL);

/** Framework or session pool; both are the same here. */
export const SessionMode = z.enum(["framework", "session"]).default("framework");

/** A row without any value is refused. */
export const EMPTY_BODY = say`The body is empty: an object of names and values is expected`;

/** Adds row numbers to the rows; a column of that name wins. */
export function numberRows<Row extends object>(rows: readonly Row[], from = 0) {
  return rows.map((row, at) => ({ ROW_ID: from + at + 1, ...row }));
}
