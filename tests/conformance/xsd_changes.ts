import { parseXml, type XmlDocument, type XmlElement, XmlError } from "#src/xml/mod.ts";
import { ATTRIBUTES, CHARACTERS, FREE, GAPS, HEADS, VALUES } from "./xsd_hostile.ts";

type Random = () => number;

interface Subject {
  readonly source: string;
  readonly document: XmlDocument;
  readonly random: Random;
  readonly others: readonly XmlDocument[];
}

/** Returns a text with one change. */
type Change = (subject: Subject) => string;

/** Relative frequencies of the changes. */
const CHANGES: readonly (readonly [Change, number])[] = [
  [setValue, 4],
  [setAttribute, 2],
  [addAttribute, 2],
  [dropAttribute, 1],
  [fillGap, 2],
  [dropElement, 1],
  [repeatElement, 1],
  [moveElement, 2],
  [rename, 2],
  [borrow, 2],
  [prefix, 1],
  [wrap, 1],
  [freeContent, 1],
  [head, 1],
  [tail, 1],
  [character, 1],
  [cut, 1],
  [empty, 1],
];
const WEIGHTED = CHANGES.flatMap(([change, weight]) => new Array<Change>(weight).fill(change));

/** Applies one to three changes in sequence. */
export function mutant(
  document: XmlDocument,
  others: readonly XmlDocument[],
  random: Random,
): string {
  let at = document;
  for (let left = random() < 0.6 ? 1 : random() < 0.7 ? 2 : 3;; left--) {
    const text = pick(random, WEIGHTED)({ source: at.source, document: at, random, others });
    const next = left > 1 ? parse(text) : undefined;
    if (next === undefined) return text;
    at = next;
  }
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T;
}

function put({ source }: Subject, from: number, to: number, by: string): string {
  return source.slice(0, from) + by + source.slice(to);
}

function any({ document, random }: Subject): XmlElement {
  return pick(random, document.all);
}

function leaf(subject: Subject): XmlElement {
  for (let tries = 0; tries < 20; tries++) {
    const element = any(subject);
    if (element.kids.length === 0) return element;
  }
  return subject.document.root;
}

function setValue(subject: Subject): string {
  const { random, source } = subject;
  const element = leaf(subject);
  const old = source.slice(element.contentStart, element.contentEnd);
  const value = pick(random, VALUES);
  const by = random() < 0.7 ? value : pick(random, [
    old + value,
    value + old,
    old.slice(0, old.length >> 1) + value + old.slice(old.length >> 1),
    old.slice(1),
    old.slice(0, -1),
  ]);
  return fill(subject, element, by);
}

/** Replaces an element's content; an empty tag is expanded for it. */
function fill(subject: Subject, element: XmlElement, content: string): string {
  const { source } = subject;
  if (!source.startsWith("/>", element.contentStart - 2)) {
    return put(subject, element.contentStart, element.contentEnd, content);
  }
  return put(subject, element.contentStart - 2, element.end, `>${content}</${element.qname}>`);
}

function empty(subject: Subject): string {
  return fill(subject, any(subject), "");
}

function setAttribute(subject: Subject): string {
  const withSome = subject.document.all.filter((it) => it.attributes.length > 0);
  if (withSome.length === 0) return addAttribute(subject);
  const element = pick(subject.random, withSome);
  const { order, qname } = pick(subject.random, element.attributes);
  const tag = subject.source.slice(order, element.contentStart);
  const value = pick(subject.random, VALUES).replaceAll("<", "&lt;").replaceAll('"', "&quot;");
  const changed = tag.replace(/^[^=]*=\s*("[^"]*"|'[^']*')/, () => `${qname}="${value}"`);
  return put(subject, order, element.contentStart, changed);
}

function dropAttribute(subject: Subject): string {
  const withSome = subject.document.all.filter((it) => it.attributes.length > 0);
  if (withSome.length === 0) return empty(subject);
  const element = pick(subject.random, withSome);
  const { order } = pick(subject.random, element.attributes);
  const tag = subject.source.slice(order, element.contentStart);
  return put(subject, order, element.contentStart, tag.replace(/^[^=]*=\s*("[^"]*"|'[^']*')/, ""));
}

function addAttribute(subject: Subject): string {
  const element = any(subject);
  const behind = element.order + 1 + element.qname.length;
  return put(subject, behind, behind, ` ${pick(subject.random, ATTRIBUTES)}`);
}

/** Inserts text, a comment or an instruction next to an element. */
function fillGap(subject: Subject): string {
  const { random } = subject;
  const element = any(subject);
  const at = pick(random, [element.order, element.end, element.contentStart, element.contentEnd]);
  return put(subject, at, at, pick(random, GAPS));
}

function dropElement(subject: Subject): string {
  const element = any(subject);
  return put(subject, element.order, element.end, "");
}

function repeatElement(subject: Subject): string {
  const { source } = subject;
  const element = any(subject);
  return put(subject, element.end, element.end, source.slice(element.order, element.end));
}

/** Swaps an element with a sibling. */
function moveElement(subject: Subject): string {
  const { source, random } = subject;
  const parent = any(subject);
  if (parent.kids.length < 2) return repeatElement(subject);
  const at = Math.floor(random() * (parent.kids.length - 1));
  const first = parent.kids[at] as XmlElement;
  const second = parent.kids[random() < 0.7 ? at + 1 : parent.kids.length - 1] as XmlElement;
  const text = (from: number, to: number) => source.slice(from, to);
  return put(
    subject,
    first.order,
    second.end,
    text(second.order, second.end) + text(first.end, second.order) + text(first.order, first.end),
  );
}

function rename(subject: Subject): string {
  const { random, document, others } = subject;
  const element = any(subject);
  const other = pick(random, random() < 0.5 ? document.all : pick(random, others).all);
  const name = pick(random, [
    other.qname,
    `${element.prefix}:${other.local}`,
    `${other.prefix}:${element.local}`,
    `${element.qname}x`,
    element.local,
    element.qname.toLowerCase(),
  ]);
  return renamed(subject, element, name.replace(/^:/, ""));
}

function renamed(subject: Subject, element: XmlElement, name: string): string {
  const { source } = subject;
  const { qname, order, end } = element;
  const whole = source.slice(order, end);
  const opened = `<${name}${whole.slice(1 + qname.length)}`;
  return put(
    subject,
    order,
    end,
    whole.endsWith("/>") ? opened : opened.replace(/<\/[^<]*$/, `</${name}>`),
  );
}

/** Inserts an element of another document, or replaces one by it. */
function borrow(subject: Subject): string {
  const { random } = subject;
  const element = any(subject);
  const other = pick(random, pick(random, subject.others).all.slice(1).concat(element));
  const text = other.document.source.slice(other.order, other.end);
  return put(subject, element.order, random() < 0.5 ? element.order : element.end, text);
}

function prefix(subject: Subject): string {
  const element = any(subject);
  const uri = pick(subject.random, [
    "urn:other",
    element.ns,
    "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
    "a b",
    "",
  ]);
  return renamed(subject, element, `q:${element.local}`).replace(
    `<q:${element.local}`,
    `<q:${element.local} xmlns:q="${uri}"`,
  );
}

function wrap(subject: Subject): string {
  const element = any(subject);
  const name = pick(subject.random, [element.qname, "x", subject.document.root.qname]);
  return put(
    subject,
    element.order,
    element.end,
    `<${name}>${subject.source.slice(element.order, element.end)}</${name}>`,
  );
}

const EXT = "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2";

/** Inserts an extension at the beginning, or replaces the content of an existing one. */
function freeContent(subject: Subject): string {
  const { random, document } = subject;
  const content = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(random, FREE))
    .join(pick(random, ["", " ", "x"]));
  const there = document.all.find((it) => it.local === "ExtensionContent");
  if (there !== undefined) return fill(subject, there, content);
  const at = document.root.contentStart;
  const basic =
    'xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2" xmlns:cac="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"';
  return put(
    subject,
    at,
    at,
    `<e:UBLExtensions xmlns:e="${EXT}" ${basic}><e:UBLExtension><e:ExtensionContent>${content}</e:ExtensionContent></e:UBLExtension></e:UBLExtensions>`,
  );
}

function head(subject: Subject): string {
  const body = subject.source.slice(subject.document.root.order);
  return pick(subject.random, HEADS) + (subject.random() < 0.5 ? "" : pick(subject.random, HEADS)) +
    body;
}

function tail({ source, random }: Subject): string {
  return source + pick(random, [...GAPS, "<a/>", "\0", "</a>"]);
}

function character(subject: Subject): string {
  const at = Math.floor(subject.random() * subject.source.length);
  return put(subject, at, at + (subject.random() < 0.5 ? 1 : 0), pick(subject.random, CHARACTERS));
}

function cut(subject: Subject): string {
  const { random, source } = subject;
  const at = Math.floor(random() * source.length);
  return put(subject, at, at + 1 + Math.floor(random() * 8), "");
}

/** Returns undefined if our parser refuses the text. */
export function parse(text: string): XmlDocument | undefined {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}
