import type { SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { beginning, nameKey } from "#drizzle/schema/expressions.ts";

/** Column or expression of an order, as an index has it. */
export type SortKey = PgColumn | Expression;

interface Expression {
  readonly expression: SQL;
  readonly type: string;
  readonly nullable?: boolean;
}

/** Returns the sort key of a text without a length limit: its beginning. */
export function textKey(column: PgColumn): SortKey {
  return { expression: beginning(column), type: "text", nullable: !column.notNull };
}

/** Returns the sort key of a name, without case and accents. */
export function foldedKey(column: PgColumn): Expression {
  return { expression: nameKey(column), type: "text", nullable: !column.notNull };
}

export function toSql(key: SortKey): PgColumn | SQL {
  return "expression" in key ? key.expression : key;
}

/** Returns the type to which a text is cast for a comparison with the key. */
export function getType(key: SortKey): string {
  if ("expression" in key) return key.type;
  const type = key.getSQLType();
  return type === "bigserial" ? "bigint" : type;
}

/** Returns true if rows may lack a value of the key. */
export function isNullable(key: SortKey | undefined): key is SortKey {
  if (key === undefined) return false;
  return "expression" in key ? key.nullable ?? false : !key.notNull;
}
