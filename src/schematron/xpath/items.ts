import { Decimal } from "#src/kernel/decimal.ts";
import { COMMENT, INSTRUCTION, type XmlNode } from "#src/xml/mod.ts";

/**
 * Item of XPath. xs:integer is a safe `number` or a `bigint` beyond; xs:decimal a `Decimal`; xs:double a
 * `Double`, xs:float a `Float`. A node is itself; as an atomic value it is the xs:untypedAtomic of its string
 * value.
 */
export type XPathItem =
  | XmlNode
  | string
  | boolean
  | number
  | bigint
  | Decimal
  | Double
  | Untyped
  | Temporal
  | Duration;

export type Numeric = number | bigint | Decimal | Double;

/** xs:double; every statement about it here also holds for xs:float. */
export class Double {
  readonly double: number;
  constructor(value: number) {
    this.double = value;
  }
}

/** xs:float: `double` is a number that 24 bits hold. */
export class Float extends Double {
  constructor(value: number) {
    super(Math.fround(value));
  }
}

/** An xs:untypedAtomic that is no node's value. */
export class Untyped {
  readonly untyped: string;
  constructor(value: string) {
    this.untyped = value;
  }
}

export type TemporalType = "date" | "dateTime" | "time" | "gYear" | "gYearMonth";

/** A date or time; `ms` counts from 1970-01-01T00:00:00 in the value's own time zone, `offset` is in minutes. */
export class Temporal {
  readonly type: TemporalType;
  readonly ms: number;
  readonly offset: number | undefined;
  constructor(type: TemporalType, ms: number, offset: number | undefined) {
    this.type = type;
    this.ms = ms;
    this.offset = offset;
  }
}

/** Duration; one of the two parts is 0 for yearMonthDuration and dayTimeDuration. */
export class Duration {
  readonly months: number;
  readonly ms: number;
  constructor(months: number, ms: number) {
    this.months = months;
    this.ms = ms;
  }
}

/** Type of an item as an atomic value. */
export type AtomicType =
  | "untyped"
  | "string"
  | "boolean"
  | "integer"
  | "decimal"
  | "double"
  | "float"
  | "duration"
  | TemporalType;

export function isNode(item: XPathItem): item is XmlNode {
  return typeof item === "object" && "kind" in item;
}

export function atomicType(item: XPathItem): AtomicType {
  switch (typeof item) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
    case "bigint":
      return "integer";
  }
  if (item instanceof Decimal) return "decimal";
  if (item instanceof Double) return item instanceof Float ? "float" : "double";
  if (item instanceof Temporal) return item.type;
  if (item instanceof Duration) return "duration";
  if (item instanceof Untyped) return "untyped";
  return item.kind === COMMENT || item.kind === INSTRUCTION ? "string" : "untyped";
}

export function isNumeric(item: XPathItem): item is Numeric {
  return typeof item === "number" || typeof item === "bigint" || item instanceof Decimal ||
    item instanceof Double;
}
