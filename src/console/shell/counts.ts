import { useWaiting, type WorkKind } from "../api/waiting.ts";
import { formatNamed, useFormats, useWords } from "../i18n/language.ts";
import { findList, WAITING_SALES } from "../pages/home/work_lists.ts";
import { HOME } from "../pages/home/words.ts";
import { SHELL } from "./words.ts";

/** Number next to a page in the navigation. */
export interface NavCount {
  readonly count: number;
  /** Names the counted records, with their numbers. */
  readonly name: string;
  /** Address of the list with the counted records. */
  readonly href: string;
}

/** Pages that count these kinds. The page of invoices counts its sales. */
const PAGES: Partial<Record<WorkKind, string>> = {
  "connection-failed": "/connections",
  "email-given-up": "/notifications",
  "submission-stuck": "/platform",
  "status-not-accepted": "/platform",
  quarantined: "/platform",
  "task-stopped": "/platform",
  unanswered: "/received",
  overdue: "/finance",
};

/** Returns the records that wait on each page, by its path. */
export function useNavCounts(): ReadonlyMap<string, NavCount> {
  const words = useWords(SHELL);
  const { kinds } = useWords(HOME);
  const { number } = useFormats();
  const { data } = useWaiting();
  const counts = new Map<string, NavCount>();
  if (!data) return counts;
  const add = (path: string, label: string, href: string, count: number, isCapped = false) => {
    const before = counts.get(path);
    const name = formatNamed(label, `${number(count)}${isCapped ? "+" : ""}`);
    counts.set(path, {
      count: (before?.count ?? 0) + count,
      name: before ? `${before.name}, ${name}` : name,
      href: before?.href ?? href,
    });
  };
  for (const { kind, count, countIsCapped } of data.waiting) {
    const path = PAGES[kind];
    if (path) add(path, kinds[kind], findList(kind, data.today), count, countIsCapped);
  }
  const { count, countIsCapped } = data.sales;
  add("/invoices", words.salesWaiting, `/invoices?${WAITING_SALES}`, count, countIsCapped);
  if (data.unread) add("/notifications", words.unread, "/notifications/inbox", data.unread);
  return counts;
}
