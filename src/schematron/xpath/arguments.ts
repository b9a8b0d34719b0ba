import type { Expr } from "./ast.ts";
import { castTo, toText } from "./atomic.ts";
import { type Code, compileSingle, isNumericKind, ITEM, oneCode } from "./code.ts";
import { failAt, type StaticContext } from "./env.ts";
import { wrongType } from "./faults.ts";
import type { EvaluationFrame } from "./frame.ts";
import { atomicType, Double, isNode, isNumeric, type Numeric, type XPathItem } from "./items.ts";
import { parseDouble } from "./numbers.ts";

export type CallExpr = Extract<Expr, { t: "call" }>;

/** Call being compiled, with its arguments and its static context. */
export interface FunctionCall {
  readonly expr: CallExpr;
  readonly env: StaticContext;
  /** Name without prefix, for sentences. */
  readonly name: string;
  readonly args: readonly Code[];
  /** Bits of all arguments. */
  readonly depends: number;
}

export interface Builtin {
  readonly min: number;
  readonly max: number;
  readonly compile: (call: FunctionCall) => Code;
}

/** Returns the argument at an index; the context item where it may be left out. */
export function argument(call: FunctionCall, index: number): Code {
  const code = call.args[index];
  if (code !== undefined) return code;
  const { context } = call.env;
  if (context === undefined) {
    failAt(
      call.expr,
      `${call.name}() needs an argument here: there is no context item`,
      `${call.name}() demande ici un argument : il n'y a pas d'élément de contexte`,
    );
  }
  return oneCode(context, ITEM, (frame) => frame.item);
}

/** Returns the dependencies of the arguments, and of the context item if it replaces the last one. */
export function dependsWith(call: FunctionCall, wanted: number): number {
  return call.args.length < wanted ? call.depends | ITEM : call.depends;
}

/** Compiles an argument of type `xs:string?`; an absent value is the empty string. */
export function textArgument(
  call: FunctionCall,
  index: number,
): (frame: EvaluationFrame) => string {
  const text = optionalText(call, index);
  return (frame) => text(frame) ?? "";
}

/** Returns an argument of type `xs:string?`, nothing kept apart. */
export function optionalText(
  call: FunctionCall,
  index: number,
): (frame: EvaluationFrame) => string | undefined {
  const code = argument(call, index);
  const [constant] = code.constant ?? [];
  if (typeof constant === "string") return () => constant;
  const { name } = call;
  const single = compileSingle(code, `${name}()`);
  if (code.kind === "node") {
    return (frame) => {
      const node = single(frame);
      return node === undefined ? undefined : (node as { text: string }).text;
    };
  }
  if (code.kind === "string") return single as (frame: EvaluationFrame) => string | undefined;
  return (frame) => {
    const item = single(frame);
    return item === undefined ? undefined : stringItem(item, name);
  };
}

function stringItem(item: XPathItem, name: string): string {
  if (typeof item === "string") return item;
  const type = atomicType(item);
  if (type === "untyped" || isNode(item)) return toText(item);
  throw wrongType(
    `${name}() expects text and got xs:${type}; convert it with string()`,
    `${name}() attend du texte et reçoit xs:${type} ; convertissez-le par string()`,
  );
}

/** Compiles the text of any atomic value (`fn:concat`, `fn:string`); an absent value is the empty string. */
export function anyText(code: Code, name: string): (frame: EvaluationFrame) => string {
  const [constant] = code.constant ?? [];
  if (constant !== undefined && code.card === 1) {
    const text = toText(constant);
    return () => text;
  }
  const single = compileSingle(code, `${name}()`);
  return (frame) => {
    const item = single(frame);
    return item === undefined ? "" : toText(item);
  };
}

/** Returns an argument that is a number or nothing; untyped values count as xs:double. */
export function numericArgument(
  call: FunctionCall,
  index: number,
): (frame: EvaluationFrame) => Numeric | undefined {
  const code = argument(call, index);
  const { name } = call;
  const single = compileSingle(code, `${name}()`);
  if (isNumericKind(code.kind)) return single as (frame: EvaluationFrame) => Numeric | undefined;
  return (frame) => {
    const item = single(frame);
    return item === undefined ? undefined : numericItem(item, name);
  };
}

export function numericItem(item: XPathItem, name: string): Numeric {
  if (isNumeric(item)) return item;
  const type = atomicType(item);
  if (type === "untyped") return new Double(parseDouble(toText(item)));
  throw wrongType(
    `${name}() expects a number and got xs:${type}`,
    `${name}() attend un nombre et reçoit xs:${type}`,
  );
}

/** Returns an argument of type xs:integer. */
export function integerArgument(
  call: FunctionCall,
  index: number,
): (frame: EvaluationFrame) => number {
  const single = compileSingle(argument(call, index), `${call.name}()`);
  return (frame) => {
    const item = single(frame);
    const value = item !== undefined && atomicType(item) === "untyped"
      ? castTo(item, "integer")
      : item;
    if (typeof value === "number") return value;
    throw wrongType(`${call.name}() expects an integer`, `${call.name}() attend un entier`);
  };
}

export function createFunctions(
  table: Record<string, readonly [min: number, max: number, compile: (call: FunctionCall) => Code]>,
): [string, Builtin][] {
  return Object.entries(table).map(([name, [min, max, compile]]) => [name, { min, max, compile }]);
}
