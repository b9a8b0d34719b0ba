import type { Language } from "#src/kernel/language.ts";
import { type Codes, DOCUMENT_TYPES, UNITS } from "#src/domain/invoice/code_words.ts";
import { EN } from "./en.ts";
import { FR } from "./fr.ts";

type Labels = Readonly<Record<keyof typeof FR, string>>;

/** Currencies without a smaller unit (ISO 4217): amounts are not padded with decimals. */
const WHOLE_CURRENCIES = new Set(["CLP", "ISK", "JPY", "KRW", "PYG", "VND", "XAF", "XOF", "XPF"]);
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?$/;
const MINUS = "\u2212";
const NO_BREAK_SPACE = "\u00A0";
const NARROW_SPACE = "\u202F";

/** Language of a page: its labels and its format of numbers, dates and codes. */
export interface PageWords {
  readonly language: Language;
  readonly label: Labels;
  /** Formats an amount in the invoice currency, without the currency. */
  amount(value: string | undefined): string;
  /** Formats an amount with its currency. */
  money(value: string | undefined, currency?: string): string;
  /** Formats a number with its given precision. */
  quantity(value: string | undefined): string;
  percent(value: string | undefined): string;
  date(value: string | undefined): string | undefined;
  /** Returns the unit of a quantity in singular or plural, else its code. */
  unit(code: string | undefined, quantity: string | undefined): string | undefined;
  country(code: string | undefined): string | undefined;
  /** Joins a label and its value; returns undefined without a value. */
  pair(label: string, value: string | undefined): string | undefined;
  /** Returns the word for a code, else the code itself. */
  code(codes: Codes, code: string | undefined): string | undefined;
}

export function wordsIn(language: Language, currency: string | undefined): PageWords {
  const whole = currency !== undefined && WHOLE_CURRENCIES.has(currency);
  const amount = (value: string | undefined) => decimal(value, language, whole ? 0 : 2);
  return {
    language,
    label: language === "fr" ? FR : EN,
    amount,
    money: (value, other = currency) => withCurrency(amount(value), other, language),
    quantity: (value) => decimal(value, language, 0),
    percent: (value) => percent(decimal(value, language, 0), language),
    date: (value) => value === undefined ? undefined : date(value, language),
    unit: (code, count) => unit(code, Number(count), language),
    country: (code) => country(code, language),
    pair: (name, value) => pair(name, value, language),
    code: (codes, code) => code === undefined ? undefined : codes[code]?.[index(language)] ?? code,
  };
}

/** Returns the title of the document for its type code, else for its kind. */
export function chooseTitle(
  kind: "invoice" | "creditNote",
  code: string | undefined,
  words: PageWords,
) {
  const usual = kind === "invoice" ? "380" : "381";
  const language = index(words.language);
  return DOCUMENT_TYPES[code ?? usual]?.[language] ?? DOCUMENT_TYPES[usual]?.[language] ?? "";
}

function index(language: Language): 0 | 1 {
  return language === "fr" ? 0 : 1;
}

/** Groups the digits of a decimal text. Significant decimals are kept and padded to `least`. */
function decimal(value: string | undefined, language: Language, least: number): string {
  if (value === undefined) return "";
  const parts = DECIMAL.exec(value);
  if (!parts) return value;
  const [, sign = "", whole = "", fraction = ""] = parts;
  const group = language === "fr" ? NARROW_SPACE : ",";
  const digits = whole.replace(/^0+(?=\d)/, "") || "0";
  const grouped = digits.replace(/\B(?=(?:\d{3})+$)/g, group);
  const decimals = fraction.replace(/0+$/, "").padEnd(least, "0");
  const point = decimals === "" ? "" : language === "fr" ? "," : ".";
  return `${sign === "-" ? MINUS : ""}${grouped}${point}${decimals}`;
}

function withCurrency(amount: string, currency: string | undefined, language: Language): string {
  if (amount === "" || currency === undefined) return amount;
  const symbol = currency === "EUR" ? "€" : currency;
  if (language === "fr") return `${amount}${NO_BREAK_SPACE}${symbol}`;
  return symbol === "€" ? `€${amount}` : `${symbol}${NO_BREAK_SPACE}${amount}`;
}

function percent(number: string, language: Language): string {
  if (number === "") return "";
  return language === "fr" ? `${number}${NO_BREAK_SPACE}%` : `${number}%`;
}

function unit(code: string | undefined, count: number, language: Language): string | undefined {
  const forms = UNITS[code ?? ""];
  if (forms === undefined) return code;
  const plural = language === "fr" ? Math.abs(count) >= 2 : Math.abs(count) !== 1;
  return forms[index(language) + (plural ? 2 : 0)] ?? forms[index(language)];
}

function country(code: string | undefined, language: Language): string | undefined {
  if (code === undefined || !/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;
}

function pair(name: string, value: string | undefined, language: Language): string | undefined {
  if (value === undefined || value === "") return undefined;
  return `${name}${language === "fr" ? NO_BREAK_SPACE : ""}: ${value}`;
}

function date(value: string, language: Language): string {
  const [year = "", month = "", day = ""] = value.split("-");
  if (language === "fr") return `${day}/${month}/${year}`;
  const names = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
  return `${Number(day)} ${names[Number(month) - 1] ?? month} ${year}`;
}
