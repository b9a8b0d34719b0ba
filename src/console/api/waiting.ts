import type { components } from "./schema.d.ts";
import { useRead } from "./queries.ts";

/** Kind of work that waits for a person. */
export type WorkKind = components["schemas"]["WaitingWork"]["kind"];

/** Polling interval: no event reports blocked or quarantined work. */
const LOOK_MS = 30_000;

/** Reads what waits for the reader. Home and the navigation share the answer. */
export function useWaiting() {
  return useRead("/api/home", {}, { everyMs: LOOK_MS });
}

/** Pages that show the work of these kinds. Every other kind is shown by the list of invoices. */
const PAGES: Partial<Record<WorkKind, string>> = {
  "submission-stuck": "/platform",
  "status-not-accepted": "/platform",
  quarantined: "/platform",
  "task-stopped": "/platform",
  unanswered: "/received",
  overdue: "/finance",
};

/** Returns how much work waits on each page, by its path. */
export function useWaitingCounts(): ReadonlyMap<string, number> {
  const { data } = useWaiting();
  const counts = new Map<string, number>();
  for (const { kind, count } of data?.waiting ?? []) {
    const path = PAGES[kind] ?? "/invoices";
    counts.set(path, (counts.get(path) ?? 0) + count);
  }
  counts.set("/notifications", data?.unread ?? 0);
  return counts;
}
