import { useSearchParams } from "wouter";
import { valueOf } from "../dates/day_text.ts";
import type { Sort } from "../head_of_cards.tsx";
import { LAST_PAGE } from "../page_of.ts";

/** What of the list is shown; all of it stands in the address. */
export interface View {
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
] as const;
export type Filter = typeof FILTERS[number];

/** The order of a list, unless its reader chooses. */
export const FIRST: Sort = { by: "issueDate", dir: "desc" };
/** A search that the API takes. */
const LONGEST = 200;
const SIZE = 50;
const MOST = 500;

export function useView() {
  const [address, setAddress] = useSearchParams();
  const view = viewOf(address);
  /** Filters, order and size begin at the first page again. */
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

/** What these may hold. Whatever else an address written by hand names filters nothing. */
const KNOWN: Partial<Record<Filter, (value: string) => boolean>> = {
  direction: (it) => it === "issued" || it === "received",
  payable: (it) => it === "true" || it === "false",
  recordedFrom: (it) => !Number.isNaN(Date.parse(it)),
};

const DAYS = ["dateFrom", "dateTo", "dueFrom", "dueTo"] as const;

/** Filters as the API is asked: a word that is being typed is the beginning of one, and what is no day, as its field tells, filters nothing. */
export function asTyped(of: View["filters"]): View["filters"] {
  const typed = ["search", "customer", "supplier"] as const;
  const filters: Partial<Record<Filter, string>> = { ...of };
  for (const it of DAYS) {
    const day = valueOf("day", filters[it] ?? "", true);
    if (day) filters[it] = day;
    else delete filters[it];
  }
  return {
    ...filters,
    ...Object.fromEntries(typed.flatMap((it) => {
      const text = filters[it];
      return text ? [[it, beginningOf(text)]] : [];
    })),
  };
}

/** What a search that ends in `*` finds: words that begin so. */
export function beginningOf(text: string): string {
  return /[*\s]$/.test(text) || text.length >= LONGEST ? text : `${text}*`;
}

function viewOf(address: URLSearchParams): View {
  const filters = Object.fromEntries(
    FILTERS.flatMap((it) => {
      const value = it === "status" ? statusesIn(address) : address.get(it);
      return value && (KNOWN[it]?.(value) ?? true) ? [[it, value]] : [];
    }),
  );
  const [by = FIRST.by, dir] = (address.get("sort") ?? "").split(" ");
  return {
    page: wholeOf(address.get("page"), 1, LAST_PAGE),
    size: wholeOf(address.get("size"), SIZE, MOST),
    sort: by ? { by, dir: dir === "asc" ? "asc" : "desc" } : FIRST,
    filters,
    columns: address.get("columns")?.split(",").filter(Boolean),
  };
}

/** A PA may have codes of its own; a name such as `deposited` is none. */
const CODE = /^(?=.*\d).{1,20}$/;

/** Several stand beside each other, or the name is there several times. */
function statusesIn(address: URLSearchParams): string {
  const all = address.getAll("status").flatMap((it) => it.split(","));
  return [...new Set(all)].filter((it) => CODE.test(it)).join(",");
}

function wholeOf(text: string | null, fallback: number, most: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 ? Math.min(value, most) : fallback;
}
