import { useSyncExternalStore } from "react";
import { facts } from "../api/facts.ts";
import { remember, remembered } from "../api/remembered.ts";
import { spaced, spacedWords } from "./french.ts";

export type Language = "fr" | "en";
const KEY = "passerelle-language";
const listeners = new Set<() => void>();
let chosen = stored();

function stored(): Language | undefined {
  const found = remembered("localStorage", KEY);
  return found === "fr" || found === "en" ? found : undefined;
}

/** The reader's choice, else what the API would answer them in. */
export function language(): Language {
  return chosen ?? facts.language;
}

export function chooseLanguage(next: Language): void {
  remember("localStorage", KEY, next);
  apply(next);
}

function apply(next: Language | undefined): void {
  chosen = next;
  document.documentElement.lang = language();
  for (const it of listeners) it();
}
addEventListener("storage", ({ key }) => key === KEY && apply(stored())); // two tabs agree
document.documentElement.lang = language();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, language);
}

/** The sentences of one page. French has what English has, or it does not compile. */
export interface Words<T> {
  readonly en: T;
  readonly fr: T;
}

export function defineWords<T>(words: { readonly en: T; readonly fr: NoInfer<T> }): Words<T> {
  return { en: words.en, fr: spacedWords(words.fr) };
}

export function useWords<T>(words: Words<T>): T {
  return words[useLanguage()];
}

/** Numbers, dates and amounts as the reader writes them. */
export function useFormats() {
  return FORMATS[useLanguage()];
}

const CENTS = 2;
const MOST_DIGITS = 10;
const FORMATS = { en: formats("en-GB"), fr: formats("fr-FR") };

/** A value with its name before it; French has a space before the colon. */
export function named(name: string, value: string): string {
  return `${name}${language() === "fr" ? "\u00a0" : ""}: ${value}`;
}

/** A sentence of the API in the reader's language. */
export function sentence(text: string): string {
  return language() === "fr" ? spaced(text) : text;
}

function formats(locale: string) {
  const number = new Intl.NumberFormat(locale);
  const unit = { style: "unit", unitDisplay: "short", maximumFractionDigits: 1 } as const;
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 });
  const bytes = new Intl.NumberFormat(locale, { ...unit, unit: "byte" });
  const kilobytes = new Intl.NumberFormat(locale, { ...unit, unit: "kilobyte" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const second = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  const time = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });
  const clock = new Intl.DateTimeFormat(locale, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
  });
  const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: MOST_DIGITS });
  const amounts = new Map<string, Intl.NumberFormat>();
  /** With the digits the currency has at least, and as many as are asked for where there are more. */
  const money = (currency: string, most: number) => {
    const known = amounts.get(currency + most);
    if (known) return known;
    const style = /^[A-Z]{3}$/.test(currency)
      ? { style: "currency" as const, currency }
      : { minimumFractionDigits: 2 };
    const least = new Intl.NumberFormat(locale, style).resolvedOptions().minimumFractionDigits ?? 2;
    const made = new Intl.NumberFormat(locale, {
      ...style,
      maximumFractionDigits: Math.max(least, most),
    });
    amounts.set(currency + most, made);
    return made;
  };
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return {
    number: (value: number) => number.format(value),
    /** With all its digits, as a quantity has them. */
    exact: (value: number) => exact.format(value),
    /** Of a rate of a hundred: 20 is 20 %. */
    percent: (value: number) => percent.format(value / 100),
    /** Of a file. */
    bytes: (value: number) => value < 1_000 ? bytes.format(value) : kilobytes.format(value / 1_000),
    /** Of a day, `2026-11-22`; anything else, as an address may hold it, stays as it is. */
    day: (value: string | null | undefined) => {
      const [day] = /^\d{4}-\d\d-\d\d/.exec(value ?? "") ?? [];
      const at = new Date(`${day}T00:00:00Z`);
      return Number.isNaN(at.getTime()) ? value ?? "" : date.format(at);
    },
    /** Of a moment, in the reader's own time. */
    moment: (value: string | number | null | undefined) => momentIn(moment, value),
    /** The same to the second, of what happens many times a minute. */
    second: (value: string | number | null | undefined) => momentIn(second, value),
    /** The time of day alone, to the second. */
    time: (value: number) => time.format(value),
    /** The time of day alone, to the millisecond: of a line in a log. */
    clock: (value: string) => clock.format(dateOf(value)),
    ago: (value: string | number) => {
      const seconds = (dateOf(value).getTime() - Date.now()) / 1000;
      const [unit, size] = UNITS.find(([, it]) => Math.abs(seconds) >= it) ?? ["second", 1];
      return relative.format(Math.round(seconds / size), unit);
    },
    /** Nothing of it is rounded away, even where the currency has no cents. */
    amount: (value: number | null | undefined, currency = "EUR") =>
      value === null || value === undefined ? "" : money(currency, CENTS).format(value),
    /** Of one unit, which may cost parts of a cent. */
    price: (value: number | null | undefined, currency = "EUR") =>
      value === null || value === undefined ? "" : money(currency, MOST_DIGITS).format(value),
  };
}

function momentIn(format: Intl.DateTimeFormat, value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  const at = dateOf(value);
  return Number.isNaN(at.getTime()) ? String(value) : format.format(at);
}

/** Where the API names no zone, a moment is in UTC; a browser would take it for its reader's own. */
function dateOf(value: string | number): Date {
  const isBare = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(String(value));
  return new Date(isBare ? `${value}Z` : value);
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
