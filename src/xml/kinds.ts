/** Kinds of nodes, numbered as `Node.nodeType` of the DOM. */
export const ELEMENT = 1;
export const ATTRIBUTE = 2;
export const TEXT = 3;
export const INSTRUCTION = 7;
export const COMMENT = 8;
export const DOCUMENT = 9;

/** Kinds of nodes without children, other than attributes. */
export type LeafKind = typeof TEXT | typeof COMMENT | typeof INSTRUCTION;
