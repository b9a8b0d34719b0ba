import * as decimals from "#src/kernel/decimal.ts";
import type { Rounding } from "#src/kernel/decimal.ts";
import { castTo, compareValues, toText } from "./atomic.ts";
import {
  argument,
  type Builtin,
  createFunctions,
  dependsWith,
  type FunctionCall,
  integerArgument,
  numericArgument,
  numericItem,
  textArgument,
} from "./arguments.ts";
import {
  type Code,
  collector,
  compileCount,
  compileSingle,
  isNumericKind,
  ONE,
  oneCode,
  OPTIONAL,
  type StaticType,
} from "./code.ts";
import { formatNumber } from "./format_number.ts";
import type { EvaluationFrame } from "./frame.ts";
import { atomicType, Double, Float, isNumeric, type Numeric, type XPathItem } from "./items.ts";
import { absNumeric, arithmetic, doubleOrUndefined, roundNumeric, toDouble } from "./numbers.ts";

export const NUMBER_FUNCTIONS: readonly [string, Builtin][] = createFunctions({
  number: [0, 1, compileNumber],
  abs: [1, 1, (call) => mapNumber(call, absNumeric)],
  floor: [1, 1, (call) => mapNumber(call, (value) => roundNumeric(value, 0, "floor"))],
  ceiling: [1, 1, (call) => mapNumber(call, (value) => roundNumeric(value, 0, "ceiling"))],
  round: [1, 2, (call) => rounding(call, "half-up")],
  "round-half-to-even": [1, 2, (call) => rounding(call, "half-even")],
  count: [1, 1, (call) => {
    const code = argument(call, 0);
    return {
      ...oneCode("integer", call.depends, compileCount(code)),
      chain: code.chain,
      needs: code.needs,
    };
  }],
  sum: [1, 2, compileSum],
  avg: [1, 1, (call) => {
    const items = collector(argument(call, 0).each);
    return oneCode("numeric", call.depends, (frame) => {
      const list = items(frame).map((item) => numericItem(item, "avg"));
      return list.length === 0 ? undefined : arithmetic("div", total(list), list.length);
    }, OPTIONAL);
  }],
  "format-number": [2, 2, (call) => {
    const number = numericArgument(call, 0);
    const picture = textArgument(call, 1);
    return oneCode(
      "string",
      call.depends,
      (frame) => formatNumber(number(frame) ?? new Double(NaN), picture(frame)),
    );
  }],
  min: [1, 1, (call) => extreme(call, -1)],
  max: [1, 1, (call) => extreme(call, 1)],
});

/** fn:number: whatever is no number is NaN, never an error. */
function compileNumber(call: FunctionCall): Code {
  const single = compileSingle(argument(call, 0), "number()");
  return oneCode("double", dependsWith(call, 1), (frame) => {
    const item = single(frame);
    if (item === undefined) return new Double(NaN);
    if (isNumeric(item)) return new Double(toDouble(item));
    const type = atomicType(item);
    if (type === "boolean") return castTo(item, "double");
    return new Double(
      type === "string" || type === "untyped" ? doubleOrUndefined(toText(item)) ?? NaN : NaN,
    );
  });
}

function mapNumber(call: FunctionCall, map: (value: Numeric) => Numeric): Code {
  const code = argument(call, 0);
  const single = numericArgument(call, 0);
  const one = (frame: EvaluationFrame) => {
    const value = single(frame);
    return value === undefined ? undefined : map(value);
  };
  return oneCode(numberKind(code.kind), call.depends, one, code.card === ONE ? ONE : OPTIONAL);
}

/** Kind of a number computed from values of this kind. */
function numberKind(kind: StaticType): StaticType {
  if (isNumericKind(kind)) return kind;
  return kind === "node" || kind === "untyped" ? "double" : "numeric";
}

function rounding(call: FunctionCall, how: Rounding): Code {
  if (call.args.length === 1) return mapNumber(call, (value) => roundNumeric(value, 0, how));
  const code = argument(call, 0);
  const single = numericArgument(call, 0);
  const places = integerArgument(call, 1);
  const one = (frame: EvaluationFrame) => {
    const value = single(frame);
    return value === undefined ? undefined : roundNumeric(value, places(frame), how);
  };
  return oneCode(numberKind(code.kind), call.depends, one, code.card === ONE ? ONE : OPTIONAL);
}

function compileSum(call: FunctionCall): Code {
  const code = argument(call, 0);
  if (call.args.length === 1 && code.kind === "decimal") return sumOfDecimals(code, call.depends);
  const items = collector(code.each);
  const zero = call.args.length > 1 ? compileSingle(argument(call, 1), "sum()") : () => 0;
  const kind = call.args.length === 1 && code.kind === "integer" ? "integer" : "item";
  const one = (frame: EvaluationFrame) => {
    const list = items(frame);
    return list.length === 0 ? zero(frame) : sumOfItems(list);
  };
  return oneCode(kind, call.depends, one, call.args.length === 1 ? ONE : OPTIONAL);
}

/** Compiles a sum of decimals; an empty sum is the xs:integer 0, so the kind is only a number. */
function sumOfDecimals(code: Code, depends: number): Code {
  let sum: decimals.Decimal | undefined;
  const walk = (code.distinct ? code.any : code.each)((_, item) => {
    const value = item as decimals.Decimal;
    sum = sum === undefined ? value : decimals.add(sum, value);
    return false;
  });
  return oneCode("numeric", depends, (frame) => {
    const outer = sum;
    sum = undefined;
    walk(frame);
    const result = sum;
    sum = outer;
    return result ?? 0;
  });
}

function sumOfItems(list: readonly XPathItem[]): XPathItem {
  return total(list.map((item) => numericItem(item, "sum")));
}

function total(list: readonly Numeric[]): Numeric {
  return list.reduce((sum, value) => arithmetic("+", sum, value));
}

function extreme(call: FunctionCall, sign: 1 | -1): Code {
  const code = argument(call, 0);
  const items = collector(code.each);
  const one = (frame: EvaluationFrame) => {
    let best: XPathItem | undefined;
    let widest: XPathItem | undefined;
    for (const item of items(frame)) {
      const value = atomicType(item) === "untyped" ? numericItem(item, call.name) : item;
      if (value instanceof Double) {
        if (Number.isNaN(value.double)) return value;
        if (widest === undefined || widest instanceof Float) widest = value;
      }
      if (best === undefined || sign * compareValues(value, best, "lt") > 0) best = value;
    }
    // Numbers are compared, and the result given, as the widest type among them.
    return widest === undefined || best === undefined ? best : castTo(best, atomicType(widest));
  };
  const kind = code.kind === "node" || code.kind === "untyped" ? "double" : code.kind;
  return oneCode(kind, call.depends, one, OPTIONAL);
}
