/** Converts the declared type of a column (sqlite.org/datatype3.html, 3.1); undefined where it has none. */
export function typeNamed(declared: string | null): string | undefined {
  if (!declared) return undefined;
  const type = declared.toLowerCase();
  if (type.includes("int")) return "integer";
  if (type.includes("bool")) return "boolean";
  if (/datetime|timestamp/.test(type)) return "datetime";
  if (/^date$|^time$|^uuid$|^json$/.test(type)) return type;
  if (/dec|numeric/.test(type)) return "decimal";
  if (/real|floa|doub/.test(type)) return "number";
  return type.includes("blob") ? "binary" : "string";
}

/** Returns the types of columns; a column without a declared type has that of its first value. */
export function detectTypes(
  declared: readonly (string | undefined)[],
  rows: readonly (readonly unknown[])[],
): string[] {
  return declared.map((type, at) => {
    if (type !== undefined) return type;
    const value = rows.find((row) => row[at] !== null)?.[at];
    if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
    return value instanceof Uint8Array ? "binary" : "string";
  });
}
