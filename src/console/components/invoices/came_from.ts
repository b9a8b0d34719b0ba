import { readRemembered, remember } from "../../api/remembered.ts";

/** Page of a list from which invoices are opened. */
interface Opened {
  /** Address of the list, with its filters. */
  readonly href: string;
  readonly invoices: readonly { readonly id: string; readonly href: string }[];
}

const KEY = "invoices-opened-from";

/** Stores the list on the screen, so that its invoices link to the next and the previous one. */
export function rememberList(list: Opened): void {
  remember("sessionStorage", KEY, JSON.stringify(list));
}

/** Returns the list that an invoice was opened from, and its neighbors there; undefined without one. */
export function readList(id: string) {
  const text = readRemembered("sessionStorage", KEY);
  const list = text === undefined ? undefined : parse(text);
  const at = list?.invoices.findIndex((it) => it.id === id) ?? -1;
  if (!list || at < 0) return undefined;
  return {
    href: list.href,
    at: at + 1,
    of: list.invoices.length,
    previous: list.invoices[at - 1]?.href,
    next: list.invoices[at + 1]?.href,
  };
}

/** Other programs of the same origin may have stored something else. */
function parse(text: string): Opened | undefined {
  try {
    const value: Partial<Opened> = JSON.parse(text);
    const { href, invoices } = value;
    return typeof href === "string" && Array.isArray(invoices) ? { href, invoices } : undefined;
  } catch {
    return undefined;
  }
}
