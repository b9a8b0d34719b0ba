/** What a rule set adds to a failure, with its values filled in. */
export interface FiredDiagnostic {
  readonly id: string;
  /** Language of the text (`fr`), where the rule set says it. */
  readonly lang?: string;
  /** `value`, `expected`, `explanation` or whatever the rule set uses. */
  readonly role?: string;
  readonly text: string;
}

/** One assertion that did not hold, or could not be evaluated, at one node. */
export interface Failure {
  /** Id of the assertion. */
  readonly rule: string;
  readonly kind: "failed" | "not-evaluated";
  readonly flag?: string;
  readonly role?: string;
  /** The expression that did not hold, as the rule set writes it. */
  readonly test: string;
  /** Business terms or whatever `@see` holds. */
  readonly see?: string;
  /** Text of the assertion with its values filled in. */
  readonly message: string;
  readonly diagnostics: readonly FiredDiagnostic[];
  /** XPath of the node. */
  readonly location: string;
  /** 1-based, of the element's start tag. */
  readonly line: number;
  readonly column: number;
  /** Text of a diagnostic with role `value`, else the text of the node when it is an attribute or has no elements inside. */
  readonly value?: string;
  /** Why it could not be evaluated, in English and French. */
  readonly reason?: string;
  readonly reasonFr?: string;
}

/** Failures of one assertion that are counted and not told. */
export interface Omitted extends Pick<Failure, "rule" | "kind" | "flag" | "role"> {
  readonly count: number;
}

/** What a run of a rule set is told. */
export interface RunLimits {
  /** Failures told in full; beyond, the first of each assertion is, and the others are counted. No limit without it. */
  readonly most?: number;
  /** What `current-date()` and its like tell; absent: they cannot be evaluated. */
  readonly now?: Date;
}

/** What a rule set says of one document. */
export interface SchemaReport {
  /** Assertions that could be evaluated wherever they applied. */
  readonly ran: number;
  /** Assertions of the rule set (of the phase). */
  readonly of: number;
  readonly failures: readonly Failure[];
  readonly omitted: readonly Omitted[];
}
