import type { Dialect } from "#src/ports/pool.ts";
import type { StatementWriter } from "./statement.ts";

/** A table as the settings name it, `orders` or `app.orders`, in a database of this dialect. */
export interface QualifiedTable {
  readonly name: string;
  readonly dialect: Dialect;
}

/** Each part quoted. */
export function tableName(name: string, writer: StatementWriter): string {
  return name.split(".").map((it) => writer.column(it)).join(".");
}

/** Builds the condition that a row has these values in its key columns. */
export function keyCondition(
  key: readonly string[],
  { values, writer }: {
    values: ReadonlyMap<string, { readonly type: string; readonly value: unknown }>;
    writer: StatementWriter;
  },
): string {
  return key.map((it) => {
    const { type = "string", value } = values.get(it) ?? {};
    return `${writer.column(it)} = ${writer.place(value, { type })}`;
  }).join(" and ");
}
