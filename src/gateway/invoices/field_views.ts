import { invoices } from "#drizzle/schema/mod.ts";
import {
  type ColumnOf,
  type FieldName,
  getColumn,
  getField,
  type KindOf,
} from "#src/domain/invoice/fields.ts";
import { number } from "./views.ts";

/** Row with the columns of some fields, as drizzle or a JSON text returns them. */
export type StoredFields<Name extends FieldName> = {
  readonly [N in Name as ColumnOf<N>]: KindOf<N> extends "amount" ? number | string | null
    : string | null;
};

type Shown<Name extends FieldName> = {
  [N in Name]: KindOf<N> extends "amount" ? number | null : string;
};

/** Returns the columns of some fields, by their names in the table. */
export function storedFields<Name extends FieldName>(names: readonly Name[]) {
  const columns = names.map((name) => [getColumn(name), invoices[getColumn(name)]]);
  return Object.fromEntries(columns) as {
    [N in Name as ColumnOf<N>]: (typeof invoices)[ColumnOf<N>];
  };
}

/** Returns some fields as the API shows them: an absent text is empty, an absent amount is null. */
export function fieldsView<Name extends FieldName>(
  row: StoredFields<NoInfer<Name>>,
  names: readonly Name[],
): Shown<Name> {
  const values: Readonly<Partial<Record<string, number | string | null>>> = row;
  const shown = names.map((name) => {
    const value = values[getColumn(name)] ?? null;
    return [name, getField(name).kind === "amount" ? number(value) : value ?? ""];
  });
  return Object.fromEntries(shown) as Shown<Name>;
}
