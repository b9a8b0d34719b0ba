import type { ConsoleLanguage } from "../i18n/language.ts";

/** Most decimals allowed; 0 for whole numbers. */
export interface NumberShape {
  readonly mostDecimals?: number | undefined;
}

/** `value` has the API's format (`1234.5`); `ambiguous` holds both possible readings. */
export type NumberRead =
  | { readonly value: string }
  | { readonly ambiguous: readonly [whole: string, decimals: string] }
  | { readonly wrong: "number" | "decimals" };

/** Digits in a group of thousands. */
const GROUP = 3;
/**
 * Thousands separated by one space of any width. Several spaces are invalid: they come from cells that were
 * copied together.
 */
const SPACED = /^[-+]?[1-9]\d{0,2}(?:[ \u00a0\u2007\u2009\u202f]\d{3})+(?!\d)/;
/** Number in the API's format. */
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const SIGNS = { en: [".", ","], fr: [",", "."] } as const;

/**
 * Parses a number in the reader's language. The other language's decimal sign is accepted if only one reading
 * is possible: 12,5 is never 125. If it could also separate thousands (1,234), returns both readings.
 */
export function readNumber(
  text: string,
  language: ConsoleLanguage,
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
 * Returns the number in the API's format. Other text is returned so that the API rejects it too: a French
 * `1.234` gets a comma, and `1e3` a space before the letter.
 */
export function numberHeld(
  text: string,
  language: ConsoleLanguage,
  shape: NumberShape = {},
): string {
  const read = readNumber(text, language, shape);
  if ("value" in read) return read.value;
  return "ambiguous" in read
    ? text.trim().replace(".", ",")
    : text.trim().replace(/^([-+]?[\d.]+)(?=[a-z])/i, "$1 ");
}

export const isPlainNumber = (value: string): boolean => PLAIN.test(value);

/** Formats a number without the exponent that JavaScript uses for very large and very small numbers. */
export function plainNumber(value: number): string {
  const [, sign = "", first, after = "", exponent] =
    /^(-?)(\d)(?:\.(\d+))?e([-+]\d+)$/.exec(String(value)) ?? [];
  if (first === undefined) return String(value);
  const shift = Number(exponent);
  return shift < 0
    ? `${sign}0.${"0".repeat(-shift - 1)}${first}${after}`
    : `${sign}${first}${after.padEnd(shift, "0")}`;
}

/** Finest step. */
const STEP_DECIMALS = 12;

/** Adds a step exactly, with as many decimals as the more precise of both. */
export function addStep(value: string, by: number): string {
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

/** Formats an API number in the reader's language; returns other text unchanged. */
export function numberText(value: string, language: ConsoleLanguage): string {
  return PLAIN.test(value) ? value.replace(".", SIGNS[language][0]) : value;
}
