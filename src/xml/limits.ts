/** Limits of a document; each protects the process from a hostile sender. */
export interface XmlLimits {
  /** Bytes of the source (characters, when the source is a string). */
  readonly size: number;
  /** Elements open at once. */
  readonly depth: number;
  /** Attributes of one element, namespace declarations included. */
  readonly attributes: number;
  /** Elements, attributes, comments and processing instructions together. */
  readonly nodes: number;
  /** Characters of one text, attribute value, comment, CDATA section or processing instruction. */
  readonly text: number;
}

/** Limits where a caller sets no other. */
export const DEFAULT_LIMITS: XmlLimits = {
  size: 100 * 1024 * 1024,
  depth: 100,
  attributes: 64,
  nodes: 1_000_000,
  text: 10 * 1024 * 1024,
};
