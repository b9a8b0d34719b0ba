import { decodeReferences } from "./references.ts";
import { COMMENT, INSTRUCTION, TEXT, type XmlChild, type XmlElement, XmlLeaf } from "./tree.ts";

/** The child nodes of an element, texts between its child elements included; the source was checked when it was parsed. */
export function contentNodes(element: XmlElement): XmlChild[] {
  const nodes: XmlChild[] = [];
  let from = element.contentStart;
  for (const kid of element.kids) {
    gapNodes(element, { from, to: kid.order }, nodes);
    nodes.push(kid);
    from = kid.end;
  }
  gapNodes(element, { from, to: element.contentEnd }, nodes);
  return nodes;
}

function gapNodes(
  element: XmlElement,
  gap: { readonly from: number; readonly to: number },
  nodes: XmlChild[],
): void {
  const { source } = element.document;
  const place = (order: number) => ({ document: element.document, parent: element, order });
  let text = "";
  let textStart = gap.from;
  const flush = () => {
    if (text !== "") nodes.push(new XmlLeaf(TEXT, place(textStart), text));
    text = "";
  };
  for (let at = gap.from; at < gap.to;) {
    if (text === "") textStart = at;
    if (source.startsWith("<![CDATA[", at)) {
      const end = source.indexOf("]]>", at + 9);
      text += source.slice(at + 9, end);
      at = end + 3;
    } else if (source.startsWith("<!--", at)) {
      flush();
      const end = source.indexOf("-->", at + 4);
      nodes.push(new XmlLeaf(COMMENT, place(at), source.slice(at + 4, end)));
      at = end + 3;
    } else if (source.charCodeAt(at) === 60) {
      flush();
      const end = source.indexOf("?>", at + 2);
      const { target, data } = instructionParts(source.slice(at + 2, end));
      nodes.push(new XmlLeaf(INSTRUCTION, place(at), data, target));
      at = end + 2;
    } else {
      const next = source.indexOf("<", at);
      const end = next < 0 || next > gap.to ? gap.to : next;
      text += plain(source.slice(at, end));
      at = end;
    }
  }
  flush();
}

function plain(raw: string): string {
  if (!raw.includes("&")) return raw;
  const decoded = decodeReferences(raw);
  return typeof decoded === "string" ? decoded : raw;
}

/** Splits what stands between `<?` and `?>` into target and data (leading white space of the data dropped). */
export function instructionParts(content: string): { target: string; data: string } {
  const space = content.search(/[ \t\n]/);
  return space < 0
    ? { target: content, data: "" }
    : { target: content.slice(0, space), data: content.slice(space).replace(/^[ \t\n]+/, "") };
}
