import type { XmlDocument } from "#src/xml/mod.ts";

/** Error of a document against its schema, in our own sentences. */
export interface XsdError {
  /** `XSD-UNEXPECTED-ELEMENT`, `XSD-MISSING-ELEMENT`, `XSD-TYPE`, `XSD-ATTRIBUTE`, `XSD-TEXT`, `XSD-UNKNOWN-ROOT`, `XSD-OTHER`, `XSD-SYNTAX`. */
  readonly code: string;
  readonly messageFr: string;
  readonly messageEn: string;
  /** 1-based; 0 when the fault has no place. */
  readonly line: number;
  readonly column: number;
  /**
   * XPath with the document's own prefixes and positions (`Invoice/cac:InvoiceLine[2]/cbc:ID`), "" without a
   * position.
   */
  readonly xpath: string;
  /** Invalid value, where a value is at fault. */
  readonly value?: string;
  /** Expected type, or expected element names separated by blanks. */
  readonly expected?: string;
}

/** Checks documents against the schemas that ship; it never reads anything else, and never follows a reference in a document. */
export interface Xsd {
  /**
   * Validates a document; the list is empty if it is valid. `kind` is `ubl-invoice`, `ubl-creditnote`, `cdar` or
   * an addition of the installation; an unknown one throws an `AppError`. `tree` is the parsed document, if the
   * caller has it; `xml` is then its `source`. A valid document then needs no second parsing, and errors have
   * their position in it.
   */
  validate(kind: string, xml: string | Uint8Array, tree?: XmlDocument): Promise<XsdError[]>;
  kinds(): string[];
  close(): void;
}
