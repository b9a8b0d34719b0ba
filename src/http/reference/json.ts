export type JsonObjectNode = Record<string, unknown>;

/** Returns the object in a field; creates an empty one if it is missing. */
export function child(node: JsonObjectNode, name: string): JsonObjectNode {
  const found = node[name];
  return typeof found === "object" && found !== null ? found as JsonObjectNode : {};
}
