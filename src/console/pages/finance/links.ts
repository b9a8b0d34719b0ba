import type { ShownPeriod } from "./period.ts";

/** Returns the address of the list of invoices with these filters; absent values do not filter. */
export function listInvoices(filters: Readonly<Record<string, string | null | undefined>>): string {
  const given = Object.entries(filters).flatMap(([name, value]) => value ? [[name, value]] : []);
  return `/invoices?${new URLSearchParams(given as string[][])}`;
}

/** Returns the filters of a period by issue date. */
export function issuedIn({ from, to }: ShownPeriod) {
  return { dateFrom: from, dateTo: to };
}

/** Returns the address of the received invoices without an answer. */
export function listUnanswered(): string {
  return "/received?unanswered=true";
}
