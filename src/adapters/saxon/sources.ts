import { runYielding } from "#src/kernel/run_yielding.ts";
import { parseXmlSteps } from "#src/xml/mod.ts";
import type { Closure } from "./closure.ts";

type Sources = ReadonlyMap<string, string>;

const DECLARATIONS = "urn:passerelle:transform";
const read = new WeakMap<Closure, Promise<Sources>>();

/**
 * Returns the business terms that stylesheets declare: `<p:source bt="BT-1" field="…"/>`. The first declaration
 * of a term counts.
 */
export function collectSources(closure: Closure): Promise<Sources> {
  const known = read.get(closure) ?? declaredIn(closure);
  read.set(closure, known);
  return known;
}

async function declaredIn(closure: Closure): Promise<Sources> {
  const sources = new Map<string, string>();
  for (const { text } of closure.files.values()) {
    // Its namespace is spelled out, or with character references.
    if (!text.includes(DECLARATIONS) && !text.includes("&#")) continue;
    const { root } = await runYielding(parseXmlSteps(text));
    for (const element of root.elements()) {
      const bt = element.attr("bt");
      const field = element.attr("field");
      const declares = element.ns === DECLARATIONS && element.local === "source";
      if (declares && bt && field && !sources.has(bt)) sources.set(bt, field);
    }
  }
  return sources;
}
