import {
  ATTRIBUTE,
  COMMENT,
  DOCUMENT,
  ELEMENT,
  INSTRUCTION,
  TEXT,
  type XmlNode,
} from "#src/xml/mod.ts";
import {
  argument,
  type Builtin,
  createFunctions,
  dependsWith,
  type FunctionCall,
} from "./arguments.ts";
import {
  boolCode,
  type Code,
  collector,
  compileFirst,
  compileSingle,
  CURRENT,
  DOC,
  LAST,
  manyCode,
  NAME,
  ONE,
  oneCode,
  OPTIONAL,
  POSITION,
  type Sink,
  type StaticType,
  type Walker,
} from "./code.ts";
import { toText } from "./atomic.ts";
import { failAt } from "./env.ts";
import { wrongType, XPathFault } from "./faults.ts";
import { toDouble } from "./numbers.ts";
import { integerArgument, numericArgument, textArgument } from "./arguments.ts";
import { compareValues } from "./atomic.ts";
import type { EvaluationFrame } from "./frame.ts";
import { isNode, isNumeric, Temporal, Untyped, type XPathItem } from "./items.ts";
import { toDecimal } from "./numbers.ts";
import { Double } from "./items.ts";
import { instant } from "./temporal.ts";
import { negate, valueWithout } from "./when_absent.ts";

export const NODE_FUNCTIONS: readonly [string, Builtin][] = createFunctions({
  name: [
    0,
    1,
    (call) => nameFunction(call, (node) => "qname" in node ? node.qname : readTarget(node)),
  ],
  "local-name": [
    0,
    1,
    (call) => nameFunction(call, (node) => "local" in node ? node.local : readTarget(node)),
  ],
  "namespace-uri": [0, 1, (call) => nameFunction(call, (node) => "ns" in node ? node.ns : "")],
  "generate-id": [0, 1, (call) => nameFunction(call, (node) => `n${node.order + 1}`)],
  path: [0, 1, (call) => {
    const single = compileSingle(argument(call, 0), "path()");
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

export const SEQUENCE_FUNCTIONS: readonly [string, Builtin][] = createFunctions({
  exists: [1, 1, (call) => {
    const code = argument(call, 0);
    const absent = valueWithout(code, false);
    return { ...boolCode(call.depends, existence(code)), absent, kept: code.kept };
  }],
  empty: [1, 1, (call) => {
    const code = argument(call, 0);
    const denial = existence(code);
    const absent = negate(valueWithout(code, false));
    const { kept } = code;
    return { ...boolCode(call.depends, (frame) => !denial(frame)), denial, absent, kept };
  }],
  not: [1, 1, (call) => {
    const { bool: denial, kept, ...code } = argument(call, 0);
    const absent = negate(code.absent);
    return { ...boolCode(call.depends, (frame) => !denial(frame)), denial, absent, kept };
  }],
  boolean: [1, 1, (call) => boolCode(call.depends, argument(call, 0).bool)],
  true: [0, 0, () => oneCode("boolean", 0, () => true)],
  false: [0, 0, () => oneCode("boolean", 0, () => false)],
  data: [0, 1, (call) => mapItems(call, atomize)],
  "distinct-values": [1, 1, (call) => listFunction(call, distinctValues, true)],
  reverse: [1, 1, (call) => listFunction(call, (list) => list.toReversed())],
  head: [1, 1, (call) => {
    const code = argument(call, 0);
    return oneCode(code.kind, call.depends, compileFirst(code), OPTIONAL);
  }],
  tail: [1, 1, (call) => listFunction(call, (list) => list.slice(1))],
  unordered: [1, 1, (call) => argument(call, 0)],
  subsequence: [2, 3, compileSubsequence],
  "index-of": [2, 2, getCompileIndex],
  "insert-before": [3, 3, compileInsert],
  remove: [2, 2, (call) => {
    const position = integerArgument(call, 1);
    return listFunction(call, (list, frame) => list.filter((_, at) => at + 1 !== position(frame)));
  }],
  "zero-or-one": [1, 1, (call) => compileCounted(call, (count) => count <= 1, "FORG0003")],
  "one-or-more": [1, 1, (call) => compileCounted(call, (count) => count >= 1, "FORG0004")],
  "exactly-one": [1, 1, (call) => compileCounted(call, (count) => count === 1, "FORG0005")],
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
    path = `/${formatStep(at)}${path}`;
  }
  return path;
}

function formatStep(node: Exclude<XmlNode, { kind: typeof DOCUMENT }>): string {
  if (node.kind === ATTRIBUTE) return `@${node.ns === "" ? "" : `Q{${node.ns}}`}${node.local}`;
  const siblings: readonly XmlNode[] = node.parent?.children ?? [node];
  const alike = siblings.filter((it) =>
    it.kind === node.kind &&
    (node.kind === ELEMENT
      ? it.kind === ELEMENT && it.nameId === node.nameId
      : readTarget(it) === readTarget(node))
  );
  const position = `[${alike.findIndex((it) => it.order === node.order) + 1}]`;
  if (node.kind === ELEMENT) return `Q{${node.ns}}${node.local}${position}`;
  if (node.kind === INSTRUCTION) return `processing-instruction(${node.target})${position}`;
  return `${node.kind === COMMENT ? "comment" : "text"}()${position}`;
}

function readTarget(node: XmlNode): string {
  return node.kind === INSTRUCTION ? node.target : "";
}

function nameFunction(call: FunctionCall, name: (node: XmlNode) => string): Code {
  const single = compileSingle(argument(call, 0), `${call.name}()`);
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

function focus(call: FunctionCall, bit: number, value: (frame: EvaluationFrame) => number): Code {
  if (call.env.context === undefined) {
    failAt(call.expr, `there is no ${call.name}() here`, `il n'y a pas de ${call.name}() ici`);
  }
  return oneCode("integer", bit, value);
}

function compileKey(call: FunctionCall): Code {
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

function existence(code: Code): (frame: EvaluationFrame) => boolean {
  return code.kind === "node" ? code.bool : code.any(() => true);
}

/**
 * Returns the typed value of an item: of a node, an untyped value (text for comments and processing
 * instructions).
 */
export function atomize(item: XPathItem): XPathItem {
  if (!isNode(item)) return item;
  return item.kind === COMMENT || item.kind === INSTRUCTION ? item.text : new Untyped(item.text);
}

export function atomizedKind(kind: StaticType): StaticType {
  return kind === "node" ? "untyped" : kind;
}

function mapItems(call: FunctionCall, map: (item: XPathItem) => XPathItem): Code {
  const code = argument(call, 0);
  const each = (sink: Sink): Walker => code.each((frame, item) => sink(frame, map(item)));
  return manyCode(atomizedKind(code.kind), dependsWith(call, 1), each);
}

function listFunction(
  call: FunctionCall,
  map: (list: readonly XPathItem[], frame: EvaluationFrame) => readonly XPathItem[],
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
function valueKey(item: XPathItem): string {
  if (isNumeric(item)) {
    return `n${item instanceof Double ? shortestText(item.double) : String(toDecimal(item))}`;
  }
  if (typeof item === "boolean") return `b${item}`;
  return item instanceof Temporal ? `${item.type}${instant(item)}` : `s${toText(item)}`;
}

/** Returns the shortest text of a double, since a decimal equals the double it converts to. */
function shortestText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const text = String(value === 0 ? 0 : value);
  return String(text.includes("e") ? toDecimal(new Double(value)) : text);
}

function distinctValues(list: readonly XPathItem[]): readonly XPathItem[] {
  const found = new Map<string, XPathItem>();
  for (const item of list) {
    const key = valueKey(item);
    if (!found.has(key)) found.set(key, atomize(item));
  }
  return [...found.values()];
}

function compileSubsequence(call: FunctionCall): Code {
  const start = numericArgument(call, 1);
  const length = call.args.length > 2 ? numericArgument(call, 2) : undefined;
  return listFunction(call, (list, frame) => {
    const from = Math.round(toDouble(start(frame) ?? NaN));
    const to = length === undefined ? Infinity : from + Math.round(toDouble(length(frame) ?? NaN));
    return list.filter((_, at) => at + 1 >= from && at + 1 < to);
  });
}

function getCompileIndex(call: FunctionCall): Code {
  const items = collector(argument(call, 0).each);
  const wanted = compileSingle(argument(call, 1), "index-of()");
  const each = (sink: Sink): Walker => (frame) => {
    const value = wanted(frame);
    if (value === undefined) return false;
    return items(frame).some((item, at) => sameValue(item, value) && sink(frame, at + 1));
  };
  return manyCode("integer", call.depends, each);
}

function sameValue(a: XPathItem, b: XPathItem): boolean {
  try {
    return compareValues(atomize(a), atomize(b), "eq") === 0;
  } catch (fault) {
    if (fault instanceof XPathFault) return false;
    throw fault;
  }
}

function compileInsert(call: FunctionCall): Code {
  const position = integerArgument(call, 1);
  const inserted = collector(argument(call, 2).each);
  return listFunction(call, (list, frame) => {
    const at = Math.max(0, position(frame) - 1);
    return [...list.slice(0, at), ...inserted(frame), ...list.slice(at)];
  });
}

function compileCounted(
  call: FunctionCall,
  allowed: (count: number) => boolean,
  code: string,
): Code {
  return listFunction(call, (list) => {
    if (allowed(list.length)) return list;
    throw new XPathFault(
      code,
      `${call.name}() got ${list.length} items`,
      `${call.name}() reçoit ${list.length} éléments`,
    );
  });
}

function compileError(call: FunctionCall): Code {
  const text = call.args.length > 1 ? textArgument(call, 1) : () => "error()";
  return oneCode("item", call.depends | DOC, (frame) => {
    const sentence = text(frame);
    throw new XPathFault("FOER0000", sentence, sentence);
  }, OPTIONAL);
}
