/** Why a document is refused before any rule looks at it. */
export type XmlErrorCode =
  | "XML-SIZE"
  | "XML-ENCODING"
  | "XML-DOCTYPE"
  | "XML-ENTITY"
  | "XML-DEPTH"
  | "XML-ATTRIBUTES"
  | "XML-NODES"
  | "XML-TEXT"
  | "XML-SYNTAX";

export interface XmlProblem {
  readonly code: XmlErrorCode;
  /** English sentence. */
  readonly en: string;
  /** French sentence. */
  readonly fr: string;
}

export interface XmlPosition {
  /** 1-based; 0 when the fault has no place in the text (size, encoding of the bytes). */
  readonly line: number;
  readonly column: number;
}

/** The only exception that `parseXml` throws; its sentences never contain the whole document. */
export class XmlError extends Error {
  override readonly name = "XmlError";
  readonly code: XmlErrorCode;
  readonly messageFr: string;
  readonly line: number;
  readonly column: number;

  constructor(problem: XmlProblem, place: XmlPosition) {
    super(problem.en);
    this.code = problem.code;
    this.messageFr = problem.fr;
    this.line = place.line;
    this.column = place.column;
  }
}

export function syntax(en: string, fr: string): XmlProblem {
  return { code: "XML-SYNTAX", en, fr };
}

/** Returns a piece of the document fit for a sentence: short, and without control characters. */
export function excerpt(text: string): string {
  const clean = text.replace(/\p{C}/gu, "?");
  return clean.length > 40 ? `${clean.slice(0, 40)}…` : clean;
}

export const EMPTY = syntax("The document is empty", "Le document est vide");
export const NO_ROOT = syntax("The document has no root element", "Le document n'a pas de racine");
