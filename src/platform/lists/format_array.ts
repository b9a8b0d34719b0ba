/** Returns values as the text of a PostgreSQL array: one parameter, so the statement is the same for any count. */
export function formatArray(values: readonly (number | string | null)[]): string {
  return `{${values.map((it) => it ?? "NULL").join(",")}}`;
}
