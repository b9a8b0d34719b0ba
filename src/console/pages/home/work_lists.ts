import type { WorkKind } from "../../api/waiting.ts";
import { findDayBefore } from "./days.ts";

/** Status that all invoices of a kind have. */
export const STATUSES: Partial<Record<WorkKind, string>> = {
  "send-failed": "9904",
  "rejected-by-rules": "9907",
  "rejected-by-platform": "213",
  refused: "210",
  disputed: "207",
  suspended: "208",
};

const LISTS: Partial<Record<WorkKind, string>> = {
  "connection-failed": "/connections",
  "email-given-up": "/notifications/deliveries?state=dead&channel=email",
  "submission-stuck": "/platform/sendings",
  "status-not-accepted": "/platform/statuses",
  quarantined: "/platform/quarantine",
  "task-stopped": "/platform/tasks",
  unanswered: "/received?unanswered=true",
};

/** List of all sales that wait for a person. */
export const WAITING_SALES = "direction=issued&attention=waiting";

/** Returns the address of the list with the work of a kind. */
export function findList(kind: WorkKind, today: string): string {
  const status = STATUSES[kind];
  // Nobody marks disputes and suspensions as handled: an answer ends them.
  const isMarked = kind !== "disputed" && kind !== "suspended";
  const rest = isMarked ? "&attention=status" : "";
  if (status !== undefined) return `/invoices?direction=issued&status=${status}${rest}`;
  if (kind === "overdue") {
    return `/invoices?role=seller&open=true&payable=true&dueTo=${
      findDayBefore(today)
    }&sort=dueDate+asc`;
  }
  return LISTS[kind] ?? `/invoices?attention=${kind}`;
}
