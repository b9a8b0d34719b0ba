import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { Recipient } from "./address.ts";

/** The treatments a document, a template, a call or a person can choose: the codes of the BAR note (BR-FR-20), and B2G. */
export const TREATMENT_CHOICES = [
  "B2B",
  "B2BINT",
  "B2C",
  "B2CINT",
  "B2G",
  "OUTOFSCOPE",
  "ARCHIVEONLY",
] as const;
/** A treatment that a document, a template, a call or a person can choose. */
export type TreatmentChoice = (typeof TREATMENT_CHOICES)[number];

/** Narrows a text to a treatment that can be chosen. */
export function isTreatmentChoice(text: string): text is TreatmentChoice {
  return (TREATMENT_CHOICES as readonly string[]).includes(text);
}

/**
 * All treatments: the choices, their variants for public buyers, `UNDEFINED` (nothing is declared, the PA decides) and
 * `UNDECIDED` (the invoice waits for a person).
 */
export const TREATMENTS = [
  ...TREATMENT_CHOICES,
  "B2GINT",
  "B2GOUTOFSCOPE",
  "UNDEFINED",
  "UNDECIDED",
] as const;
/** A stored treatment. */
export type TreatmentCode = (typeof TREATMENTS)[number];

/** Source of a treatment. `computed` follows from the parties and the VAT lines. */
export const TREATMENT_SOURCES = ["person", "call", "document", "template", "computed"] as const;
export type TreatmentSource = (typeof TREATMENT_SOURCES)[number];

/** Flows of e-reporting (DGFiP v3.2): 10.1 and 10.3 report sales or purchases, 10.2 and 10.4 their payments. */
export const REPORTS = ["10.1", "10.2", "10.3", "10.4"] as const;
export type Report = (typeof REPORTS)[number];

/** Treatment of one invoice, stored with it. */
export interface Treatment {
  readonly code: TreatmentCode;
  readonly source: TreatmentSource;
  /** The e-reporting flows that follow from the invoice. */
  readonly reports: readonly Report[];
  /** VAT becomes due when the payment is received, so payments are reported (212, 10.2 or 10.4). */
  readonly vatOnReceipt: boolean;
  /** The party that receives an issued invoice. */
  readonly recipient: Recipient;
  /** Contradictions that do not stop the invoice. */
  readonly warnings: readonly Text[];
  /** Question that keeps the invoice waiting for a user, with the possible answers; only for `UNDECIDED`. */
  readonly question?: Question | undefined;
}

/** The part of a treatment that is stored next to its code. */
export type TreatmentDetails = Omit<Treatment, "code">;

/** A question for a person. */
export interface Question {
  readonly reason: Text;
  readonly choices: readonly TreatmentChoice[];
}

/**
 * `processingRule` of AFNOR XP Z12-013; absent where nothing is declared. The list has no rule for B2CINT, so B2C
 * is used.
 */
const RULES: Readonly<Record<TreatmentCode, string | undefined>> = {
  B2B: "B2B",
  B2BINT: "B2BInt",
  B2C: "B2C",
  B2CINT: "B2C",
  B2G: "B2G",
  B2GINT: "B2GInt",
  OUTOFSCOPE: "OutOfScope",
  B2GOUTOFSCOPE: "B2GOutOfScope",
  ARCHIVEONLY: "ArchiveOnly",
  UNDEFINED: undefined,
  UNDECIDED: undefined,
};

/** Returns the rule declared to the PA; undefined if the PA decides. */
export function declaredRule(code: TreatmentCode | null | undefined): string | undefined {
  return code ? RULES[code] : undefined;
}

/** The PA's words for "no rule": it still works on the flow, or the flow is no invoice. */
const NO_RULES: ReadonlySet<string> = new Set(["Undefined", "NotApplicable"]);

/**
 * Returns the rule that decides which statuses the PA accepts: the rule it filed the flow under, else the
 * declared one.
 */
export function effectiveRule(
  code: TreatmentCode | null | undefined,
  paRule: string | null | undefined,
): string | undefined {
  return paRule && !NO_RULES.has(paRule) ? paRule : declaredRule(code);
}

/** Returns true where the PA filed the flow under another rule than the declared one. */
export function differsFromPa(
  code: TreatmentCode | null | undefined,
  paRule: string | null | undefined,
): boolean {
  const declared = declaredRule(code);
  return declared !== undefined && effectiveRule(code, paRule) !== declared;
}

const DELIVERED_AT_HOME: ReadonlySet<TreatmentCode> = new Set(["B2B", "B2G"]);

/** Returns true where the invoice is delivered to an address of the French directory. */
export function isDeliveredAtHome(code: TreatmentCode | null): boolean {
  return code === null || DELIVERED_AT_HOME.has(code);
}

const PROCESSES: Readonly<Record<string, string>> = {
  B2B: "REGULATED",
  B2BInt: "B2BINT",
  B2C: "B2C",
  B2G: "REGULATED",
  B2GInt: "REGULATED",
  OutOfScope: "OUTOFSCOPE",
  B2GOutOfScope: "OUTOFSCOPE",
};

/** Returns the business process of lifecycle messages (MDT-2) about an invoice. */
export function businessProcess(
  code: TreatmentCode | null | undefined,
  paRule: string | null | undefined,
): string {
  const rule = effectiveRule(code, paRule);
  if (code === "B2CINT" && rule === "B2C") return "B2CINT";
  return PROCESSES[rule ?? "B2B"] ?? "REGULATED";
}
