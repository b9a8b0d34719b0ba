/**
 * Finds a column by name, also in capitals. Returns undefined for an unknown name, and for an ambiguous name.
 */
export function nameOfColumn(name: string, columns: Iterable<string>): string | undefined {
  const all = [...columns];
  if (all.includes(name)) return name;
  const alike = all.filter((it) => it.toUpperCase() === name.toUpperCase());
  return alike.length === 1 ? alike[0] : undefined;
}

const MAX_DEPTH = 8;
const WORDS = ["and", "or", "not"];

/**
 * Replaces column names of a filter by their actual names; an invalid filter stays unchanged and is refused when it is
 * parsed.
 */
export function withOwnNames(filter: unknown, columns: readonly string[], depth = 0): unknown {
  if (depth > MAX_DEPTH || typeof filter !== "object" || filter === null) return filter;
  if (Array.isArray(filter)) return filter.map((it) => withOwnNames(it, columns, depth + 1));
  const entries = Object.entries(filter).map(([key, value]) => {
    const isWord = WORDS.includes(key) && !columns.includes(key);
    return isWord
      ? [key, withOwnNames(value, columns, depth + 1)]
      : [nameOfColumn(key, columns) ?? key, value];
  });
  return Object.fromEntries(entries);
}
