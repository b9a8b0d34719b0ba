type SplitCode =
  | "XML-SYNTAX" // truncated, mismatched or unreadable markup
  | "XML-CHARACTER" // a control character XML forbids
  | "XML-DOCTYPE" // a DTD, always rejected
  | "XML-ENCODING" // not UTF-8
  | "XML-SIZE" // one piece, the envelope or a name is over its limit
  | "XML-DEPTH" // nested too deep
  | "XML-NO-PIECE"; // no element to split on

export interface SplitPosition {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 units. */
  readonly column: number;
}

/** The source could not be read further than `line` and `column`; every complete piece before was delivered. */
export class SplitError extends Error {
  override readonly name = "SplitError";
  readonly code: SplitCode;
  readonly messageFr: string;
  readonly line: number;
  readonly column: number;
  /** Name of the first element of a file without a piece. */
  readonly root: string | undefined;

  constructor(
    code: SplitCode,
    text: { en: string; fr: string },
    place: SplitPosition,
    root?: string,
  ) {
    super(text.en);
    this.code = code;
    this.messageFr = text.fr;
    this.line = place.line;
    this.column = place.column;
    this.root = root;
  }
}
