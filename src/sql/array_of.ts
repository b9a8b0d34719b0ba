/** Numbers and ids as one value, an array of PostgreSQL: a statement that names each is another one for each number of them. */
export function arrayOf(values: readonly (number | string | null)[]): string {
  return `{${values.map((it) => it ?? "NULL").join(",")}}`;
}
