import type { XmlElement, XmlShape } from "#src/xml/mod.ts";
import type { CompiledCheck } from "./compile_schema.ts";
import type { Chain } from "./xpath/code.ts";
import type { Frame } from "./xpath/frame.ts";

/** Checks that certain elements are absent, by the names that lead to them. */
export interface Absences {
  readonly kids: Map<number, Absences>;
  readonly checks: CompiledCheck[];
}

export function newAbsences(): Absences {
  return { kids: new Map(), checks: [] };
}

export function addAbsence(root: Absences, chain: Chain, check: CompiledCheck): void {
  let at = root;
  for (const name of chain.names) {
    let next = at.kids.get(name);
    if (next === undefined) at.kids.set(name, next = newAbsences());
    at = next;
  }
  at.checks.push(check);
}

/**
 * The checks whose names do lead somewhere below elements built like this one; all others hold. Hundreds of rules say
 * "this element is not used": one walk over the few names a document has answers for nearly all of them.
 */
export function suspects(frame: Frame, element: XmlElement, absences: Absences): CompiledCheck[] {
  const found: CompiledCheck[] = [];
  collect(frame, { shape: element.shape, absences }, found);
  return found;
}

function collect(
  frame: Frame,
  { shape, absences }: { readonly shape: XmlShape; readonly absences: Absences },
  found: CompiledCheck[],
): void {
  for (const [name, below] of absences.kids) {
    const kid = shape.kids.get(frame.names[name] ?? -1);
    if (kid === undefined) continue;
    found.push(...below.checks);
    if (below.kids.size > 0) collect(frame, { shape: kid, absences: below }, found);
  }
}
