import type { Language } from "#src/kernel/language.ts";
import { type StatusDefinition, STATUSES } from "./status_catalogue.ts";

const BY_CODE: ReadonlyMap<string, StatusDefinition> = new Map(STATUSES.map((s) => [s.code, s]));
const BY_PA_NAME: ReadonlyMap<string, StatusDefinition> = new Map(
  STATUSES.flatMap((s) => s.paName === undefined ? [] : [[s.paName, s] as const]),
);

/** Internal codes by their meaning, so that callers do not spell numbers. */
export const STATUS = {
  created: "9900",
  validated: "9901",
  sendFailed: "9904",
  pending: "9906",
  validationFailed: "9907",
  deposited: "10",
  rejected: "213",
  disputed: "207",
  suspended: "208",
  refused: "210",
  paymentSent: "211",
  paymentReceived: "212",
  cancelled: "220",
  notReceivable: "501",
  routingError: "221",
} as const;

/** Statuses of a received invoice that waits for the buyer's answer. */
export const UNANSWERED_STATUSES = ["10", "201", "202", "203", "204", "209"] as const;

/** Returns true while a received invoice waits for the buyer's answer. */
export function isUnanswered(code: string): boolean {
  return (UNANSWERED_STATUSES as readonly string[]).includes(code);
}

/** Statuses of a sale that wait for a person of the seller. */
export const WAITING_STATUSES = [
  STATUS.sendFailed,
  STATUS.validationFailed,
  STATUS.rejected,
  STATUS.refused,
  STATUS.disputed,
  STATUS.suspended,
] as const;

/** Waiting statuses that a person can mark as handled. A dispute and a suspension need an answer instead. */
export const HANDLEABLE_STATUSES: readonly string[] = [
  STATUS.sendFailed,
  STATUS.validationFailed,
  STATUS.rejected,
  STATUS.refused,
];

/** Statuses of an invoice that failed: by the checks, at the PA, at the recipient or on the way. */
export const FAILED_STATUSES = [
  STATUS.validationFailed,
  STATUS.sendFailed,
  STATUS.rejected,
  STATUS.refused,
  STATUS.notReceivable,
  STATUS.routingError,
] as const;

/** The names `POST /api/invoices/{id}/status` accepts with `target: pa`. */
export const PA_STATUS_NAMES = [...BY_PA_NAME.keys()];

/** Returns the stored form of a code that a PA or a person wrote: trimmed, and the national 200 is 10. */
export function storedCode(code: string): string {
  const trimmed = code.trim();
  return trimmed === "200" ? STATUS.deposited : trimmed;
}

/** Returns the code as a lifecycle message writes it: 10 is the national 200; unknown codes pass. */
export function nationalCode(code: string): string {
  return BY_CODE.get(storedCode(code))?.national ?? code;
}

/** Returns the status; undefined for a code outside the catalogue, which is stored nevertheless. */
export function findStatus(code: string): StatusDefinition | undefined {
  return BY_CODE.get(storedCode(code));
}

export function statusByPaName(name: string): StatusDefinition | undefined {
  return BY_PA_NAME.get(name.trim().toUpperCase());
}

/** Returns the label of a status; an unknown code is shown itself, marked as unknown. */
export function statusLabel(code: string, language: Language): string {
  const status = findStatus(code);
  if (status) return language === "fr" ? status.fr : status.en;
  return language === "fr" ? `Statut ${code}` : `Status ${code}`;
}

export function isFinal(code: string): boolean {
  return findStatus(code)?.final === true;
}

/** Returns true once a PA has confirmed that it holds the invoice; unknown codes can only come from a PA. */
export function isDeposited(code: string): boolean {
  return findStatus(code)?.family !== "internal";
}
