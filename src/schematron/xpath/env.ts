import type { XmlDocument } from "#src/xml/mod.ts";
import type { ClarkName, Expr } from "./ast.ts";
import { computeOffset, getKey } from "./ast.ts";
import { type Code, CURRENT, DOC, FOCUS, LOCAL, SCOPED, type StaticType } from "./code.ts";
import { XPathSyntaxError } from "./faults.ts";

/** A variable in scope: how a reference to it is compiled. */
export interface Variable {
  readonly code: Code;
}

/** A function of the schema (`xsl:function`), with a fixed number of parameters. */
export interface UserFunction {
  compile(args: readonly Code[]): Code;
}

/** An index of `xsl:key`: the nodes for a value. */
export interface KeyIndex {
  compile(value: Code): Code;
}

/** State shared by all expressions of one schema. */
export interface SchemaScope {
  readonly names: Map<string, Map<string, number>>;
  readonly expandedNames: { readonly ns: string; readonly local: string }[];
  readonly memo: Map<string, number>;
  memoSize: number;
  readonly functions: Map<string, UserFunction>;
  readonly keys: Map<ClarkName, KeyIndex>;
  /** Another file of the rule set, as `document()` names it; throws where it cannot be read. */
  readonly documents: (href: string) => XmlDocument;
}

/** Static context of an expression. */
export interface StaticContext {
  readonly shared: SchemaScope;
  readonly variables: ReadonlyMap<ClarkName, Variable>;
  /** Counts the slots of the local variables of the rule or function. */
  readonly slots: { count: number };
  /** Kind of the context item; undefined without one. */
  readonly context: StaticType | undefined;
  /**
   * True if values of the context item are cached until the next item: rules with similar matches use them again.
   */
  readonly reuse?: boolean;
}

export function newShared(documents: SchemaScope["documents"]): SchemaScope {
  return {
    names: new Map(),
    expandedNames: [],
    memo: new Map(),
    memoSize: 0,
    functions: new Map(),
    keys: new Map(),
    documents,
  };
}

/** Index of an expanded name in `Frame.names`. */
export function nameIndex(shared: SchemaScope, ns: string, local: string): number {
  let locals = shared.names.get(ns);
  if (locals === undefined) shared.names.set(ns, locals = new Map());
  let index = locals.get(local);
  if (index === undefined) {
    locals.set(local, index = shared.expandedNames.length);
    shared.expandedNames.push({ ns, local });
  }
  return index;
}

/** Memo slot of a computation; the same key always gets the same slot. */
export function memoSlot(shared: SchemaScope, key: string): number {
  let slot = shared.memo.get(key);
  if (slot === undefined) shared.memo.set(key, slot = shared.memoSize++);
  return slot;
}

export function withVariable(
  env: StaticContext,
  name: ClarkName,
  variable: Variable,
): StaticContext {
  return { ...env, variables: new Map(env.variables).set(name, variable) };
}

export function withContext(env: StaticContext, context: StaticType | undefined): StaticContext {
  return env.context === context && env.reuse !== true ? env : { ...env, context, reuse: false };
}

/** Checks whether the value is the same throughout one document but not a constant. */
export function isOfDocument(code: Code): boolean {
  return (code.depends & DOC) !== 0 && (code.depends & (FOCUS | CURRENT | LOCAL)) === 0;
}

/** Key under which equal expressions share one computation. */
export function memoKey(env: StaticContext, expr: Pick<Expr, "span">, code: Code): string {
  return (code.depends & SCOPED) !== 0 ? `#${env.shared.memoSize}` : getKey(expr.span);
}

export function failAt(expr: Pick<Expr, "span">, en: string, fr: string): never {
  throw new XPathSyntaxError(en, fr, computeOffset(expr.span));
}
