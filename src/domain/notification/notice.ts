import type { InvoiceKey } from "../invoice/key.ts";
import { reasonCodeIn } from "../invoice/reasons.ts";
import { storedCode } from "../invoice/status.ts";
import type { NotificationRule } from "./rule.ts";

/** A change of an invoice's stored status, as the dispatcher is told of it. */
export interface StatusNotice {
  readonly doc: string;
  readonly dct: string;
  readonly kco: string;
  readonly status: string;
  /** Empty without one. */
  readonly reason: string;
  /** What the other party asks for; empty without one. */
  readonly action: string;
  /** In English, or as others said it; and in French where that differs. */
  readonly message: string;
  readonly messageFr?: string | null | undefined;
}

/** The notice of a change as the history tells it; the same for a change of now and of then. */
export function noticeOf(
  { doc, dct, kco }: InvoiceKey,
  status: string,
  { actionCode, message = "", messageFr, reasonCode }: {
    readonly actionCode?: string | null | undefined;
    readonly message?: string | undefined;
    readonly messageFr?: string | null | undefined;
    readonly reasonCode?: string | null | undefined;
  },
): StatusNotice {
  const reason = reasonCode ?? reasonCodeIn(message) ?? "";
  return { doc, dct, kco, status, reason, action: actionCode ?? "", message, messageFr };
}

/** Enabled, and status, reason and direction are among those the rule is for. */
export function matches(
  rule: NotificationRule,
  notice: Pick<StatusNotice, "status" | "reason">,
  direction: "issued" | "received",
): boolean {
  return rule.enabled &&
    (rule.statuses.length === 0 || rule.statuses.includes(storedCode(notice.status))) &&
    (rule.reasons.length === 0 || rule.reasons.includes(notice.reason.trim())) &&
    (rule.direction === "Any" ||
      rule.direction === (direction === "issued" ? "Issued only" : "Received only"));
}
