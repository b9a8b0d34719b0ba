import { useSearchParams } from "wouter";
import type { components } from "../../api/schema.d.ts";
import { parseDate } from "../dates/day_text.ts";
import { addPrefixSign } from "./prefix_sign.ts";
import type { Sort } from "../head_of_cards.tsx";
import { LAST_PAGE } from "../read_page.ts";

/** State of the list, stored in the address. */
export interface InvoiceListView {
  readonly page: number;
  readonly size: number;
  readonly sort: Sort;
  readonly filters: Readonly<Partial<Record<Filter, string>>>;
  readonly columns: readonly string[] | undefined;
}

export const FILTERS = [
  "search",
  "status",
  "direction",
  "customer",
  "supplier",
  "kco",
  "dct",
  "ublNumber",
  "dateFrom",
  "dateTo",
  "dueFrom",
  "dueTo",
  "recordedFrom",
  "payable",
  "counted",
  "open",
  "unanswered",
  "firstAccepted",
  "currency",
  "vat",
  "cause",
  "role",
  "treatment",
  "attention",
] as const;
export type Filter = typeof FILTERS[number];

/** Default order. */
export const FIRST: Sort = { by: "issueDate", dir: "desc" };
/** Default order of invoices due between two days; an index serves both. */
const FIRST_DUE: Sort = { by: "dueDate", dir: "desc" };
const SIZE = 50;
const MAX = 500;

export function useView() {
  const [address, setAddress] = useSearchParams();
  const view = getView(address);
  /** New filters, order or size return to the first page. */
  const change = (values: Readonly<Record<string, string | undefined>>) =>
    setAddress((before) => {
      const after = new URLSearchParams(before);
      if (!("page" in values)) after.delete("page");
      for (const [name, value] of Object.entries(values)) {
        if (value) after.set(name, value);
        else after.delete(name);
      }
      return after;
    }, { replace: "search" in values });
  return { view, change, address: address.toString() };
}

/** Checks of filter values; an unknown value in the address is ignored. */
const KNOWN: Partial<Record<Filter, (value: string) => boolean>> = {
  direction: (it) => it === "issued" || it === "received",
  payable: isYesOrNo,
  counted: isYesOrNo,
  open: isYesOrNo,
  unanswered: isYesOrNo,
  firstAccepted: isYesOrNo,
  currency: (it) => /^[A-Z]{3}$/.test(it),
  vat: (it) => /^[A-Z]{0,3}-\d{1,3}(\.\d{1,6})?$/.test(it),
  role: (it) => it === "seller" || it === "buyer",
  treatment: (it) => /^[A-Z0-9,]+$/.test(it),
  attention: (it) => it.split(",").every((code) => Object.hasOwn(POINTS, code)),
  recordedFrom: (it) => !Number.isNaN(Date.parse(it)),
};

function isYesOrNo(value: string): boolean {
  return value === "true" || value === "false";
}

/** Points that wait for a person. */
const POINTS: Readonly<
  Record<components["schemas"]["InvoiceAttention"]["code"] | "any" | "status" | "waiting", true>
> = {
  any: true,
  waiting: true,
  status: true,
  "portal-refused": true,
  inadmissible: true,
  "not-routed": true,
  "not-transmitted": true,
  "status-refused": true,
  "filed-differently": true,
  "content-differs": true,
  "treatment-undecided": true,
};

const DAYS = ["dateFrom", "dateTo", "dueFrom", "dueTo"] as const;

/**
 * Converts filters for the API. A word being typed matches as a prefix. An invalid day is ignored; its field
 * reports it.
 */
export function asTyped(of: InvoiceListView["filters"]): InvoiceListView["filters"] {
  const typed = ["search", "customer", "supplier"] as const;
  const filters: Partial<Record<Filter, string>> = { ...of };
  for (const it of DAYS) {
    const day = parseDate("day", filters[it] ?? "", true);
    if (day) filters[it] = day;
    else delete filters[it];
  }
  return {
    ...filters,
    ...Object.fromEntries(typed.flatMap((it) => {
      const text = filters[it];
      return text ? [[it, addPrefixSign(text)]] : [];
    })),
  };
}

function getView(address: URLSearchParams): InvoiceListView {
  const filters = Object.fromEntries(
    FILTERS.flatMap((it) => {
      const value = it === "status" ? statusesIn(address) : address.get(it);
      return value && (KNOWN[it]?.(value) ?? true) ? [[it, value]] : [];
    }),
  );
  const first = filters["dueFrom"] || filters["dueTo"] ? FIRST_DUE : FIRST;
  const [by, dir] = (address.get("sort") ?? "").split(" ");
  return {
    page: readWhole(address.get("page"), 1, LAST_PAGE),
    size: readWhole(address.get("size"), SIZE, MAX),
    sort: by ? { by, dir: dir === "asc" ? "asc" : "desc" } : first,
    filters,
    columns: address.get("columns")?.split(",").filter(Boolean),
  };
}

/** Checks a status: a PA may have its own codes, but a name such as `deposited` is no code. Shares are filters only. */
const CODE = /^(?=.*\d|paid-in-(?:full|part)$).{1,20}$/;

/** Returns all statuses, separated by commas or in repeated parameters. */
function statusesIn(address: URLSearchParams): string {
  const all = address.getAll("status").flatMap((it) => it.split(","));
  return [...new Set(all)].filter((it) => CODE.test(it)).join(",");
}

function readWhole(text: string | null, fallback: number, most: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
}
