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
  readonly message: string;
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
