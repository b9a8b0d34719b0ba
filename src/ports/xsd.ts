import type { XmlDocument } from "#src/xml/mod.ts";

/** One thing a schema does not allow, in sentences of ours. */
export interface XsdError {
  /** `XSD-UNEXPECTED-ELEMENT`, `XSD-MISSING-ELEMENT`, `XSD-TYPE`, `XSD-ATTRIBUTE`, `XSD-TEXT`, `XSD-UNKNOWN-ROOT`, `XSD-OTHER`, `XSD-SYNTAX`. */
  readonly code: string;
  readonly messageFr: string;
  readonly messageEn: string;
  /** 1-based; 0 when the fault has no place. */
  readonly line: number;
  readonly column: number;
  /** With the document's own prefixes and positions (`Invoice/cac:InvoiceLine[2]/cbc:ID`), "" when there is none. */
  readonly xpath: string;
  /** What stands there, where a value is at fault. */
  readonly value?: string;
  /** What may stand there instead: a type, or element names separated by blanks. */
  readonly expected?: string;
}

/** Checks documents against the schemas that ship; it never reads anything else, and never follows a reference in a document. */
export interface Xsd {
  /**
   * Empty when the document is valid. `kind` is `ubl-invoice`, `ubl-creditnote`, `cdar` or one the installation adds; an
   * unknown one is an `AppError`. `tree` is the same document where the caller has read it already, and `xml` then its
   * `source`: a valid one needs no second reading, errors are placed in it.
   */
  validate(kind: string, xml: string | Uint8Array, tree?: XmlDocument): Promise<XsdError[]>;
  kinds(): string[];
  close(): void;
}
