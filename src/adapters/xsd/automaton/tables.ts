import type { ValueType } from "./lexical.ts";

/** Rules for the elements of one type, in tables for a walk over the tree. Names are numbers of `SchemaTables.names`. */
export interface TypeTable {
  readonly content: Content;
  readonly attributes: ReadonlyMap<number, AttributeRule>;
  /** Number of required attributes. */
  readonly required: number;
}

/**
 * Content of a type: text alone, elements alone or anything. Content that the compiler does not support is never
 * certain to be valid.
 */
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
  /** Next mandatory slot from each slot on, itself included; the number of slots if none follows. */
  readonly mandatory: Uint16Array;
}

export interface Slot {
  readonly index: number;
  /** True if the element may repeat. */
  readonly isMany: boolean;
  readonly type: TypeTable;
}

export interface AttributeRule {
  readonly isRequired: boolean;
  readonly value: ValueType;
}

export interface SchemaTables {
  /** Numbers of expanded names, by namespace and local name. */
  readonly names: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** Namespaces that have elements of their own. */
  readonly namespaces: ReadonlySet<string>;
  /** The element a document of the kind begins with. */
  readonly root: { readonly name: number; readonly type: TypeTable };
}
