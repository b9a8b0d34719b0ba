import { readGap } from "./content.ts";
import { ATTRIBUTE, DOCUMENT, ELEMENT, INSTRUCTION, type LeafKind, TEXT } from "./kinds.ts";
import { findName, type XmlName, type XmlNames } from "./names.ts";

/** Any node XPath can select. `order` rises in document order and is unique among the nodes of a document. */
export type XmlNode = XmlDocument | XmlElement | XmlAttribute | XmlLeaf;
/** Content between the tags of an element: elements, text, comments, instructions. */
export type XmlChild = XmlElement | XmlLeaf;

/** Shared empty collections for elements without children; never written to. */
const NO_SHAPES: Map<number, XmlShape> = new Map();
const NO_ELEMENTS: XmlElement[] = [];
const NO_DECLARATIONS: readonly (readonly [string, string])[] = [];
/** Number of child elements from which an index replaces a scan. */
const INDEX_FROM = 24;

/** An attribute; `text` is its value with entities resolved. */
export class XmlAttribute {
  readonly kind = ATTRIBUTE;
  readonly document: XmlDocument;
  readonly parent: XmlElement;
  readonly name: XmlName;
  readonly nameId: number;
  readonly order: number;
  readonly text: string;

  constructor(parent: XmlElement, name: XmlName, order: number, text: string) {
    this.document = parent.document;
    this.parent = parent;
    this.name = name;
    this.nameId = name.id;
    this.order = order;
    this.text = text;
  }

  get ns(): string {
    return this.name.ns;
  }
  get local(): string {
    return this.name.local;
  }
  get qname(): string {
    return this.name.qname;
  }
  get value(): string {
    return this.text;
  }
}

/** A text, comment or processing instruction. */
export class XmlLeaf {
  readonly kind: LeafKind;
  readonly document: XmlDocument;
  readonly parent: XmlElement | undefined;
  readonly order: number;
  readonly text: string;
  /** Target of a processing instruction; "" for other kinds. */
  readonly target: string;

  constructor(
    kind: LeafKind,
    place: { document: XmlDocument; parent: XmlElement | undefined; order: number },
    text: string,
    target = "",
  ) {
    this.kind = kind;
    this.document = place.document;
    this.parent = place.parent;
    this.order = place.order;
    this.text = text;
    this.target = target;
  }
}

/** All elements of a document whose names, from the root down, are the same. */
export interface XmlShape {
  /** Number of the shape in its document, from 0. */
  readonly id: number;
  kids: Map<number, XmlShape>;
  /** The spelling of the name; undefined when elements of the shape spell it differently. */
  name: XmlName | undefined;
  /** Elements of this shape. */
  count: number;
}

/** Element; its texts and comments are read from the source on first use. */
export class XmlElement {
  readonly kind = ELEMENT;
  readonly document: XmlDocument;
  readonly parent: XmlElement | undefined;
  readonly name: XmlName;
  readonly nameId: number;
  /** Offset of the start tag; also the place in document order. */
  readonly order: number;
  /** Position among the child elements of the parent, from 0. */
  readonly index: number;
  readonly shape: XmlShape;
  contentStart = 0;
  contentEnd = 0;
  /** Offset behind the end tag: a node is inside when its order is between `order` and `end`. */
  end = 0;
  /** Child elements in document order; read only. */
  kids: XmlElement[] = NO_ELEMENTS;
  attributes: readonly XmlAttribute[];
  /** Namespace declarations of the start tag itself, prefix ("" for the default) and URI. */
  declarations: readonly (readonly [prefix: string, uri: string])[] = NO_DECLARATIONS;
  #text: string | undefined = undefined;
  #children: readonly XmlChild[] | undefined = undefined;
  #index: Map<number, XmlElement[]> | undefined = undefined;

  constructor(
    document: XmlDocument,
    parent: XmlElement | undefined,
    name: XmlName,
    order: number,
    attributes: readonly XmlAttribute[],
  ) {
    this.document = document;
    this.parent = parent;
    this.name = name;
    this.nameId = name.id;
    this.order = order;
    this.attributes = attributes;
    this.shape = internShape(document, parent, name);
    if (parent === undefined) this.index = 0;
    else {
      this.index = parent.kids.length;
      if (this.index === 0) parent.kids = [this];
      else parent.kids.push(this);
    }
  }

  get ns(): string {
    return this.name.ns;
  }
  get local(): string {
    return this.name.local;
  }
  get prefix(): string {
    return this.name.prefix;
  }
  get qname(): string {
    return this.name.qname;
  }
  /** 1-based line of the start tag. */
  get line(): number {
    return this.document.placeOf(this.order).line;
  }
  /** 1-based column of the start tag, in UTF-16 units. */
  get column(): number {
    return this.document.placeOf(this.order).column;
  }
  /** String value: all text inside, in document order. */
  get text(): string {
    return this.#text ??= stringValue(this);
  }
  /** Elements, texts, comments and processing instructions in document order. */
  get children(): readonly XmlChild[] {
    return this.#children ??= contentNodes(this);
  }

  elements(): readonly XmlElement[] {
    return this.kids;
  }
  attr(local: string, ns = ""): string | undefined {
    for (const attribute of this.attributes) {
      if (attribute.name.local === local && attribute.name.ns === ns) return attribute.text;
    }
    return undefined;
  }
  child(ns: string, local: string): XmlElement | undefined {
    const id = findName(this.document.names, ns, local);
    return id < 0 ? undefined : firstNamed(this, id);
  }
  childrenNamed(ns: string, local: string): readonly XmlElement[] {
    const id = findName(this.document.names, ns, local);
    return id < 0 ? NO_ELEMENTS : allNamed(this, id);
  }
  /**
   * Children by name number, once per element with many children; undefined for other elements, where a scan is
   * faster.
   */
  get kidIndex(): Map<number, XmlElement[]> | undefined {
    if (this.kids.length < INDEX_FROM) return undefined;
    return this.#index ??= groupByName(this.kids);
  }
}

function internShape(
  document: XmlDocument,
  parent: XmlElement | undefined,
  name: XmlName,
): XmlShape {
  const holder: { kids: Map<number, XmlShape> } = parent === undefined ? document : parent.shape;
  const known = holder.kids.get(name.id);
  if (known === undefined) {
    const shape = { id: document.shapeCount++, kids: NO_SHAPES, name, count: 1 };
    if (holder.kids === NO_SHAPES) holder.kids = new Map();
    holder.kids.set(name.id, shape);
    return shape;
  }
  known.count++;
  if (known.name !== name) known.name = undefined;
  return known;
}

/** A document as the parser read it, with the text that its nodes have their lines and columns in. */
export class XmlDocument {
  readonly kind = DOCUMENT;
  readonly order = -1;
  readonly parent = undefined;
  readonly source: string;
  readonly names: XmlNames;
  /** All elements in document order. */
  readonly all: XmlElement[] = [];
  /** Shape of the root, by the number of its name. */
  kids: Map<number, XmlShape> = NO_SHAPES;
  shapeCount = 0;
  /** Comments and processing instructions outside the root, in document order. */
  readonly outside: XmlLeaf[] = [];
  #byName: Map<number, XmlElement[]> | undefined = undefined;
  #lines: Uint32Array | undefined = undefined;

  constructor(source: string, names: XmlNames) {
    this.source = source;
    this.names = names;
  }

  get root(): XmlElement {
    const [root] = this.all;
    if (root === undefined) throw new TypeError("The document has no root yet");
    return root;
  }
  get document(): XmlDocument {
    return this;
  }
  get text(): string {
    return this.root.text;
  }
  get children(): readonly XmlChild[] {
    return [...this.outside, this.root].sort((a, b) => a.order - b.order);
  }
  /** Processing instructions before the root. */
  get instructions(): readonly { target: string; data: string }[] {
    return this.outside
      .filter((leaf) => leaf.kind === INSTRUCTION && leaf.order < this.root.order)
      .map((leaf) => ({ target: leaf.target, data: leaf.text }));
  }
  /** Elements of one name number in document order; the index is built once per document. */
  named(id: number): readonly XmlElement[] {
    this.#byName ??= groupByName(this.all);
    return this.#byName.get(id) ?? NO_ELEMENTS;
  }
  /** Line and column (1-based) of an offset. */
  placeOf(offset: number): { line: number; column: number } {
    this.#lines ??= lineStarts(this.source);
    let low = 0;
    let high = this.#lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#lines[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lines[low] ?? 0) + 1 };
  }
}

/** Returns the namespace bindings in force at an element, innermost first. */
export function collectPrefixes(element: XmlElement): Map<string, string> {
  const found = new Map<string, string>();
  for (let at: XmlElement | undefined = element; at !== undefined; at = at.parent) {
    for (const [prefix, uri] of at.declarations) if (!found.has(prefix)) found.set(prefix, uri);
  }
  return found;
}

/** First child element with this name number. */
function firstNamed(element: XmlElement, id: number): XmlElement | undefined {
  const index = element.kidIndex;
  if (index !== undefined) return index.get(id)?.[0];
  for (const kid of element.kids) if (kid.nameId === id) return kid;
  return undefined;
}

/** Child elements with this name number, in document order; the list must not be changed. */
export function allNamed(element: XmlElement, id: number): readonly XmlElement[] {
  const index = element.kidIndex;
  if (index !== undefined) return index.get(id) ?? NO_ELEMENTS;
  let found: XmlElement[] = NO_ELEMENTS;
  for (const kid of element.kids) {
    if (kid.nameId !== id) continue;
    if (found.length === 0) found = [kid];
    else found.push(kid);
  }
  return found;
}

/** Returns the child nodes of an element in document order, texts between its child elements included. */
function contentNodes(element: XmlElement): XmlChild[] {
  const { document } = element;
  const nodes: XmlChild[] = [];
  const readTo = (to: number) =>
    readGap(document.source, { from, to }, (kind, order, text, target) => {
      nodes.push(new XmlLeaf(kind, { document, parent: element, order }, text, target));
    });
  let from = element.contentStart;
  for (const kid of element.kids) {
    readTo(kid.order);
    nodes.push(kid);
    from = kid.end;
  }
  readTo(element.contentEnd);
  return nodes;
}

function stringValue(element: XmlElement): string {
  if (element.kids.length === 0) {
    const raw = element.document.source.slice(element.contentStart, element.contentEnd);
    if (!raw.includes("<") && !raw.includes("&")) return raw;
  }
  let text = "";
  for (const child of element.children) {
    if (child.kind === TEXT || child.kind === ELEMENT) text += child.text;
  }
  return text;
}

function groupByName(elements: readonly XmlElement[]): Map<number, XmlElement[]> {
  const groups = new Map<number, XmlElement[]>();
  for (const element of elements) {
    const group = groups.get(element.nameId);
    if (group === undefined) groups.set(element.nameId, [element]);
    else group.push(element);
  }
  return groups;
}

function lineStarts(source: string): Uint32Array {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) {
    starts.push(at + 1);
  }
  return Uint32Array.from(starts);
}
