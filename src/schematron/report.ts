/** Diagnostic that a rule set adds to a failure, with its values filled in. */
export interface FiredDiagnostic {
  readonly id: string;
  /** Language of the text (`fr`), if the rule set declares it. */
  readonly lang?: string;
  /** `value`, `expected`, `explanation` or whatever the rule set uses. */
  readonly role?: string;
  readonly text: string;
}

/** One assertion that did not hold, or could not be evaluated, at one node. */
export interface FailedAssertion {
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

/** Failures of one assertion that are counted and not reported. */
export interface Omitted extends Pick<FailedAssertion, "rule" | "kind" | "flag" | "role"> {
  readonly count: number;
}

/** Options of a run of a rule set. */
export interface RunLimits {
  /**
   * Maximum number of fully reported failures. Beyond it only the first of each assertion is reported, and the
   * others are counted. No limit without it.
   */
  readonly most?: number;
  /** Time that `current-date()` and similar functions return; without it they cannot be evaluated. */
  readonly now?: Date;
}

/** Result of a rule set for one document. */
export interface SchemaReport {
  /** Assertions that could be evaluated wherever they applied. */
  readonly ran: number;
  /** Assertions of the rule set (of the phase). */
  readonly of: number;
  readonly failures: readonly FailedAssertion[];
  readonly omitted: readonly Omitted[];
}
