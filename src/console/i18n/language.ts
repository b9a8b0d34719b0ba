import { useSyncExternalStore } from "react";
import { facts } from "../api/facts.ts";
import { readRemembered, remember } from "../api/remembered.ts";
import { spacedWords, spacePunctuation } from "./french.ts";

export type ConsoleLanguage = "fr" | "en";
const KEY = "passerelle-language";
const listeners = new Set<() => void>();
let chosen = readStored();

function readStored(): ConsoleLanguage | undefined {
  const found = readRemembered("localStorage", KEY);
  return found === "fr" || found === "en" ? found : undefined;
}

/** Returns the language that the reader chose, else the language of the API's answers. */
export function language(): ConsoleLanguage {
  return chosen ?? facts.language;
}

export function chooseLanguage(next: ConsoleLanguage): void {
  remember("localStorage", KEY, next);
  apply(next);
}

function apply(next: ConsoleLanguage | undefined): void {
  chosen = next;
  document.documentElement.lang = language();
  for (const it of listeners) it();
}
addEventListener("storage", ({ key }) => key === KEY && apply(readStored())); // keeps tabs in the same language
document.documentElement.lang = language();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useLanguage(): ConsoleLanguage {
  return useSyncExternalStore(subscribe, language);
}

/** Sentences of one page. English and French have the same type, so a missing sentence does not compile. */
export interface Translations<T> {
  readonly en: T;
  readonly fr: T;
}

export function defineWords<T>(
  words: { readonly en: T; readonly fr: NoInfer<T> },
): Translations<T> {
  return { en: words.en, fr: spacedWords(words.fr) };
}

export function useWords<T>(words: Translations<T>): T {
  return words[useLanguage()];
}

/** Returns the formats of numbers, dates and amounts in the reader's language. */
export function useFormats() {
  return FORMATS[useLanguage()];
}

const CENTS = 2;
const MAX_DIGITS = 10;
const FORMATS = { en: formats("en-GB"), fr: formats("fr-FR") };

/** Formats a name and its value; French has a space before the colon. */
export function formatNamed(name: string, value: string): string {
  return `${name}${language() === "fr" ? "\u00a0" : ""}: ${value}`;
}

/** Formats a sentence of the API in the reader's language. */
export function sentence(text: string): string {
  return language() === "fr" ? spacePunctuation(text) : text;
}

function formats(locale: string) {
  const number = new Intl.NumberFormat(locale);
  const unit = { style: "unit", unitDisplay: "short", maximumFractionDigits: 1 } as const;
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 4 });
  // Short English leaves out the plural: "24 byte".
  const bytes = new Intl.NumberFormat(locale, {
    ...unit,
    unit: "byte",
    unitDisplay: locale === "en-GB" ? "long" : "short",
  });
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
  const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: MAX_DIGITS });
  const money = formatMoney(locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  return {
    number: (value: number) => number.format(value),
    /** Formats a quantity with all its digits. */
    exact: (value: number) => exact.format(value),
    /** Formats a percentage: 20 is 20 %. */
    percent: (value: number) => percent.format(value / 100),
    /** Formats the size of a file. */
    bytes: (value: number) => value < 1_000 ? bytes.format(value) : kilobytes.format(value / 1_000),
    /** Formats a day such as `2026-11-22`; returns other text, which an address may hold, unchanged. */
    day: (value: string | null | undefined) => {
      const [day] = /^\d{4}-\d\d-\d\d/.exec(value ?? "") ?? [];
      const at = new Date(`${day}T00:00:00Z`);
      return Number.isNaN(at.getTime()) ? value ?? "" : date.format(at);
    },
    /** Formats a moment in the reader's time zone. */
    moment: (value: string | number | null | undefined) => momentIn(moment, value),
    /** Formats a moment to the second, for frequent events. */
    second: (value: string | number | null | undefined) => momentIn(second, value),
    /** Formats the time of day to the second. */
    time: (value: number) => time.format(value),
    /** Formats the time of day to the millisecond, for lines of a log. */
    clock: (value: string) => clock.format(parseDate(value)),
    ago: (value: string | number) => {
      const seconds = (parseDate(value).getTime() - Date.now()) / 1000;
      const [unit, size] = UNITS.find(([, it]) => Math.abs(seconds) >= it) ?? ["second", 1];
      return relative.format(Math.round(seconds / size), unit);
    },
    /** Formats an amount without rounding, even if the currency has no cents. */
    amount: (value: number | null | undefined, currency = "EUR") =>
      value === null || value === undefined ? "" : money(value, currency, CENTS),
    /** Formats a unit price, which may have fractions of a cent. */
    price: (value: number | null | undefined, currency = "EUR") =>
      value === null || value === undefined ? "" : money(value, currency, MAX_DIGITS),
  };
}

/** Returns the format of amounts: at least the currency's own decimals, and at most `most`. */
function formatMoney(locale: string): (value: number, currency: string, most: number) => string {
  const formats = new Map<string, Intl.NumberFormat>();
  return (value, currency, most) => {
    const key = currency + most;
    const known = formats.get(key);
    if (known) return withMinus(known.format(value));
    const style = /^[A-Z]{3}$/.test(currency)
      ? { style: "currency" as const, currency }
      : { minimumFractionDigits: 2 };
    const least = new Intl.NumberFormat(locale, style).resolvedOptions().minimumFractionDigits ?? 2;
    const maximumFractionDigits = Math.max(least, most);
    const made = new Intl.NumberFormat(locale, { ...style, maximumFractionDigits });
    formats.set(key, made);
    return withMinus(made.format(value));
  };
}

/** Replaces the hyphen in front of a negative amount by a minus sign, which is as wide as a digit. */
export const withMinus = (text: string) => text.replace("-", "\u2212");

function momentIn(format: Intl.DateTimeFormat, value: string | number | null | undefined): string {
  if (value === null || value === undefined || value === "") return "";
  const at = parseDate(value);
  return Number.isNaN(at.getTime()) ? String(value) : format.format(at);
}

/** Parses a moment. The API's moments without a zone are in UTC; a browser would assume local time. */
function parseDate(value: string | number): Date {
  const isBare = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(String(value));
  return new Date(isBare ? `${value}Z` : value);
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];
