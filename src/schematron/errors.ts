/** Position in the files of a rule set. */
export interface SchematronPosition {
  /** Path as passed to the reader. */
  readonly file: string;
  /** Line, 1-based; 0 when the fault concerns the whole file. */
  readonly line: number;
  readonly column: number;
}

/** A rule set that cannot be loaded or compiled. */
export class SchematronError extends Error {
  override readonly name = "SchematronError";
  readonly file: string;
  /** Id of the assertion or context of the rule; "" outside rules. */
  readonly rule: string;
  readonly line: number;
  readonly column: number;
  readonly messageFr: string;
  /** Further faults of the same rule set. */
  readonly more: readonly SchematronError[];

  constructor(
    place: SchematronPosition & { readonly rule?: string },
    sentence: { readonly en: string; readonly fr: string },
    more: readonly SchematronError[] = [],
  ) {
    const where = `${place.file}:${place.line}:${place.column}`;
    const rule = place.rule === undefined || place.rule === "" ? "" : ` ${place.rule}`;
    const [en, fr] = more.length === 0
      ? ["", ""]
      : [` (and ${more.length} more)`, ` (et ${more.length} autres)`];
    super(`${where}${rule}: ${sentence.en}${en}`);
    this.file = place.file;
    this.rule = place.rule ?? "";
    this.line = place.line;
    this.column = place.column;
    this.messageFr = `${where}${rule} : ${sentence.fr}${fr}`;
    this.more = more;
  }
}
