import { isName, isSpace, NAME_UNIT } from "./characters.ts";
import { instructionParts } from "./content.ts";
import { EMPTY, excerpt, NO_ROOT, syntax } from "./errors.ts";
import { openGate } from "./gate.ts";
import { DEFAULT_LIMITS, type XmlLimits } from "./limits.ts";
import { newNames, type XmlName } from "./names.ts";
import {
  fail,
  failTag,
  failTwice,
  failUnclosed,
  refuseDeclaration,
  tooLong,
  tooMany,
} from "./parse_failures.ts";
import { decodeReferences } from "./references.ts";
import {
  bindNamespaces,
  type NamespaceScope,
  newScope,
  type RawAttribute,
  resolveName,
  type SavedBindings,
  unbind,
} from "./scope.ts";
import { COMMENT, INSTRUCTION } from "./kinds.ts";
import { XmlAttribute, XmlDocument, XmlElement, XmlLeaf } from "./tree.ts";

const SLASH = 47;
const BANG = 33;
const QUESTION = 63;
const GT = 62;
const EQUALS = 61;
const NO_ATTRIBUTES: readonly XmlAttribute[] = [];

interface Parser {
  readonly source: string;
  readonly limits: XmlLimits;
  readonly document: XmlDocument;
  readonly scope: NamespaceScope;
  /** Bindings to restore when the open element with this index closes. */
  readonly bindings: (SavedBindings | undefined)[];
  /** Names resolved under the namespaces of the root. */
  guessing: NamespaceScope["known"] | undefined;
  last: XmlName | undefined;
  open: XmlElement | undefined;
  depth: number;
  nodes: number;
  at: number;
  /** Offsets of the next "&" and "]]>", kept so that each is searched for once. */
  ampersand: number;
  sectionEnd: number;
}

/** Parses a whole document; every refusal is an `XmlError`, whatever the input. */
export function parseXml(
  source: Uint8Array | string,
  limits: Partial<XmlLimits> = {},
): XmlDocument {
  const parser = begin(source, limits);
  parseOutside(parser);
  parseInside(parser, Number.POSITIVE_INFINITY);
  parseOutside(parser);
  return parser.document;
}

/** Number of tags between two pauses for other work. */
const STEP = 2_000;

/** Parses like `parseXml`, in steps that let other work run. */
export function* parseXmlSteps(
  source: Uint8Array | string,
  limits: Partial<XmlLimits> = {},
): Generator<void, XmlDocument> {
  const parser = begin(source, limits);
  parseOutside(parser);
  while (parser.open !== undefined) {
    yield;
    parseInside(parser, STEP);
  }
  parseOutside(parser);
  return parser.document;
}

function begin(source: Uint8Array | string, limits: Partial<XmlLimits>): Parser {
  const bounds = { ...DEFAULT_LIMITS, ...limits }, gated = openGate(source, bounds);
  const names = newNames();
  return {
    source: gated.text,
    limits: bounds,
    document: new XmlDocument(gated.text, names),
    scope: newScope(names),
    bindings: [],
    guessing: undefined,
    last: undefined,
    open: undefined,
    depth: 0,
    nodes: 0,
    at: gated.start,
    ampersand: -1,
    sectionEnd: -1,
  };
}

/** Before the root (stops inside it) and after it (stops at the end). */
function parseOutside(parser: Parser): void {
  const { source, document } = parser;
  while (parser.open === undefined) {
    while (isSpace(source.charCodeAt(parser.at))) parser.at++;
    const at = parser.at;
    if (at >= source.length) {
      if (document.all.length > 0) return;
      fail(parser, at, source.trim() ? NO_ROOT : EMPTY);
    }
    const next = source.charCodeAt(at) === 60 ? source.charCodeAt(at + 1) : 0;
    if (next === QUESTION || source.startsWith("<!--", at)) {
      parseMarkup(parser, at);
    } else if (next === BANG) {
      refuseDeclaration(parser, at);
    } else if (next === 0) {
      fail(parser, at, syntax("Text outside the root element", "Texte hors de l'élément racine"));
    } else if (document.all.length > 0) {
      fail(parser, at, syntax("A second root element", "Un second élément racine"));
    } else {
      startTag(parser, at);
      if (parser.open === undefined) return;
    }
  }
}

/** Parses at most this number of tags. */
function parseInside(parser: Parser, most: number): void {
  const { source } = parser;
  for (let left = most; parser.open !== undefined && left > 0; left--) {
    const at = parser.at;
    const tag = source.indexOf("<", at);
    if (tag < 0) failUnclosed(parser, parser.open);
    if (tag > at) checkText(parser, tag);
    const next = source.charCodeAt(tag + 1);
    if (next === SLASH) endTag(parser, tag, parser.open);
    else if (next === BANG || next === QUESTION) parseMarkup(parser, tag);
    else startTag(parser, tag);
  }
}

function checkText(parser: Parser, to: number): void {
  const { source, at } = parser;
  if (to - at > parser.limits.text) tooLong(parser, at, to - at);
  if (parser.ampersand < at) parser.ampersand = orNever(source.indexOf("&", at));
  if (parser.sectionEnd < at) parser.sectionEnd = orNever(source.indexOf("]]>", at));
  if (parser.sectionEnd < to) {
    const problem = syntax('"]]>" is not allowed in text', "« ]]> » n'est pas admis dans un texte");
    fail(parser, parser.sectionEnd, problem);
  }
  if (parser.ampersand < to) replaceReferences(parser, source.slice(at, to), at);
}

function orNever(index: number): number {
  return index < 0 ? Number.POSITIVE_INFINITY : index;
}

function replaceReferences(parser: Parser, text: string, from: number): string {
  const decoded = decodeReferences(text);
  return typeof decoded === "string" ? decoded : fail(parser, from + decoded.at, decoded.problem);
}

function startTag(parser: Parser, tag: number): void {
  const { source, document } = parser;
  const guess = guessName(parser, tag + 1);
  let at = tag + 1;
  if (guess === undefined) { while (NAME_UNIT[source.charCodeAt(at)] === 1) at++; }
  else at += guess.qname.length;
  const end = at;
  const raw = source.charCodeAt(at) === GT ? undefined : readAttributes(parser, at);
  if (raw !== undefined) at = parser.at;
  if (++parser.depth > parser.limits.depth) tooMany(parser, "XML-DEPTH", tag);
  count(parser, 1 + (raw?.length ?? 0), tag);
  const binding = raw === undefined || raw.length === 0 ? undefined : bind(parser, raw, tag);
  const name = guess !== undefined && binding === undefined
    ? guess
    : getName(parser, source.slice(tag + 1, end), tag);
  remember(parser, name);
  const element = new XmlElement(document, parser.open, name, tag, NO_ATTRIBUTES);
  document.all.push(element);
  if (raw !== undefined && raw.length > 0) addAttributes(parser, element, raw);
  const empty = source.charCodeAt(at) === SLASH;
  parser.at = at + (empty ? 2 : 1);
  element.contentStart = parser.at;
  if (empty) {
    element.contentEnd = element.end = parser.at;
    parser.depth--;
    if (binding !== undefined) unbind(parser.scope, binding);
  } else {
    parser.bindings.push(binding);
    parser.open = element;
  }
}

/** Guesses the name that followed the last one before: documents repeat themselves. */
function guessName({ source, scope, last, guessing }: Parser, at: number): XmlName | undefined {
  const guess = last?.next;
  if (guess === undefined || scope.known !== guessing || !source.startsWith(guess.qname, at)) {
    return undefined;
  }
  return NAME_UNIT[source.charCodeAt(at + guess.qname.length)] === 1 ? undefined : guess;
}

/** Guesses hold only under the namespaces of the root. */
function remember(parser: Parser, name: XmlName): void {
  parser.guessing ??= parser.scope.known;
  if (parser.scope.known === parser.guessing) {
    if (parser.last !== undefined) parser.last.next = name;
    parser.last = name;
  } else parser.last = undefined;
}

function endTag(parser: Parser, tag: number, element: XmlElement): void {
  const { source } = parser;
  const { qname } = element.name;
  let at = tag + 2 + qname.length;
  if (!source.startsWith(qname, tag + 2) || NAME_UNIT[source.charCodeAt(at)] === 1) {
    failUnclosed(parser, element, tag);
  }
  while (isSpace(source.charCodeAt(at))) at++;
  if (source.charCodeAt(at) !== GT) {
    fail(
      parser,
      tag,
      syntax(`Malformed end tag of ${qname}`, `Balise fermante de ${qname} mal formée`),
    );
  }
  element.contentEnd = tag;
  element.end = parser.at = at + 1;
  parser.open = element.parent;
  parser.depth--;
  const binding = parser.bindings.pop();
  if (binding !== undefined) unbind(parser.scope, binding);
}

/** Reads up to ">" or "/>", where `parser.at` is left. */
function readAttributes(parser: Parser, from: number): RawAttribute[] {
  const { source, limits } = parser;
  const attributes: RawAttribute[] = [];
  let at = from;
  for (;;) {
    const before = at;
    while (isSpace(source.charCodeAt(at))) at++;
    const unit = source.charCodeAt(at);
    if (unit === GT || (unit === SLASH && source.charCodeAt(at + 1) === GT)) break;
    if (at === before || NAME_UNIT[unit] !== 1) failTag(parser, from, at);
    const start = at;
    while (NAME_UNIT[source.charCodeAt(at)] === 1) at++;
    const qname = source.slice(start, at);
    while (isSpace(source.charCodeAt(at))) at++;
    if (source.charCodeAt(at) !== EQUALS) failTag(parser, from, at);
    at++;
    while (isSpace(source.charCodeAt(at))) at++;
    const quote = source.charCodeAt(at);
    if (quote !== 34 && quote !== 39) failTag(parser, from, at);
    const end = source.indexOf(quote === 34 ? '"' : "'", at + 1);
    if (end < 0) failTag(parser, from, at);
    attributes.push({ qname, at: start, value: attributeValue(parser, at + 1, end) });
    if (attributes.length > limits.attributes) tooMany(parser, "XML-ATTRIBUTES", start);
    at = end + 1;
  }
  parser.at = at;
  return attributes;
}

function attributeValue(parser: Parser, from: number, to: number): string {
  if (to - from > parser.limits.text) tooLong(parser, from, to - from);
  const { source } = parser;
  let special = false;
  for (let at = from; at < to; at++) {
    const unit = source.charCodeAt(at);
    if (unit > 60) continue;
    if (unit === 60) {
      fail(parser, at, syntax('"<" in an attribute value', "« < » dans une valeur d'attribut"));
    }
    if (unit === 38 || unit === 10 || unit === 9) special = true;
  }
  const raw = source.slice(from, to);
  return special ? replaceReferences(parser, raw.replace(/[\t\n]/g, " "), from) : raw;
}

function bind(parser: Parser, raw: RawAttribute[], tag: number): SavedBindings | undefined {
  const result = bindNamespaces(parser.scope, raw);
  if (result !== undefined && "code" in result) fail(parser, tag, result);
  return result;
}

function getName(parser: Parser, qname: string, at: number): XmlName {
  const known = parser.scope.known.get(qname);
  if (known !== undefined) return known;
  if (!isName(qname)) {
    const shown = excerpt(qname === "" ? parser.source.slice(at, at + 20) : qname);
    fail(parser, at, syntax(`"${shown}" is not a name`, `« ${shown} » n'est pas un nom`));
  }
  const name = resolveName(parser.scope, qname, false);
  return "code" in name ? fail(parser, at, name) : name;
}

function addAttributes(parser: Parser, element: XmlElement, raw: RawAttribute[]): void {
  const attributes: XmlAttribute[] = [];
  const declarations: [string, string][] = [];
  for (const { qname, at, value } of raw) {
    if (qname.startsWith("xmlns") && (qname.length === 5 || qname.charCodeAt(5) === 58)) {
      declarations.push([qname.slice(6), value]);
      continue;
    }
    const name = parser.scope.attributes.get(qname) ?? attributeName(parser, qname, at);
    for (const other of attributes) if (other.nameId === name.id) failTwice(parser, qname, at);
    attributes.push(new XmlAttribute(element, name, at, value));
  }
  element.attributes = attributes;
  if (declarations.length > 0) element.declarations = declarations;
}

function attributeName(parser: Parser, qname: string, at: number): XmlName {
  if (qname.includes(":")) return getName(parser, qname, at);
  if (!isName(qname)) {
    const shown = excerpt(qname);
    fail(parser, at, syntax(`"${shown}" is not a name`, `« ${shown} » n'est pas un nom`));
  }
  const name = resolveName(parser.scope, qname, true);
  return "code" in name ? fail(parser, at, name) : name;
}

/** Comment, CDATA section or processing instruction; anything else that starts with "<!" is refused. */
function parseMarkup(parser: Parser, tag: number): void {
  const { source } = parser;
  if (source.charCodeAt(tag + 1) === QUESTION) return parseInstruction(parser, tag);
  if (source.startsWith("<!--", tag)) {
    const end = source.indexOf("--", tag + 4);
    if (end < 0 || source.charCodeAt(end + 2) !== GT) {
      fail(parser, tag, syntax("A comment is not closed", "Un commentaire n'est pas fermé"));
    }
    outsideLeaf(parser, tag, { kind: COMMENT, text: source.slice(tag + 4, end), target: "" });
    parser.at = end + 3;
  } else if (source.startsWith("<![CDATA[", tag)) {
    const end = source.indexOf("]]>", tag + 9);
    if (end < 0) {
      fail(
        parser,
        tag,
        syntax("A CDATA section is not closed", "Une section CDATA n'est pas fermée"),
      );
    }
    if (end - tag > parser.limits.text) tooLong(parser, tag, end - tag);
    count(parser, 1, tag);
    parser.at = end + 3;
  } else {
    refuseDeclaration(parser, tag);
  }
}

function parseInstruction(parser: Parser, tag: number): void {
  const { source } = parser;
  const end = source.indexOf("?>", tag + 2);
  if (end < 0) {
    const problem = syntax(
      "A processing instruction is not closed",
      "Une instruction de traitement n'est pas fermée",
    );
    fail(parser, tag, problem);
  }
  const { target, data } = instructionParts(source.slice(tag + 2, end));
  if (!isName(target) || target.includes(":") || target.toLowerCase() === "xml") {
    const shown = excerpt(target);
    const problem = syntax(
      `"${shown}" cannot be the target of a processing instruction`,
      `« ${shown} » ne peut être la cible d'une instruction de traitement`,
    );
    fail(parser, tag, problem);
  }
  outsideLeaf(parser, tag, { kind: INSTRUCTION, text: data, target });
  parser.at = end + 2;
}

function outsideLeaf(
  parser: Parser,
  order: number,
  leaf: { kind: typeof COMMENT | typeof INSTRUCTION; text: string; target: string },
): void {
  if (leaf.text.length > parser.limits.text) tooLong(parser, order, leaf.text.length);
  count(parser, 1, order);
  if (parser.open !== undefined) return;
  const place = { document: parser.document, parent: undefined, order };
  parser.document.outside.push(new XmlLeaf(leaf.kind, place, leaf.text, leaf.target));
}

function count(parser: Parser, more: number, at: number): void {
  parser.nodes += more;
  if (parser.nodes > parser.limits.nodes) tooMany(parser, "XML-NODES", at);
}
