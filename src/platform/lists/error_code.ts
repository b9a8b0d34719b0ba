/** Finds the SQLSTATE of an error in its causes. */
export function findSqlState(error: unknown): string | undefined {
  for (let it: unknown = error; it instanceof Error; it = it.cause) {
    if ("code" in it && typeof it.code === "string") return it.code;
  }
  return undefined;
}
