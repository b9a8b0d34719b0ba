import {
  ATTRIBUTE,
  COMMENT,
  DOCUMENT,
  ELEMENT,
  INSTRUCTION,
  TEXT,
  type XmlElement,
  type XmlNode,
} from "#src/xml/mod.ts";
import type { Axis, NodeTest } from "./ast.ts";
import type { Sink } from "./code.ts";
import { nameIndex, type SchemaScope } from "./env.ts";
import type { EvaluationFrame } from "./frame.ts";

type TestNode = (frame: EvaluationFrame, node: XmlNode) => boolean;
/** Delivers the nodes of an axis from one node, in axis order. */
type StepWalker = (frame: EvaluationFrame, node: XmlNode) => boolean;

const REVERSE: ReadonlySet<Axis> = new Set<Axis>([
  "ancestor",
  "ancestor-or-self",
  "preceding",
  "preceding-sibling",
]);

/** Checks whether positions on the axis count backward in document order. */
export function isReverse(axis: Axis): boolean {
  return REVERSE.has(axis);
}

/** Builds the walk along an axis to every node that passes the test. */
export function stepWalker(
  shared: SchemaScope,
  step: { readonly axis: Axis; readonly test: NodeTest },
  sink: Sink,
): StepWalker {
  const { axis, test } = step;
  const named = test.test === "name" ? nameIndex(shared, test.ns, test.local) : -1;
  if (named >= 0 && axis === "child") return namedChildren(named, sink);
  if (named >= 0 && axis === "attribute") return namedAttributes(named, sink);
  if (named >= 0 && axis === "descendant") return namedDescendants(named, sink);
  const passes = nodeTest(shared, test, axis === "attribute" ? ATTRIBUTE : ELEMENT);
  const filter: Sink = (frame, node) => passes(frame, node as XmlNode) && sink(frame, node);
  const elementsOnly = ["name", "namespace", "local", "any-name", "element"].includes(test.test);
  if (elementsOnly && axis === "child") return childElements(filter);
  if (elementsOnly && axis === "descendant") return descendantElements(filter);
  if (elementsOnly && axis === "descendant-or-self") {
    const inside = descendantElements(filter);
    return (frame, node) => filter(frame, node) || inside(frame, node);
  }
  return walkers[axis](filter);
}

/** Compiles a node test; `principal` is the kind of node that names denote on the axis. */
export function nodeTest(shared: SchemaScope, test: NodeTest, principal: number): TestNode {
  switch (test.test) {
    case "node":
      return () => true;
    case "text":
      return (_, node) => node.kind === TEXT;
    case "comment":
      return (_, node) => node.kind === COMMENT;
    case "document":
      return (_, node) => node.kind === DOCUMENT;
    case "element":
      return (_, node) => node.kind === ELEMENT;
    case "attribute":
      return (_, node) => node.kind === ATTRIBUTE;
    case "instruction":
      return (_, node) =>
        node.kind === INSTRUCTION && (test.target === undefined || node.target === test.target);
    case "any-name":
      return (_, node) => node.kind === principal;
    case "namespace":
      return (_, node) => node.kind === principal && "ns" in node && node.ns === test.ns;
    case "local":
      return (_, node) => node.kind === principal && "local" in node && node.local === test.local;
    case "name": {
      const index = nameIndex(shared, test.ns, test.local);
      return (frame, node) =>
        node.kind === principal && "nameId" in node && node.nameId === frame.names[index];
    }
  }
}

function namedChildren(name: number, sink: Sink): StepWalker {
  return (frame, node) => {
    if (node.kind !== ELEMENT) {
      if (node.kind !== DOCUMENT) return false;
      return node.root.nameId === frame.names[name] && sink(frame, node.root);
    }
    const { kids } = node;
    if (kids.length === 0) return false;
    const id = frame.names[name];
    if (id === undefined || id < 0) return false;
    const indexed = node.kidIndex;
    if (indexed === undefined) {
      for (let at = 0; at < kids.length; at++) {
        const kid = kids[at];
        if (kid !== undefined && kid.nameId === id && sink(frame, kid)) return true;
      }
      return false;
    }
    const list = indexed.get(id);
    if (list === undefined) return false;
    for (const kid of list) if (sink(frame, kid)) return true;
    return false;
  };
}

function namedAttributes(name: number, sink: Sink): StepWalker {
  return (frame, node) => {
    if (node.kind !== ELEMENT) return false;
    const { attributes } = node;
    for (let at = 0; at < attributes.length; at++) {
      const attribute = attributes[at];
      if (attribute !== undefined && attribute.nameId === frame.names[name]) {
        return sink(frame, attribute);
      }
    }
    return false;
  };
}

/** Reads the part of the document's index that is inside the node. */
function namedDescendants(name: number, sink: Sink): StepWalker {
  return (frame, node) => {
    const id = frame.names[name];
    if (id === undefined || id < 0 || (node.kind !== ELEMENT && node.kind !== DOCUMENT)) {
      return false;
    }
    const list = frame.doc.named(id);
    if (node.kind === DOCUMENT) {
      for (const found of list) if (sink(frame, found)) return true;
      return false;
    }
    if (node.kids.length === 0) return false;
    for (let at = firstBehind(list, node.order); at < list.length; at++) {
      const found = list[at];
      if (found === undefined || found.order >= node.end) return false;
      if (sink(frame, found)) return true;
    }
    return false;
  };
}

function descendantElements(sink: Sink): StepWalker {
  return (frame, node) => {
    if (node.kind !== ELEMENT && node.kind !== DOCUMENT) return false;
    const { all } = frame.doc;
    const end = node.kind === DOCUMENT ? Infinity : node.end;
    for (let at = firstBehind(all, node.order); at < all.length; at++) {
      const found = all[at];
      if (found === undefined || found.order >= end) return false;
      if (sink(frame, found)) return true;
    }
    return false;
  };
}

function firstBehind(list: readonly XmlElement[], order: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.order ?? 0) <= order) low = middle + 1;
    else high = middle;
  }
  return low;
}

function childElements(sink: Sink): StepWalker {
  return (frame, node) => {
    if (node.kind === DOCUMENT) return sink(frame, node.root);
    if (node.kind !== ELEMENT) return false;
    for (const kid of node.kids) if (sink(frame, kid)) return true;
    return false;
  };
}

const walkers: Readonly<Record<Axis, (sink: Sink) => StepWalker>> = {
  self: (sink) => sink,
  child: (sink) => (frame, node) => readChildren(node).some((child) => sink(frame, child)),
  attribute: (sink) => (frame, node) =>
    node.kind === ELEMENT && node.attributes.some((attribute) => sink(frame, attribute)),
  parent: (sink) => (frame, node) => {
    const parent = findParent(node);
    return parent !== undefined && sink(frame, parent);
  },
  ancestor: (sink) => (frame, node) => walkUp(findParent(node), frame, sink),
  "ancestor-or-self": (sink) => (frame, node) => walkUp(node, frame, sink),
  descendant: (sink) => (frame, node) => walkDown(node, frame, sink),
  "descendant-or-self": (sink) => (frame, node) => sink(frame, node) || walkDown(node, frame, sink),
  "following-sibling": (sink) => (frame, node) =>
    readSiblings(node).some((other) => other.order > node.order && sink(frame, other)),
  "preceding-sibling": (sink) => (frame, node) =>
    readSiblings(node).filter((other) => other.order < node.order).reverse()
      .some((other) => sink(frame, other)),
  following: (sink) => (frame, node) => {
    const end = node.kind === ELEMENT ? node.end : node.order + 1;
    const behind: Sink = (inner, other) => (other as XmlNode).order >= end && sink(inner, other);
    return walkDown(frame.doc, frame, behind);
  },
  preceding: (sink) => (frame, node) => {
    const before: XmlNode[] = [];
    walkDown(frame.doc, frame, (_, other) => {
      const candidate = other as XmlNode;
      if (candidate.order >= node.order) return true;
      const holds = candidate.kind === ELEMENT && candidate.end > node.order;
      if (!holds) before.push(candidate);
      return false;
    });
    return before.reverse().some((other) => sink(frame, other));
  },
};

function readChildren(node: XmlNode): readonly XmlNode[] {
  return node.kind === ELEMENT || node.kind === DOCUMENT ? node.children : [];
}

export function findParent(node: XmlNode): XmlNode | undefined {
  return node.kind === DOCUMENT ? undefined : node.parent ?? node.document;
}

function readSiblings(node: XmlNode): readonly XmlNode[] {
  const parent = node.kind === ATTRIBUTE ? undefined : findParent(node);
  return parent === undefined ? [] : readChildren(parent);
}

function walkUp(from: XmlNode | undefined, frame: EvaluationFrame, sink: Sink): boolean {
  for (let node = from; node !== undefined; node = findParent(node)) {
    if (sink(frame, node)) return true;
  }
  return false;
}

/** Descendants in document order; depth is bounded by the gate. */
function walkDown(node: XmlNode, frame: EvaluationFrame, sink: Sink): boolean {
  for (const child of readChildren(node)) {
    if (sink(frame, child) || walkDown(child, frame, sink)) return true;
  }
  return false;
}
