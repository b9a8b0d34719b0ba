import type { SQL } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { beginning, nameKey } from "#drizzle/schema/expressions.ts";

/** One column or expression of an order, as an index has it. */
export type SortKey = PgColumn | Expression;

interface Expression {
  readonly expression: SQL;
  readonly type: string;
  readonly nullable?: boolean;
}

/** Texts without a limit are sorted by their beginning. */
export function textKey(column: PgColumn): SortKey {
  return { expression: beginning(column), type: "text", nullable: !column.notNull };
}

/** Names are sorted without case and accents. */
export function foldedKey(column: PgColumn): Expression {
  return { expression: nameKey(column), type: "text", nullable: !column.notNull };
}

export function sqlOf(key: SortKey): PgColumn | SQL {
  return "expression" in key ? key.expression : key;
}

/** What a text is cast to, to be compared with the key. */
export function typeOf(key: SortKey): string {
  if ("expression" in key) return key.type;
  const type = key.getSQLType();
  return type === "bigserial" ? "bigint" : type;
}

/** Whether rows may have no value of it. */
export function isNullable(key: SortKey | undefined): key is SortKey {
  if (key === undefined) return false;
  return "expression" in key ? key.nullable ?? false : !key.notNull;
}
