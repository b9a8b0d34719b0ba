import type { InvoiceKey } from "../invoice/key.ts";
import { reasonCodeIn } from "../invoice/reasons.ts";
import { storedCode } from "../invoice/status.ts";
import type { NotificationRule } from "./rule.ts";

/** Change of an invoice's stored status, as the dispatcher receives it. */
export interface StatusNotice {
  readonly doc: string;
  readonly dct: string;
  readonly kco: string;
  readonly status: string;
  /** Empty without one. */
  readonly reason: string;
  /** Action that the other party requests; empty without one. */
  readonly action: string;
  /** Message in English or in the sender's words; `messageFr` is set where the French text differs. */
  readonly message: string;
  readonly messageFr?: string | null | undefined;
}

/** Returns the notice of a change from its history entry, for current and past changes. */
export function createNotice(
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

/** Checks that the rule is enabled and matches status, reason and direction. */
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
