import {
  ATTRIBUTE,
  COMMENT,
  DOCUMENT,
  ELEMENT,
  INSTRUCTION,
  TEXT,
  type XmlNode,
} from "#src/xml/mod.ts";
import { argument, type Builtin, type Call, dependsWith, functionsOf } from "./arguments.ts";
import {
  boolCode,
  type Code,
  collector,
  CURRENT,
  DOC,
  firstOf,
  type Kind,
  LAST,
  manyCode,
  NAME,
  ONE,
  oneCode,
  OPTIONAL,
  POSITION,
  singleOf,
  type Sink,
  type Walker,
} from "./code.ts";
import { textOf } from "./atomic.ts";
import { failAt } from "./env.ts";
import { wrongType, XPathFault } from "./faults.ts";
import { toDouble } from "./numbers.ts";
import { integerArgument, numericArgument, textArgument } from "./arguments.ts";
import { compareValues } from "./atomic.ts";
import type { Frame } from "./frame.ts";
import { isNode, isNumeric, type Item, Temporal, Untyped } from "./items.ts";
import { toDecimal } from "./numbers.ts";
import { Double } from "./items.ts";
import { instant } from "./temporal.ts";
import { denied, valueWithout } from "./when_absent.ts";

export const NODE_FUNCTIONS: readonly [string, Builtin][] = functionsOf({
  name: [
    0,
    1,
    (call) => nameFunction(call, (node) => "qname" in node ? node.qname : targetOf(node)),
  ],
  "local-name": [
    0,
    1,
    (call) => nameFunction(call, (node) => "local" in node ? node.local : targetOf(node)),
  ],
  "namespace-uri": [0, 1, (call) => nameFunction(call, (node) => "ns" in node ? node.ns : "")],
  "generate-id": [0, 1, (call) => nameFunction(call, (node) => `n${node.order + 1}`)],
  path: [0, 1, (call) => {
    const single = singleOf(argument(call, 0), "path()");
    return oneCode("string", dependsWith(call, 1) | DOC, (frame) => {
      const node = single(frame);
      if (node === undefined) return undefined;
      if (!isNode(node)) throw wrongType("path() expects a node", "path() attend un nœud");
      return fullPath(node);
    }, OPTIONAL);
  }],
  root: [
    0,
    1,
    (call) => oneCode("node", DOC, (frame) => frame.doc, call.args.length === 0 ? ONE : OPTIONAL),
  ],
  current: [0, 0, () => oneCode("node", CURRENT, (frame) => frame.current)],
  position: [0, 0, (call) => focus(call, POSITION, (frame) => frame.position)],
  last: [0, 0, (call) => focus(call, LAST, (frame) => frame.last)],
  key: [2, 2, compileKey],
});

export const SEQUENCE_FUNCTIONS: readonly [string, Builtin][] = functionsOf({
  exists: [1, 1, (call) => {
    const code = argument(call, 0);
    const absent = valueWithout(code, false);
    return { ...boolCode(call.depends, existence(code)), absent, kept: code.kept };
  }],
  empty: [1, 1, (call) => {
    const code = argument(call, 0);
    const denial = existence(code);
    const absent = denied(valueWithout(code, false));
    const { kept } = code;
    return { ...boolCode(call.depends, (frame) => !denial(frame)), denial, absent, kept };
  }],
  not: [1, 1, (call) => {
    const { bool: denial, kept, ...code } = argument(call, 0);
    const absent = denied(code.absent);
    return { ...boolCode(call.depends, (frame) => !denial(frame)), denial, absent, kept };
  }],
  boolean: [1, 1, (call) => boolCode(call.depends, argument(call, 0).bool)],
  true: [0, 0, () => oneCode("boolean", 0, () => true)],
  false: [0, 0, () => oneCode("boolean", 0, () => false)],
  data: [0, 1, (call) => mapItems(call, atomized)],
  "distinct-values": [1, 1, (call) => listFunction(call, distinctValues, true)],
  reverse: [1, 1, (call) => listFunction(call, (list) => list.toReversed())],
  head: [1, 1, (call) => {
    const code = argument(call, 0);
    return oneCode(code.kind, call.depends, firstOf(code), OPTIONAL);
  }],
  tail: [1, 1, (call) => listFunction(call, (list) => list.slice(1))],
  unordered: [1, 1, (call) => argument(call, 0)],
  subsequence: [2, 3, compileSubsequence],
  "index-of": [2, 2, compileIndexOf],
  "insert-before": [3, 3, compileInsert],
  remove: [2, 2, (call) => {
    const position = integerArgument(call, 1);
    return listFunction(call, (list, frame) => list.filter((_, at) => at + 1 !== position(frame)));
  }],
  "zero-or-one": [1, 1, (call) => counted(call, (count) => count <= 1, "FORG0003")],
  "one-or-more": [1, 1, (call) => counted(call, (count) => count >= 1, "FORG0004")],
  "exactly-one": [1, 1, (call) => counted(call, (count) => count === 1, "FORG0005")],
  error: [0, 3, compileError],
});

/** `/Q{urn:x}a[1]/Q{urn:x}b[2]/@c`: names with their namespaces, and every position (XPath 3.1 §14.2). */
function fullPath(node: XmlNode): string {
  if (node.kind === DOCUMENT) return "/";
  let path = "";
  for (
    let at: XmlNode | undefined = node;
    at !== undefined;
    at = at.parent
  ) {
    path = `/${stepOf(at)}${path}`;
  }
  return path;
}

function stepOf(node: Exclude<XmlNode, { kind: typeof DOCUMENT }>): string {
  if (node.kind === ATTRIBUTE) return `@${node.ns === "" ? "" : `Q{${node.ns}}`}${node.local}`;
  const siblings: readonly XmlNode[] = node.parent?.children ?? [node];
  const alike = siblings.filter((it) =>
    it.kind === node.kind &&
    (node.kind === ELEMENT
      ? it.kind === ELEMENT && it.nameId === node.nameId
      : targetOf(it) === targetOf(node))
  );
  const position = `[${alike.findIndex((it) => it.order === node.order) + 1}]`;
  if (node.kind === ELEMENT) return `Q{${node.ns}}${node.local}${position}`;
  if (node.kind === INSTRUCTION) return `processing-instruction(${node.target})${position}`;
  return `${node.kind === COMMENT ? "comment" : "text"}()${position}`;
}

function targetOf(node: XmlNode): string {
  return node.kind === INSTRUCTION ? node.target : "";
}

function nameFunction(call: Call, name: (node: XmlNode) => string): Code {
  const single = singleOf(argument(call, 0), `${call.name}()`);
  const ofContext = call.args.length === 0 && call.name !== "generate-id";
  return oneCode("string", ofContext ? NAME : dependsWith(call, 1), (frame) => {
    const node = single(frame);
    if (node === undefined) return "";
    if (!isNode(node)) {
      throw wrongType(`${call.name}() expects a node`, `${call.name}() attend un nœud`);
    }
    return node.kind === DOCUMENT || node.kind === TEXT || node.kind === COMMENT
      ? call.name === "generate-id" ? name(node) : ""
      : name(node);
  });
}

function focus(call: Call, bit: number, value: (frame: Frame) => number): Code {
  if (call.env.context === undefined) {
    failAt(call.expr, `there is no ${call.name}() here`, `il n'y a pas de ${call.name}() ici`);
  }
  return oneCode("integer", bit, value);
}

function compileKey(call: Call): Code {
  const [name] = call.args[0]?.constant ?? [];
  const index = typeof name === "string" ? call.env.shared.keys.get(name) : undefined;
  if (index === undefined) {
    failAt(
      call.expr,
      `the key ${typeof name === "string" ? `"${name}"` : "of key()"} is not declared`,
      `la clé ${typeof name === "string" ? `« ${name} »` : "de key()"} n'est pas déclarée`,
    );
  }
  return index.compile(argument(call, 1));
}

function existence(code: Code): (frame: Frame) => boolean {
  return code.kind === "node" ? code.bool : code.any(() => true);
}

/** The typed value of an item: of a node, an untyped value (text for comments and processing instructions). */
export function atomized(item: Item): Item {
  if (!isNode(item)) return item;
  return item.kind === COMMENT || item.kind === INSTRUCTION ? item.text : new Untyped(item.text);
}

export function atomizedKind(kind: Kind): Kind {
  return kind === "node" ? "untyped" : kind;
}

function mapItems(call: Call, map: (item: Item) => Item): Code {
  const code = argument(call, 0);
  const each = (sink: Sink): Walker => code.each((frame, item) => sink(frame, map(item)));
  return manyCode(atomizedKind(code.kind), dependsWith(call, 1), each);
}

function listFunction(
  call: Call,
  map: (list: readonly Item[], frame: Frame) => readonly Item[],
  atomic = false,
): Code {
  const code = argument(call, 0);
  const items = collector(code.each);
  const each = (sink: Sink): Walker => (frame) =>
    map(items(frame), frame).some((item) => sink(frame, item));
  const kind = atomic ? atomizedKind(code.kind) : code.kind;
  return manyCode(kind, call.depends, each, { distinct: kind !== "node" });
}

/** Text for which equal values have equal text, whatever their type. */
function valueKey(item: Item): string {
  if (isNumeric(item)) {
    return `n${item instanceof Double ? shortestText(item.double) : String(toDecimal(item))}`;
  }
  if (typeof item === "boolean") return `b${item}`;
  return item instanceof Temporal ? `${item.type}${instant(item)}` : `s${textOf(item)}`;
}

/** Of doubles the shortest text, since a decimal equals the double it would be converted to. */
function shortestText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const text = String(value === 0 ? 0 : value);
  return String(text.includes("e") ? toDecimal(new Double(value)) : text);
}

function distinctValues(list: readonly Item[]): readonly Item[] {
  const found = new Map<string, Item>();
  for (const item of list) {
    const key = valueKey(item);
    if (!found.has(key)) found.set(key, atomized(item));
  }
  return [...found.values()];
}

function compileSubsequence(call: Call): Code {
  const start = numericArgument(call, 1);
  const length = call.args.length > 2 ? numericArgument(call, 2) : undefined;
  return listFunction(call, (list, frame) => {
    const from = Math.round(toDouble(start(frame) ?? NaN));
    const to = length === undefined ? Infinity : from + Math.round(toDouble(length(frame) ?? NaN));
    return list.filter((_, at) => at + 1 >= from && at + 1 < to);
  });
}

function compileIndexOf(call: Call): Code {
  const items = collector(argument(call, 0).each);
  const wanted = singleOf(argument(call, 1), "index-of()");
  const each = (sink: Sink): Walker => (frame) => {
    const value = wanted(frame);
    if (value === undefined) return false;
    return items(frame).some((item, at) => sameValue(item, value) && sink(frame, at + 1));
  };
  return manyCode("integer", call.depends, each);
}

function sameValue(a: Item, b: Item): boolean {
  try {
    return compareValues(atomized(a), atomized(b), "eq") === 0;
  } catch (fault) {
    if (fault instanceof XPathFault) return false;
    throw fault;
  }
}

function compileInsert(call: Call): Code {
  const position = integerArgument(call, 1);
  const inserted = collector(argument(call, 2).each);
  return listFunction(call, (list, frame) => {
    const at = Math.max(0, position(frame) - 1);
    return [...list.slice(0, at), ...inserted(frame), ...list.slice(at)];
  });
}

function counted(call: Call, allowed: (count: number) => boolean, code: string): Code {
  return listFunction(call, (list) => {
    if (allowed(list.length)) return list;
    throw new XPathFault(
      code,
      `${call.name}() got ${list.length} items`,
      `${call.name}() reçoit ${list.length} éléments`,
    );
  });
}

function compileError(call: Call): Code {
  const text = call.args.length > 1 ? textArgument(call, 1) : () => "error()";
  return oneCode("item", call.depends | DOC, (frame) => {
    const sentence = text(frame);
    throw new XPathFault("FOER0000", sentence, sentence);
  }, OPTIONAL);
}
