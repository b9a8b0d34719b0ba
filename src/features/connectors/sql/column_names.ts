/** The column a caller means, who may write it in capitals; undefined for none, or for two that differ in nothing else. */
export function nameOfColumn(name: string, columns: Iterable<string>): string | undefined {
  const all = [...columns];
  if (all.includes(name)) return name;
  const alike = all.filter((it) => it.toUpperCase() === name.toUpperCase());
  return alike.length === 1 ? alike[0] : undefined;
}

const DEEPEST = 8;
const WORDS = ["and", "or", "not"];

/** A filter with its columns under their own names; what cannot be a filter stays as it is and is refused where it is read. */
export function withOwnNames(filter: unknown, columns: readonly string[], depth = 0): unknown {
  if (depth > DEEPEST || typeof filter !== "object" || filter === null) return filter;
  if (Array.isArray(filter)) return filter.map((it) => withOwnNames(it, columns, depth + 1));
  const entries = Object.entries(filter).map(([key, value]) => {
    const isWord = WORDS.includes(key) && !columns.includes(key);
    return isWord
      ? [key, withOwnNames(value, columns, depth + 1)]
      : [nameOfColumn(key, columns) ?? key, value];
  });
  return Object.fromEntries(entries);
}
