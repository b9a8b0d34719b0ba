import type { XmlNode } from "#src/xml/mod.ts";
import { collector, type Sink, type Walker } from "./code.ts";

/** Puts nodes in document order, each once; lists that are in order already are only looked over. */
export function sortNodes(any: (sink: Sink) => Walker): (sink: Sink) => Walker {
  const collect = collector(any);
  return (sink) => (frame) =>
    inDocumentOrder(collect(frame) as XmlNode[]).some((node) => sink(frame, node));
}

export function inDocumentOrder(nodes: XmlNode[]): XmlNode[] {
  let last = -2;
  for (const node of nodes) {
    if (node.order <= last) {
      nodes.sort((a, b) => a.order - b.order);
      return nodes.filter((other, at) => other !== nodes[at - 1]);
    }
    last = node.order;
  }
  return nodes;
}
