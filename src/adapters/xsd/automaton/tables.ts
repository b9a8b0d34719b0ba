import type { ValueType } from "./lexical.ts";

/** What a schema says of the elements of one type, in tables a walk over the tree can use. Names are numbers of `Schema.names`. */
export interface TypeTable {
  readonly content: Content;
  readonly attributes: ReadonlyMap<number, AttributeRule>;
  /** How many of the attributes must stand there. */
  readonly required: number;
}

/** Text alone, elements alone, anything; or something the compiler does not know, which is never certain to be valid. */
export type Content =
  | { readonly kind: "text"; readonly value: ValueType }
  | Sequence
  | { readonly kind: "free" }
  | { readonly kind: "unknown" };

/**
 * Slots in the order of the schema; a slot is one element, or a choice of some. As no name has two slots, the automaton of
 * the content is the number of the slot last filled.
 */
export interface Sequence {
  readonly kind: "elements";
  readonly slots: ReadonlyMap<number, Slot>;
  /** By slot: itself or the next one that may not stay empty; the number of slots when there is none. */
  readonly mandatory: Uint16Array;
}

export interface Slot {
  readonly index: number;
  /** Whether several may stand in it. */
  readonly isMany: boolean;
  readonly type: TypeTable;
}

export interface AttributeRule {
  readonly isRequired: boolean;
  readonly value: ValueType;
}

export interface Schema {
  /** Numbers of expanded names, by namespace and local name. */
  readonly names: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Namespaces that have elements of their own. */
  readonly namespaces: ReadonlySet<string>;
  /** The element a document of the kind begins with. */
  readonly root: { readonly name: number; readonly type: TypeTable };
}
