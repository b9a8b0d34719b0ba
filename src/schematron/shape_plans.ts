import type { XmlName } from "#src/xml/mod.ts";
import type { RuleCandidates } from "./dispatch.ts";

/** The rules to ask of elements of one shape. Names alone lead here, so that it serves one document after another. */
export interface ShapePlan {
  readonly ns: string;
  readonly choices: readonly RuleCandidates[];
  readonly kids: Map<string, ShapePlan>;
  /** Plans below; kept at the root only. */
  size: number;
}

/** A bound for documents that invent names. */
const MAX_PLANS = 5000;

export function newShapePlan(ns: string, choices: readonly RuleCandidates[]): ShapePlan {
  return { ns, choices, kids: new Map(), size: 0 };
}

export function planBelow(plan: ShapePlan, name: XmlName): ShapePlan | undefined {
  const found = plan.kids.get(name.qname);
  return found !== undefined && found.ns === name.ns ? found : undefined;
}

export function keepPlan(
  root: ShapePlan,
  above: ShapePlan,
  { name, choices }: { readonly name: XmlName; readonly choices: readonly RuleCandidates[] },
): ShapePlan {
  const plan = newShapePlan(name.ns, choices);
  if (root.size < MAX_PLANS && !above.kids.has(name.qname)) {
    above.kids.set(name.qname, plan);
    root.size++;
  }
  return plan;
}
