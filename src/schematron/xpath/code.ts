import { wrongType, XPathFault } from "./faults.ts";
import type { EvaluationFrame } from "./frame.ts";
import { Double, isNode, isNumeric, Untyped, type XPathItem } from "./items.ts";
import { toDouble } from "./numbers.ts";
import { type Chain, valueWithout, type WhenAbsent } from "./when_absent.ts";

/** Static type of the items; `numeric` is any number, `item` is anything. `untyped` are values taken from nodes. */
export type StaticType =
  | "node"
  | "untyped"
  | "string"
  | "boolean"
  | "integer"
  | "decimal"
  | "double"
  | "numeric"
  | "item";

/** Exactly one item, at most one, or any number. */
export const ONE = 1;
export const OPTIONAL = 2;
export const MANY = 3;
type Cardinality = typeof ONE | typeof OPTIONAL | typeof MANY;

/** Dependencies of a value as a set of bits; 0 is a constant. */
export const ITEM = 1;
export const POSITION = 2;
export const LAST = 4;
/** The name of the context item and nothing else of it. */
export const NAME = 128;
export const FOCUS = ITEM | POSITION | LAST | NAME;
export const CURRENT = 8;
export const LOCAL = 16;
export const DOC = 32;
/** Variable that shares its name with others, so that its text does not identify the value. */
export const SCOPED = 64;

/** Takes an item; true stops the delivery. */
export type Sink = (frame: EvaluationFrame, item: XPathItem) => boolean;
/** Delivers items to the sink it was built for; true when the sink stopped it. */
export type Walker = (frame: EvaluationFrame) => boolean;
type One = (frame: EvaluationFrame) => XPathItem | undefined;

/** A compiled expression, in the forms its users may ask for. */
export interface Code {
  readonly kind: StaticType;
  readonly card: Cardinality;
  readonly depends: number;
  /** The value when it is a constant of the expression. */
  readonly constant: readonly XPathItem[] | undefined;
  /** The item, where `card` is not MANY. */
  readonly one: One;
  /** Effective boolean value. */
  readonly bool: (frame: EvaluationFrame) => boolean;
  /** The opposite of `bool` where it is cheaper to ask, as with `not()`; else undefined. */
  readonly denial: ((frame: EvaluationFrame) => boolean) | undefined;
  readonly absent: WhenAbsent | undefined;
  /** Builds the delivery to a sink, in order and without duplicates. */
  readonly each: (sink: Sink) => Walker;
  /** The same in any order, duplicates possible: enough to ask whether some item satisfies a condition. */
  readonly any: (sink: Sink) => Walker;
  /** True if `any` delivers no node twice. */
  readonly distinct: boolean;
  /** True for nodes if `each` is `any`. */
  readonly ordered: boolean;
  /** True for nodes if none is inside another. */
  readonly flat: boolean;
  /** Names (indexes in `EvaluationFrame.names`) without which a document has none of these nodes. */
  readonly needs: readonly number[];
  readonly chain: Chain | undefined;
  /** `any` without a look ahead at `needs` or `chain`, for who looks himself. */
  readonly raw: (sink: Sink) => Walker;
  /** True if a second evaluation is nearly free, so that callers need not cache the value. */
  readonly kept: boolean;
  /** Items as text, for a list that is cached for the document. */
  readonly texts: ((frame: EvaluationFrame) => ReadonlySet<string>) | undefined;
}

const NO_NEEDS: readonly number[] = [];

export function oneCode(
  kind: StaticType,
  depends: number,
  one: One,
  card: typeof ONE | typeof OPTIONAL = ONE,
): Code {
  const each = (sink: Sink): Walker => (frame) => {
    const item = one(frame);
    return item !== undefined && sink(frame, item);
  };
  const shape = {
    distinct: true,
    ordered: true,
    flat: true,
    constant: undefined,
    needs: NO_NEEDS,
    chain: undefined,
    denial: undefined,
    absent: undefined,
    kept: false,
    texts: undefined,
  };
  return {
    kind,
    card,
    depends,
    one,
    bool: boolOfOne(kind, one),
    each,
    any: each,
    raw: each,
    ...shape,
  };
}

export function boolCode(depends: number, bool: (frame: EvaluationFrame) => boolean): Code {
  return { ...oneCode("boolean", depends, bool), bool };
}

interface ManyShape {
  readonly any?: (sink: Sink) => Walker;
  readonly distinct?: boolean;
  readonly ordered?: boolean;
  readonly flat?: boolean;
  readonly bool?: (frame: EvaluationFrame) => boolean;
  readonly needs?: readonly number[];
  readonly chain?: Chain | undefined;
  readonly raw?: (sink: Sink) => Walker;
  readonly kept?: boolean;
  readonly texts?: Code["texts"];
}

export function manyCode(
  kind: StaticType,
  depends: number,
  each: (sink: Sink) => Walker,
  shape: ManyShape = {},
): Code {
  const any = shape.any ?? each;
  return {
    kind,
    card: MANY,
    depends,
    constant: undefined,
    denial: undefined,
    absent: valueWithout({ chain: shape.chain, needs: shape.needs ?? NO_NEEDS }, false),
    one: () => {
      throw new TypeError("a sequence was asked for one item");
    },
    bool: shape.bool ?? whenAsked(() => kind === "node" ? any(() => true) : boolOfMany(each)),
    each,
    any,
    distinct: shape.distinct ?? true,
    ordered: shape.ordered ?? any === each,
    flat: shape.flat ?? false,
    needs: shape.needs ?? NO_NEEDS,
    chain: shape.chain,
    raw: shape.raw ?? any,
    kept: shape.kept ?? false,
    texts: shape.texts,
  };
}

export function constantCode(kind: StaticType, items: readonly XPathItem[]): Code {
  const [first] = items;
  if (items.length === 1 && first !== undefined) {
    return { ...oneCode(kind, 0, () => first), constant: items };
  }
  if (items.length === 0) {
    return { ...oneCode(kind, 0, () => undefined, OPTIONAL), constant: items };
  }
  const each = (sink: Sink): Walker => (frame) => items.some((item) => sink(frame, item));
  return { ...manyCode(kind, 0, each), constant: items };
}

/** Builds closures on first use: most forms of most expressions are never used. */
export function whenAsked<T>(
  build: () => (frame: EvaluationFrame) => T,
): (frame: EvaluationFrame) => T {
  let built: ((frame: EvaluationFrame) => T) | undefined;
  return (frame) => (built ??= build())(frame);
}

function boolOfOne(kind: StaticType, one: One): (frame: EvaluationFrame) => boolean {
  switch (kind) {
    case "boolean":
      return (frame) => one(frame) === true;
    case "node":
      return (frame) => one(frame) !== undefined;
    case "string":
      return (frame) => (one(frame) ?? "") !== "";
    default:
      return (frame) => effectiveBoolean(one(frame));
  }
}

function boolOfMany(each: (sink: Sink) => Walker): (frame: EvaluationFrame) => boolean {
  const items = collector(each);
  return (frame) => {
    const list = items(frame);
    const [first] = list;
    if (list.length > 1 && first !== undefined && !isNode(first)) throw noBoolean();
    return effectiveBoolean(first);
  };
}

export function effectiveBoolean(item: XPathItem | undefined): boolean {
  if (item === undefined) return false;
  if (typeof item === "boolean") return item;
  if (typeof item === "string") return item !== "";
  if (isNumeric(item)) {
    const value = toDouble(item);
    return value !== 0 && !Number.isNaN(value);
  }
  if (item instanceof Untyped) return item.untyped !== "";
  if (isNode(item)) return true;
  throw noBoolean();
}

function noBoolean(): XPathFault {
  return new XPathFault(
    "FORG0006",
    "a value has no effective boolean value",
    "une valeur n'a pas de valeur booléenne effective",
  );
}

/** Returns the items as a list. */
export function collector(each: (sink: Sink) => Walker): (frame: EvaluationFrame) => XPathItem[] {
  let list: XPathItem[] = [];
  const walk = each((_, item) => {
    list.push(item);
    return false;
  });
  return (frame) => {
    const outer = list;
    const mine: XPathItem[] = list = [];
    try {
      walk(frame);
    } finally {
      list = outer;
    }
    return mine;
  };
}

export function compileList(code: Code): (frame: EvaluationFrame) => readonly XPathItem[] {
  const { constant } = code;
  return constant === undefined ? collector(code.each) : () => constant;
}

/** Returns the only item, if any; several are a type error that names `what`. */
export function compileSingle(code: Code, what: string): One {
  if (code.card !== MANY) return code.one;
  let found: XPathItem | undefined;
  let more = false;
  const walk = code.each((_, item) => {
    if (found !== undefined) return more = true;
    found = item;
    return false;
  });
  return (frame) => {
    const outer = found;
    found = undefined;
    more = false;
    try {
      walk(frame);
      if (more) throw severalItems(what);
      return found;
    } finally {
      found = outer;
    }
  };
}

function severalItems(what: string): XPathFault {
  return wrongType(
    `${what}: several items where one is allowed`,
    `${what} : plusieurs éléments là où un seul est admis`,
  );
}

/** Returns the first item, if any. */
export function compileFirst(code: Code): One {
  return code.card === MANY ? firstFrom(code.each) : code.one;
}

export function firstFrom(each: (sink: Sink) => Walker): One {
  let found: XPathItem | undefined;
  const walk = each((_, item) => {
    found = item;
    return true;
  });
  return (frame) => {
    const outer = found;
    found = undefined;
    try {
      walk(frame);
      return found;
    } finally {
      found = outer;
    }
  };
}

/** Number of items. */
export function compileCount(code: Code): (frame: EvaluationFrame) => number {
  let count = 0;
  const walk = (code.distinct ? code.any : code.each)(() => {
    count++;
    return false;
  });
  return (frame) => {
    const outer = count;
    count = 0;
    walk(frame);
    const result = count;
    count = outer;
    return result;
  };
}

export function kindOfItem(item: XPathItem): StaticType {
  switch (typeof item) {
    case "string":
    case "boolean":
      return typeof item === "string" ? "string" : "boolean";
    case "number":
    case "bigint":
      return "integer";
  }
  if (item instanceof Double) return "double";
  if (item instanceof Untyped) return "untyped";
  return isNumeric(item) ? "decimal" : isNode(item) ? "node" : "item";
}

/**
 * Checks whether general comparisons with text compare text: nodes of documents without schema have untyped
 * values.
 */
export function isTextKind(kind: StaticType): boolean {
  return kind === "node" || kind === "untyped" || kind === "string";
}

/** Returns the narrowest kind that covers both. */
export function commonKind(a: StaticType, b: StaticType): StaticType {
  if (a === b) return a;
  return isNumericKind(a) && isNumericKind(b) ? "numeric" : "item";
}

/** Checks whether the value is a constant or cached. */
export function isAtHand({ kept, constant }: Code): boolean {
  return kept || constant !== undefined;
}

export function isNumericKind(kind: StaticType): boolean {
  return kind === "integer" || kind === "decimal" || kind === "double" || kind === "numeric";
}
