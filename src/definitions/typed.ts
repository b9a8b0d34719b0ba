import { compare, formatDecimal, parseDecimal } from "#src/kernel/decimal.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";

/**
 * Value of a type of the settings. Exact numbers, dates and times are text; `integer` is a number where a double
 * can represent it. `binary` is Base64, `array<T>` a list.
 */
export type Typed =
  | string
  | number
  | boolean
  | null
  | readonly Typed[]
  | { readonly [key: string]: Typed };

/** Value converted to the type, or its problem: the rest of a sentence that begins with the value. */
export type TypedResult = { readonly value: Typed } | { readonly problem: Sentence };

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/;
const DATETIME =
  /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?)(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** PostgreSQL's numeric has more digits, but no amount does. */
const MAX_DIGITS = 100;
/** Numbers from here on are written with an exponent: their digits are not all significant. */
const MAX_ROUNDED = 1e21;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** Reads a value from JSON or, in a URL, from text. */
export function readTyped(type: string, given: unknown): TypedResult {
  const inner = /^array<(.+)>$/.exec(type)?.[1];
  if (inner === undefined) return READERS[type]?.(given) ?? refusal(say`is of a type nobody knows`);
  const items = Array.isArray(given) ? given : [given];
  const read = items.map((it) => readTyped(inner, it));
  const wrong = read.find((it) => "problem" in it);
  return wrong ?? { value: read.map((it) => "value" in it ? it.value : null) };
}

const READERS: Readonly<Record<string, (given: unknown) => TypedResult>> = {
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
    if (whole < MIN_INTEGER || whole > MAX_INTEGER) {
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
    const read = isScalar(it) && String(it).length <= MAX_DIGITS
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
  date: (it) => matchText(it, isDay, say`is no day such as 2026-11-20`),
  time: (it) => matchText(it, (text) => TIME.test(text), say`is no time such as 09:30`),
  datetime: (it) =>
    matchText(
      it,
      (text) => isDay(DATETIME.exec(text)?.[1] ?? ""),
      say`is no moment such as 2026-11-20T09:30:00Z`,
    ),
  uuid: (it) => matchText(it, (text) => UUID.test(text), say`is no UUID`),
  json: (it) => holdsRounded(it) ? refusal(ROUNDED) : { value: it as Typed },
  binary: (it) => matchText(it, (text) => BASE64.test(text), say`is no Base64`),
};

/** Less than 0, 0 or more, of two values of an ordered type; both must be of it. */
export function compareTyped(type: string, a: Typed, b: Typed): number {
  if (type === "integer" || type === "number" || type === "decimal") {
    const [x, y] = [parseDecimal(String(a)), parseDecimal(String(b))];
    return x && y ? compare(x, y) : Number(a) - Number(b);
  }
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

/** Checks that a day exists: no 30 February. */
function isDay(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return Number(year) > 0 && date.getUTCMonth() === Number(month) - 1 &&
    date.getUTCDate() === Number(day);
}

export const ROUNDED = say`lies beyond 2^53, where numbers of JSON are rounded; give it as text`;

/**
 * Checks for an integer that its parser may have rounded: the row with a neighbouring number would be read,
 * written or removed.
 */
export function isRounded(it: unknown): boolean {
  return Number.isInteger(it) && !Number.isSafeInteger(it);
}

/** Searches without recursion, whatever the depth. */
function holdsRounded(json: unknown): boolean {
  const open = [json];
  while (open.length) {
    const it = open.pop();
    if (isRounded(it) && Math.abs(it as number) < MAX_ROUNDED) return true;
    if (typeof it === "object" && it !== null) {
      for (const inner of Object.values(it)) open.push(inner);
    }
  }
  return false;
}

function isScalar(it: unknown): it is string | number {
  return typeof it === "string" || typeof it === "number";
}

function matchText(it: unknown, fits: (text: string) => boolean, problem: Sentence): TypedResult {
  return typeof it === "string" && fits(it) ? { value: it } : refusal(problem);
}

function refusal(problem: Sentence): TypedResult {
  return { problem };
}
