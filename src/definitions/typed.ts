import { compare, formatDecimal, parseDecimal } from "#src/kernel/decimal.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";

/**
 * A value of a type of the settings: exact numbers, dates and times as text, `integer` as a number where a double holds
 * it, `binary` as Base64, `array<T>` as a list.
 */
export type Typed =
  | string
  | number
  | boolean
  | null
  | readonly Typed[]
  | { readonly [key: string]: Typed };

/** A value as the type has it, or why it is none: a sentence that goes on after the value. */
export type Reading = { readonly value: Typed } | { readonly problem: Sentence };

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/;
const DATETIME =
  /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?)(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** PostgreSQL's numeric goes further, no amount does. */
const MOST_DIGITS = 100;
/** From here on numbers are written with an exponent: nobody means every digit of them. */
const MOST_ROUNDED = 1e21;
const LEAST_INTEGER = -(2n ** 63n);
const MOST_INTEGER = 2n ** 63n - 1n;

/** Reads what came as JSON or, from an address, as text. */
export function readTyped(type: string, given: unknown): Reading {
  const inner = /^array<(.+)>$/.exec(type)?.[1];
  if (inner === undefined) return READERS[type]?.(given) ?? refusal(say`is of a type nobody knows`);
  const items = Array.isArray(given) ? given : [given];
  const read = items.map((it) => readTyped(inner, it));
  const wrong = read.find((it) => "problem" in it);
  return wrong ?? { value: read.map((it) => "value" in it ? it.value : null) };
}

const READERS: Readonly<Record<string, (given: unknown) => Reading>> = {
  string: (it) => {
    if (isRounded(it)) return refusal(ROUNDED);
    const text = typeof it === "number" || typeof it === "boolean" ? String(it) : it;
    if (typeof text !== "string") return refusal(say`is no text`);
    return text.includes("\0") || !text.isWellFormed()
      ? refusal(say`holds characters that are no text`)
      : { value: text };
  },
  integer: (it) => {
    if (isRounded(it)) return refusal(ROUNDED);
    const text = isScalar(it) ? String(it) : "";
    if (!/^-?\d{1,19}$/.test(text)) return refusal(say`is no whole number`);
    const whole = BigInt(text);
    if (whole < LEAST_INTEGER || whole > MOST_INTEGER) {
      return refusal(say`does not fit into 64 bits`);
    }
    const number = Number(whole);
    return { value: Number.isSafeInteger(number) ? number : String(whole) };
  },
  number: (it) => {
    const number = typeof it === "string" && it.trim() ? Number(it) : it;
    return typeof number === "number" && Number.isFinite(number)
      ? { value: number }
      : refusal(say`is no number`);
  },
  decimal: (it) => {
    if (isRounded(it)) return refusal(ROUNDED);
    const read = isScalar(it) && String(it).length <= MOST_DIGITS
      ? parseDecimal(String(it))
      : undefined;
    return read ? { value: formatDecimal(read) } : refusal(say`is no decimal number such as 12.50`);
  },
  boolean: (it) =>
    it === true || it === "true"
      ? { value: true }
      : it === false || it === "false"
      ? { value: false }
      : refusal(say`is neither true nor false`),
  date: (it) => matched(it, isDay, say`is no day such as 2026-11-20`),
  time: (it) => matched(it, (text) => TIME.test(text), say`is no time such as 09:30`),
  datetime: (it) =>
    matched(
      it,
      (text) => isDay(DATETIME.exec(text)?.[1] ?? ""),
      say`is no moment such as 2026-11-20T09:30:00Z`,
    ),
  uuid: (it) => matched(it, (text) => UUID.test(text), say`is no UUID`),
  json: (it) => holdsRounded(it) ? refusal(ROUNDED) : { value: it as Typed },
  binary: (it) => matched(it, (text) => BASE64.test(text), say`is no Base64`),
};

/** Less than 0, 0 or more, of two values of an ordered type; both must be of it. */
export function compareTyped(type: string, a: Typed, b: Typed): number {
  if (type === "integer" || type === "number" || type === "decimal") {
    const [x, y] = [parseDecimal(String(a)), parseDecimal(String(b))];
    return x && y ? compare(x, y) : Number(a) - Number(b);
  }
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

/** A day there is: no 30 February. */
function isDay(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day);
}

export const ROUNDED = say`lies beyond 2^53, where numbers of JSON are rounded; give it as text`;

/** Whoever parsed it may have met other digits: the row with the neighbouring number would be read, written or removed. */
export function isRounded(it: unknown): boolean {
  return Number.isInteger(it) && !Number.isSafeInteger(it);
}

/** Without recursion, whatever the depth. */
function holdsRounded(json: unknown): boolean {
  const open = [json];
  while (open.length) {
    const it = open.pop();
    if (isRounded(it) && Math.abs(it as number) < MOST_ROUNDED) return true;
    if (typeof it === "object" && it !== null) {
      for (const inner of Object.values(it)) open.push(inner);
    }
  }
  return false;
}

function isScalar(it: unknown): it is string | number {
  return typeof it === "string" || typeof it === "number";
}

function matched(it: unknown, fits: (text: string) => boolean, problem: Sentence): Reading {
  return typeof it === "string" && fits(it) ? { value: it } : refusal(problem);
}

function refusal(problem: Sentence): Reading {
  return { problem };
}
