import type { Language } from "../i18n/language.ts";

/** How many digits may stand behind the decimal sign: none of a whole number. */
export interface NumberShape {
  readonly mostDecimals?: number | undefined;
}

/** `value`: as the API takes it (`1234.5`). `ambiguous`: both readings. */
export type NumberRead =
  | { readonly value: string }
  | { readonly ambiguous: readonly [whole: string, decimals: string] }
  | { readonly wrong: "number" | "decimals" };

/** Digits between two signs of thousands. */
const GROUP = 3;
/** Thousands apart by one space of any width. Other spaces are not: cells that were copied together are no number. */
const SPACED = /^[-+]?[1-9]\d{0,2}(?:[ \u00a0\u2007\u2009\u202f]\d{3})+(?!\d)/;
/** As the API takes it. */
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const SIGNS = { en: [".", ","], fr: [",", "."] } as const;

/**
 * A number as somebody types it in their language. The decimal sign of the other one is taken for one where it can be nothing else
 * (12,5 is never 125); where it may as well separate thousands (1,234) both readings are told.
 */
export function readNumber(
  text: string,
  language: Language,
  { mostDecimals = Infinity }: NumberShape = {},
): NumberRead {
  const [own, other] = SIGNS[language];
  const typed = text.trim().replace(/^\u2212/, "-").replace(/^([-+]) /, "$1")
    .replace(SPACED, (it) => it.replace(/\s/gu, ""));
  const parts = typed.split(own);
  const [before = "", after = ""] = parts;
  if (parts.length > 2 || after.includes(other)) return { wrong: "number" };
  const isGrouped = /^[-+]?[1-9]\d{0,2}(?:\D\d{3})+$/.test(before);
  if (before.includes(other)) {
    const groups = before.split(other).length;
    if (groups === 2 && parts.length === 1) {
      const asDecimals = plain(before.replace(other, "."));
      if (asDecimals === undefined) return { wrong: "number" };
      if (isGrouped && mostDecimals >= GROUP) {
        return { ambiguous: [before.replace(other, ""), before.replace(other, own)] };
      }
      if (!isGrouped) return withinDecimals(asDecimals, mostDecimals);
    } else if (!isGrouped) return { wrong: "number" };
  }
  const whole = before.replaceAll(other, "");
  const value = plain(parts.length === 2 ? `${whole}.${after}` : whole);
  return value === undefined ? { wrong: "number" } : withinDecimals(value, mostDecimals);
}

/**
 * What a field with this text holds: a number as the API takes it; else the text, which is no number there either. A French `1.234`
 * would be one of its two readings, and `1e3` a thousand.
 */
export function numberHeld(text: string, language: Language, shape: NumberShape = {}): string {
  const read = readNumber(text, language, shape);
  if ("value" in read) return read.value;
  return "ambiguous" in read
    ? text.trim().replace(".", ",")
    : text.trim().replace(/^([-+]?[\d.]+)(?=[a-z])/i, "$1 ");
}

export const isPlainNumber = (value: string): boolean => PLAIN.test(value);

/** Without the exponent that JavaScript writes very large and very small ones with. */
export function plainNumber(value: number): string {
  const [, sign = "", first, after = "", exponent] =
    /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(String(value)) ?? [];
  if (first === undefined) return String(value);
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${"0".repeat(-shift - 1)}${first}${after}`
    : `${sign}${first}${after.padEnd(shift, "0")}`;
}

/** Finer steps than these nobody takes. */
const STEP_DECIMALS = 12;

/** With as many decimals as either has; exactly, however many digits that are. */
export function moved(value: string, by: number): string {
  const step = by.toFixed(STEP_DECIMALS).replace(/\.?0+$/, "");
  if (!PLAIN.test(value) || !PLAIN.test(step)) return value;
  const decimals = Math.max(...[value, step].map((it) => it.split(".")[1]?.length ?? 0));
  const units = (text: string) => {
    const [whole = "", after = ""] = text.split(".");
    return BigInt(whole + after.padEnd(decimals, "0"));
  };
  const sum = units(value) + units(step);
  const digits = String(sum < 0n ? -sum : sum).padStart(decimals + 1, "0");
  const sign = sum < 0n ? "-" : "";
  return sign + (decimals ? `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}` : digits);
}

function plain(text: string): string | undefined {
  if (!/^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text)) return undefined;
  return text.replace(/^\+/, "").replace(/^(-?)\./, "$10.").replace(/\.$/, "");
}

function withinDecimals(value: string, most: number): NumberRead {
  const [, decimals = ""] = value.split(".");
  return decimals.length > most ? { wrong: "decimals" } : { value };
}

/** What the API takes, as its reader types it; what is no number stays as it is. */
export function numberText(value: string, language: Language): string {
  return PLAIN.test(value) ? value.replace(".", SIGNS[language][0]) : value;
}
