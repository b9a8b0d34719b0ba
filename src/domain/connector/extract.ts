/**
 * Returns the value at a path such as `rates.EUR`, `$.items[0].id` or `["odd name"].x`; undefined when it is
 * missing. Only own properties of the answer are read.
 */
export function valueAt(json: unknown, path: string): unknown {
  let at = json;
  for (const step of getSteps(path)) {
    if (typeof at !== "object" || at === null || !isOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string, unknown>>)[step];
  }
  return at;
}

function isOwn(object: object, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(object, key);
}

function getSteps(path: string): string[] {
  const inner = path.trim().replace(/^\$\.?/, "");
  const steps = inner.matchAll(/\[(\d+)\]|\["([^"]*)"\]|\['([^']*)'\]|([^.[\]]+)/g);
  return [...steps].map(([, index, double, single, name]) =>
    index ?? double ?? single ?? name ?? ""
  );
}
