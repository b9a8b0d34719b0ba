export type Json = Record<string, unknown>;

/** The object in a field; an empty one of its own where there is none. */
export function child(node: Json, name: string): Json {
  const found = node[name];
  return typeof found === "object" && found !== null ? found as Json : {};
}
