import { parseXml } from "#src/xml/mod.ts";
import type { Closure } from "./closure.ts";

const DECLARATIONS = "urn:passerelle:transform";
const read = new WeakMap<Closure, ReadonlyMap<string, string>>();

/** What the stylesheets declare of themselves: `<p:source bt="BT-1" field="…"/>`, the first one of a term counts. */
export function sourcesOf(closure: Closure): ReadonlyMap<string, string> {
  const known = read.get(closure);
  if (known) return known;
  const sources = new Map<string, string>();
  for (const { text } of closure.files.values()) {
    for (const element of parseXml(text).root.elements()) {
      const bt = element.attr("bt");
      const field = element.attr("field");
      const declares = element.ns === DECLARATIONS && element.local === "source";
      if (declares && bt && field && !sources.has(bt)) sources.set(bt, field);
    }
  }
  read.set(closure, sources);
  return sources;
}
