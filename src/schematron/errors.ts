/** Where in the files of a rule set something is. */
export interface SchematronPlace {
  /** Path as it was given to the reader. */
  readonly file: string;
  /** 1-based; 0 when the fault is of the file as a whole. */
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
    place: SchematronPlace & { readonly rule?: string },
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
