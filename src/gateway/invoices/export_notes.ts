import { isPaidShare, shareLabel } from "#src/domain/invoice/paid_label.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import { inBoth, say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import { formatDays } from "#src/platform/exports/mod.ts";
import type { InvoiceFilter } from "./filter_views.ts";

/** Names of the filters that people set in the console; others keep the name of the API. */
const NAMES: Readonly<Partial<Record<keyof InvoiceFilter, Sentence>>> = {
  search: say`Search`,
  status: say`Status`,
  direction: say`List`,
  role: say`List`,
  customer: say`Customer`,
  supplier: say`Supplier`,
  kco: say`Company`,
  dct: say`Type`,
  ublNumber: say`Number`,
  dateFrom: say`Issued from`,
  dateTo: say`Issued until`,
  dueFrom: say`Due from`,
  dueTo: say`Due until`,
  payable: say`Without credit notes or zero amounts`,
  counted: say`Counted in figures`,
  open: say`Outstanding`,
  attention: say`To be dealt with`,
  currency: say`Currency`,
};
const CODES: Readonly<Record<string, Sentence>> = {
  true: say`yes`,
  false: say`no`,
  issued: say`sales`,
  received: say`purchases`,
  seller: say`sales`,
  buyer: say`purchases`,
};

/** Describes the filters of an export as people read them; undefined without any. */
export function describeFilters(filter: InvoiceFilter, language: Language): string | undefined {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined && value !== "");
  const colon = language === "fr" ? "\u00a0: " : ": ";
  const parts = given.map(([name, value]) => {
    const title = NAMES[name as keyof InvoiceFilter];
    const isPurchase = filter.direction === "received" || filter.role === "buyer";
    const values = (Array.isArray(value) ? value : [value]).map((it) =>
      isPaidShare(it)
        ? shareLabel(it, isPurchase ? "buyer" : "seller")[language]
        : describeValue(name, it, language)
    );
    return `${title ? inBoth(title)[language] : name}${colon}${values.join(", ")}`;
  });
  return parts.length ? parts.join(" · ") : undefined;
}

function describeValue(name: string, value: unknown, language: Language): string {
  const text = value instanceof Date
    ? value.toISOString()
    : typeof value === "object"
    ? JSON.stringify(value)
    : String(value);
  if (name === "status") return statusLabel(text, language);
  if (name === "attention" && text === "status") {
    return inBoth(say`not marked as handled`)[language];
  }
  if (name === "search") return text.replace(/\*$/, "");
  const code = CODES[text];
  if (code) return inBoth(code)[language];
  return formatDays(text, language);
}
