import type { Expr } from "./ast.ts";
import { castTo, textOf } from "./atomic.ts";
import { type Code, isNumericKind, ITEM, oneCode, singleOf } from "./code.ts";
import { type Env, failAt } from "./env.ts";
import { wrongType } from "./faults.ts";
import type { Frame } from "./frame.ts";
import { atomicType, Double, isNode, isNumeric, type Item, type Numeric } from "./items.ts";
import { doubleOf } from "./numbers.ts";

export type CallExpr = Extract<Expr, { t: "call" }>;

/** A call being compiled: its arguments, and where it stands. */
export interface Call {
  readonly expr: CallExpr;
  readonly env: Env;
  /** Name without prefix, for sentences. */
  readonly name: string;
  readonly args: readonly Code[];
  /** Bits of all arguments. */
  readonly depends: number;
}

export interface Builtin {
  readonly min: number;
  readonly max: number;
  readonly compile: (call: Call) => Code;
}

/** The argument at an index; the context item where it may be left out. */
export function argument(call: Call, index: number): Code {
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

/** Bits of the arguments, and of the context item where it stands in for the last one. */
export function dependsWith(call: Call, wanted: number): number {
  return call.args.length < wanted ? call.depends | ITEM : call.depends;
}

/** An argument of type `xs:string?`; nothing is the empty string. */
export function textArgument(call: Call, index: number): (frame: Frame) => string {
  const text = optionalText(call, index);
  return (frame) => text(frame) ?? "";
}

/** An argument of type `xs:string?`, nothing kept apart. */
export function optionalText(call: Call, index: number): (frame: Frame) => string | undefined {
  const code = argument(call, index);
  const [constant] = code.constant ?? [];
  if (typeof constant === "string") return () => constant;
  const { name } = call;
  const single = singleOf(code, `${name}()`);
  if (code.kind === "node") {
    return (frame) => {
      const node = single(frame);
      return node === undefined ? undefined : (node as { text: string }).text;
    };
  }
  if (code.kind === "string") return single as (frame: Frame) => string | undefined;
  return (frame) => {
    const item = single(frame);
    return item === undefined ? undefined : stringItem(item, name);
  };
}

function stringItem(item: Item, name: string): string {
  if (typeof item === "string") return item;
  const type = atomicType(item);
  if (type === "untyped" || isNode(item)) return textOf(item);
  throw wrongType(
    `${name}() expects text and got xs:${type}; convert it with string()`,
    `${name}() attend du texte et reçoit xs:${type} ; convertissez-le par string()`,
  );
}

/** The text of any atomic value (`fn:concat`, `fn:string`); nothing is the empty string. */
export function anyText(code: Code, name: string): (frame: Frame) => string {
  const [constant] = code.constant ?? [];
  if (constant !== undefined && code.card === 1) {
    const text = textOf(constant);
    return () => text;
  }
  const single = singleOf(code, `${name}()`);
  return (frame) => {
    const item = single(frame);
    return item === undefined ? "" : textOf(item);
  };
}

/** An argument that is a number or nothing; untyped values count as xs:double. */
export function numericArgument(call: Call, index: number): (frame: Frame) => Numeric | undefined {
  const code = argument(call, index);
  const { name } = call;
  const single = singleOf(code, `${name}()`);
  if (isNumericKind(code.kind)) return single as (frame: Frame) => Numeric | undefined;
  return (frame) => {
    const item = single(frame);
    return item === undefined ? undefined : numericItem(item, name);
  };
}

export function numericItem(item: Item, name: string): Numeric {
  if (isNumeric(item)) return item;
  const type = atomicType(item);
  if (type === "untyped") return new Double(doubleOf(textOf(item)));
  throw wrongType(
    `${name}() expects a number and got xs:${type}`,
    `${name}() attend un nombre et reçoit xs:${type}`,
  );
}

/** An argument of type xs:integer. */
export function integerArgument(call: Call, index: number): (frame: Frame) => number {
  const single = singleOf(argument(call, index), `${call.name}()`);
  return (frame) => {
    const item = single(frame);
    const value = item !== undefined && atomicType(item) === "untyped"
      ? castTo(item, "integer")
      : item;
    if (typeof value === "number") return value;
    throw wrongType(`${call.name}() expects an integer`, `${call.name}() attend un entier`);
  };
}

export function functionsOf(
  table: Record<string, readonly [min: number, max: number, compile: (call: Call) => Code]>,
): [string, Builtin][] {
  return Object.entries(table).map(([name, [min, max, compile]]) => [name, { min, max, compile }]);
}
