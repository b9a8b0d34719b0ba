import type { XmlDocument } from "#src/xml/mod.ts";
import type { XPathItem } from "./items.ts";

/** Everything an evaluation may look at. One frame serves one run over one document; closures change and restore it. */
export interface EvaluationFrame {
  doc: XmlDocument;
  /** Number in this document of each name the schema uses; -1 when the document lacks it. */
  names: Int32Array;
  /** Index that the schema gives to each name of the validated document; -1 for unused names. */
  indexes: Int32Array;
  item: XPathItem | undefined;
  position: number;
  last: number;
  /** Result of `current()`: the node with which a rule, pattern or function was entered. */
  current: XPathItem | undefined;
  /** Local variables: those of the rule and of its expressions, or of the function being called. */
  vars: unknown[];
  /** Variables of the schema and its patterns. */
  readonly globals: unknown[];
  /** Results that depend on the document alone, each computed once. */
  readonly memo: unknown[];
  /** When the run takes place. */
  now: Date | undefined;
  /** Nested calls of `xsl:function`. */
  depth: number;
}

/** A variable or memo not computed yet. */
export const UNSET = Symbol("unset");

/** Cached fault, thrown at each use as if computed again. */
export class Failed {
  readonly fault: unknown;
  constructor(fault: unknown) {
    this.fault = fault;
  }
}

export interface FrameSizes {
  readonly names: number;
  readonly globals: number;
  readonly locals: number;
  readonly memo: number;
}

export function newFrame(doc: XmlDocument, sizes: FrameSizes): EvaluationFrame {
  return {
    doc,
    names: new Int32Array(sizes.names),
    indexes: new Int32Array(0),
    item: doc,
    position: 1,
    last: 1,
    current: doc,
    vars: new Array(sizes.locals).fill(UNSET),
    globals: new Array(sizes.globals).fill(UNSET),
    memo: new Array(sizes.memo).fill(UNSET),
    now: undefined,
    depth: 0,
  };
}

/** Makes a frame forget its document, so that it can serve the next one and holds nothing meanwhile. */
export function clearFrame(frame: EvaluationFrame, doc: XmlDocument): void {
  frame.doc = doc;
  frame.item = frame.current = doc;
  frame.position = frame.last = 1;
  frame.now = undefined;
  frame.depth = 0;
  frame.vars.fill(UNSET);
  frame.globals.fill(UNSET);
  frame.memo.fill(UNSET);
}

/** Context item of an expression, with its position among its siblings in the sequence. */
export type Focus = Pick<EvaluationFrame, "item" | "position" | "last">;

/** Runs `compute` as if at this node alone, whatever is being evaluated now. */
export function atNode<T>(
  frame: EvaluationFrame,
  item: XPathItem | undefined,
  compute: (frame: EvaluationFrame) => T,
): T {
  return atFocus(frame, { item, position: 1, last: 1 }, compute);
}

export function atFocus<T>(
  frame: EvaluationFrame,
  focus: Focus,
  compute: (frame: EvaluationFrame) => T,
): T {
  const { item, position, last, current } = frame;
  frame.item = frame.current = focus.item;
  frame.position = focus.position;
  frame.last = focus.last;
  try {
    return compute(frame);
  } finally {
    frame.item = item;
    frame.position = position;
    frame.last = last;
    frame.current = current;
  }
}
