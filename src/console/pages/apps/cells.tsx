import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { toReadable } from "../../components/finding_subject.ts";
import { Mark, type Tone } from "../../components/mark.tsx";
import { type ConsoleLanguage, useLanguage, useWords, withMinus } from "../../i18n/language.ts";
import { type Lookups, useLabels } from "./labels.ts";
import { APPS } from "./words.ts";

/** Format of a value from the settings. */
export interface Look {
  readonly type?: string;
  /** Options of `Intl` in snake_case. */
  readonly format?: Readonly<Record<string, string | number | boolean>>;
  readonly lookup?: string;
  readonly display?: string;
}

const LOCALES: Readonly<Record<ConsoleLanguage, string>> = { en: "en-GB", fr: "fr-FR" };
/** Types of columns with numbers. */
export const NUMBERS = new Set(["integer", "number", "decimal"]);

type Writer = (value: never) => string;
const writers = new Map<string, Writer>();

/** Formats a value in the reader's language; a value that does not fit its format stays unchanged. */
export function formatCell(
  value: unknown,
  { type = "", format = {}, display }: Look,
  { language, row = {} }: { language: ConsoleLanguage; row?: Readonly<Record<string, unknown>> },
): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMoment = /^\d{4}-\d\d-\d\dT/.test(text);
  if (isDay || isMoment) {
    const moment = new Date(isDay ? `${text}T00:00:00Z` : text);
    if (Number.isNaN(moment.getTime())) return text;
    const kind = isDay || display === "date" ? "day" : "moment";
    return (momentWriter(kind, isDay, format, language) as (it: Date) => string)(moment);
  }
  const isNumber = NUMBERS.has(type) || typeof value === "number" || display === "money";
  if (!isNumber || text.trim() === "" || !Number.isFinite(Number(text))) return text;
  if (Object.keys(format).length === 0 && type === "integer") return text;
  const { currency_field: field } = format;
  const currency = field === undefined ? format["currency"] : row[String(field)];
  const shown = { ...format, ...currency !== undefined && { currency: String(currency ?? "") } };
  // Passes a decimal as text, so that it is not rounded to a double.
  return numberWriter(shown, language)(text as never);
}

function numberWriter(
  format: NonNullable<Look["format"]>,
  language: ConsoleLanguage,
): Writer {
  const key = `${language} ${JSON.stringify(format)}`;
  const known = writers.get(key);
  if (known) return known;
  const { fraction_digits: digits, style = "decimal", currency_field: _, ...rest } = format;
  const isMoney = style === "currency" && /^[A-Za-z]{3}$/.test(String(rest["currency"]));
  const options = {
    ...!isMoney && { maximumFractionDigits: 10 },
    ...camel(rest),
    style: style === "currency" && !isMoney ? "decimal" : style,
    ...digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits },
  } as Intl.NumberFormatOptions;
  let made: Writer;
  try {
    const it = new Intl.NumberFormat(LOCALES[language], options);
    made = (value) => withMinus(it.format(value));
  } catch {
    made = String;
  }
  writers.set(key, made);
  return made;
}

/** Returns a formatter: days are the same everywhere, moments are shown in the reader's time zone. */
function momentWriter(
  kind: "day" | "moment",
  isDay: boolean,
  format: NonNullable<Look["format"]>,
  language: ConsoleLanguage,
): Writer {
  const key = `${language} ${kind} ${isDay} ${JSON.stringify(format)}`;
  const known = writers.get(key);
  if (known) return known;
  const { style: _, ...rest } = format;
  const plain = { dateStyle: "medium", ...kind === "moment" && { timeStyle: "short" } };
  const options = Object.keys(rest).length ? camel(rest) : plain;
  const zone = isDay ? { timeZone: "UTC" } : {};
  let it: Intl.DateTimeFormat;
  try {
    it = new Intl.DateTimeFormat(LOCALES[language], { ...options, ...zone } as object);
  } catch {
    it = new Intl.DateTimeFormat(LOCALES[language], { ...plain, ...zone } as object);
  }
  const make: Writer = (value) => it.format(value);
  writers.set(key, make);
  return make;
}

function camel(options: NonNullable<Look["format"]>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name.replace(/_([a-z])/g, (_, it: string) => it.toUpperCase()),
      value,
    ]),
  );
}

const COLORS: Readonly<Record<string, Tone>> = {
  red: "bad",
  bad: "bad",
  amber: "warning",
  orange: "warning",
  yellow: "warning",
  warning: "warning",
  green: "good",
  good: "good",
  blue: "busy",
};

/** Returns the tone of a color name in the settings; the theme chooses the shade. */
const findTone = (color: string | undefined): Tone => COLORS[color ?? ""] ?? "calm";

/** Value as shown: a code by its label, a state with its tone, an address as a link. */
export function Value({ value, look, row, lookups }: {
  value: unknown;
  look: Look;
  row: Readonly<Record<string, unknown>>;
  lookups: Lookups;
}): ReactNode {
  const language = useLanguage();
  const words = useWords(APPS);
  const isNothing = value === null || value === undefined || value === "";
  const labels = useLabels(lookups, look.lookup, isNothing ? [] : [String(value)]);
  if (isNothing) return "";
  if (typeof value === "boolean" || look.display === "boolean") {
    return value === true || value === "true" || value === 1 ? words.yes : words.no;
  }
  const known = labels.get(String(value));
  const written = known?.label ?? formatCell(value, look, { language, row });
  const text = look.display === "message" ? toReadable(written) : written;
  if (look.display === "badge") return <Mark tone={findTone(known?.color)}>{text}</Mark>;
  if (look.display === "progress") {
    return <progress max={100} value={Number(value)} aria-label={`${text} %`} />;
  }
  if (look.display === "link" && /^https?:\/\//i.test(String(value))) {
    return (
      <Anchor href={String(value)} target="_blank" rel="noopener noreferrer" size="sm">
        {text}
      </Anchor>
    );
  }
  return known
    ? text
    : <span className={isShort(value, look) ? "ps-number" : undefined}>{text}</span>;
}

/** Returns true for numbers and times, which do not wrap. */
function isShort(value: unknown, { type = "" }: Look): boolean {
  return NUMBERS.has(type) || /^\d{4}-\d\d-\d\d($|T)/.test(String(value));
}
