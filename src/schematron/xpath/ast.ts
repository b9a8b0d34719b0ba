import type { XPathItem } from "./items.ts";
import type { Token } from "./lexer.ts";

export type Axis =
  | "child"
  | "attribute"
  | "self"
  | "parent"
  | "ancestor"
  | "ancestor-or-self"
  | "descendant"
  | "descendant-or-self"
  | "following"
  | "following-sibling"
  | "preceding"
  | "preceding-sibling";

export type NodeTest =
  | { readonly test: "name"; readonly ns: string; readonly local: string }
  | { readonly test: "namespace"; readonly ns: string }
  | { readonly test: "local"; readonly local: string }
  | { readonly test: "any-name" }
  | { readonly test: "node" | "text" | "comment" | "document" | "element" | "attribute" }
  | { readonly test: "instruction"; readonly target: string | undefined };

/** `item` covers every atomic type too; `empty` is `empty-sequence()`. */
export interface SequenceType {
  /** Name of an atomic type without prefix (`decimal`), or a kind of item. */
  readonly name: string;
  readonly node: NodeTest | undefined;
  readonly occurs: "one" | "optional" | "many" | "some" | "empty";
}

/** Tokens an expression was read from. */
export interface Span {
  readonly list: readonly Token[];
  readonly from: number;
  readonly to: number;
}

export interface AxisStep {
  readonly step: "axis";
  readonly span: Span;
  readonly axis: Axis;
  readonly test: NodeTest;
  readonly predicates: readonly Expr[];
}
export interface ExprStep {
  readonly step: "expr";
  readonly span: Span;
  readonly expr: Expr;
}
export type PathStep = AxisStep | ExprStep;

/** Clark name: namespace in braces, then the local part. */
export type ClarkName = string;

export type ArithmeticOp = "+" | "-" | "*" | "div" | "idiv" | "mod";
export type ComparisonOp = "eq" | "ne" | "lt" | "le" | "gt" | "ge";

interface Located {
  readonly span: Span;
}

export type Expr =
  & Located
  & (
    | { readonly t: "literal"; readonly value: XPathItem }
    | { readonly t: "constants"; readonly values: readonly XPathItem[] }
    | { readonly t: "variable"; readonly name: ClarkName }
    | { readonly t: "context" }
    | { readonly t: "sequence"; readonly items: readonly Expr[] }
    | {
      readonly t: "for" | "let" | "some" | "every";
      readonly name: ClarkName;
      readonly over: Expr;
      readonly then: Expr;
    }
    | { readonly t: "if"; readonly when: Expr; readonly then: Expr; readonly otherwise: Expr }
    | { readonly t: "or" | "and"; readonly items: readonly Expr[] }
    | {
      readonly t: "general" | "value";
      readonly op: ComparisonOp;
      readonly left: Expr;
      readonly right: Expr;
    }
    | {
      readonly t: "order";
      readonly op: "is" | "<<" | ">>";
      readonly left: Expr;
      readonly right: Expr;
    }
    | { readonly t: "range"; readonly left: Expr; readonly right: Expr }
    | {
      readonly t: "arithmetic";
      readonly op: ArithmeticOp;
      readonly left: Expr;
      readonly right: Expr;
    }
    | { readonly t: "negate"; readonly operand: Expr }
    | { readonly t: "union" | "intersect" | "except"; readonly left: Expr; readonly right: Expr }
    | {
      readonly t: "instance" | "treat" | "castable" | "cast";
      readonly operand: Expr;
      readonly type: SequenceType;
    }
    | { readonly t: "path"; readonly rooted: boolean; readonly steps: readonly PathStep[] }
    | { readonly t: "map"; readonly left: Expr; readonly right: Expr }
    | { readonly t: "filter"; readonly base: Expr; readonly predicate: Expr }
    | { readonly t: "call"; readonly name: ClarkName; readonly args: readonly Expr[] }
  );

/** Returns a text that is the same for the same expression under the same namespaces, however it was spaced. */
export function getKey(span: Span): string {
  let key = "";
  for (let at = span.from; at < span.to; at++) {
    const token = span.list[at];
    if (token === undefined) continue;
    key += token.kind === "string" ? `${JSON.stringify(token.text)} ` : `${token.text} `;
  }
  return key;
}

/** Offset of an expression in its text. */
export function computeOffset(span: Span): number {
  return span.list[span.from]?.at ?? 0;
}
