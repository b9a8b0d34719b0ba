import type { XmlElement, XmlShape } from "#src/xml/mod.ts";
import type { CompiledCheck } from "./compiled_check.ts";
import type { Chain } from "./xpath/when_absent.ts";
import type { EvaluationFrame } from "./xpath/frame.ts";

/** Checks that hold where certain elements are absent, by the names that lead to them. */
export interface Absences {
  /** Trees by their start: undefined for the node of the rule, else the elements of a list of the document. */
  readonly starts: Map<Chain["from"], AbsenceNode>;
}

interface AbsenceNode {
  readonly kids: Map<number, AbsenceNode>;
  readonly checks: CompiledCheck[];
  /** Number of this node in its tree, which orders the findings. */
  place: number;
}

export function newAbsences(): Absences {
  return { starts: new Map() };
}

export function addAbsence({ starts }: Absences, chain: Chain, check: CompiledCheck): void {
  let at = nodeAt(starts, chain.from);
  for (const name of chain.names) at = nodeAt(at.kids, name);
  at.checks.push(check);
}

function nodeAt<K>(nodes: Map<K, AbsenceNode>, key: K): AbsenceNode {
  const known = nodes.get(key);
  if (known !== undefined) return known;
  const node = { kids: new Map(), checks: [], place: 0 };
  nodes.set(key, node);
  return node;
}

/** Numbers the nodes, once all checks are in. */
export function orderAbsences({ starts }: Absences): void {
  let place = 0;
  const number = (node: AbsenceNode): void => {
    node.place = place++;
    for (const below of node.kids.values()) number(below);
  };
  for (const node of starts.values()) number(node);
}

/**
 * Returns the checks whose names exist below elements with this shape; all others hold. Hundreds of rules say
 * "this element is not used": one walk over the few names of a document evaluates nearly all of them.
 */
export function suspects(
  frame: EvaluationFrame,
  element: XmlElement,
  { starts }: Absences,
): CompiledCheck[] {
  const found = new Set<CompiledCheck>();
  for (const [from, node] of starts) {
    for (const shape of from === undefined ? [element.shape] : from(frame)) {
      const nodes: AbsenceNode[] = [];
      collect(frame, { shape, node }, nodes);
      nodes.sort((a, b) => a.place - b.place);
      for (const { checks } of nodes) for (const check of checks) found.add(check);
    }
  }
  return [...found];
}

function collect(
  frame: EvaluationFrame,
  { shape, node }: { readonly shape: XmlShape; readonly node: AbsenceNode },
  found: AbsenceNode[],
): void {
  for (const [name, kid] of shape.kids) {
    const below = node.kids.get(frame.indexes[name] ?? -1);
    if (below === undefined) continue;
    if (below.checks.length > 0) found.push(below);
    if (below.kids.size > 0) collect(frame, { shape: kid, node: below }, found);
  }
}
