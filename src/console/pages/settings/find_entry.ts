/** Returns the position of a named entry, such as a connector: the least indented of this name. */
export function findEntry(text: string, name: string | null) {
  const keys = [`${name}:`, `'${name}':`, `"${name}":`];
  const found = text.split("\n")
    .map((it, at) => ({ line: at + 1, column: it.search(/\S/) + 1, key: it.trim().split(" ")[0] }))
    .filter(({ key = "" }) => name !== null && keys.includes(key))
    .sort((a, b) => a.column - b.column);
  return found[0];
}
