/**
 * Checks whether a type certainly accepts the text between two offsets; false if it does not or if that is
 * unknown.
 */
export type Lexical = (source: string, from: number, to: number) => boolean;

/** Lexical type of a value: undefined accepts any text. */
export type ValueType = Lexical | undefined;

/**
 * Built-in types of XML Schema, limited to the plain forms of each. Other forms are left to libxml2 and never
 * contradict it: blanks around a number, years of five digits, a reference inside a date.
 */
export const BUILT_IN: ReadonlyMap<string, ValueType> = new Map<string, ValueType>([
  // White space is replaced or collapsed before these types are checked, so they reject nothing.
  ["xs:string", undefined],
  ["xs:normalizedString", undefined],
  ["xs:token", undefined],
  ["xs:decimal", isDecimal],
  ["xs:date", (source, from, to) => isDate(source, from, to, 10) && isZone(source, from + 10, to)],
  ["xs:dateTime", isDateTime],
  ["xs:time", isTime],
  ["xs:boolean", matching(/^(?:true|false|0|1)$/)],
  ["xs:language", matching(/^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*$/)],
  ["xs:anyURI", (source, from, to) => to - from < 1_000 && isPlainUri(source.slice(from, to))],
  ["xs:base64Binary", isBase64],
]);

/**
 * Checks for a token of a certain length; only ASCII letters and digits are known to count as one character each.
 */
export function createTokenCheck(least: number, most: number): Lexical {
  const word = /^[A-Za-z0-9]+$/;
  return (source, from, to) =>
    to - from >= least && to - from <= most && word.test(source.slice(from, to));
}

export function exactly(value: string): Lexical {
  return (source, from, to) => to - from === value.length && source.startsWith(value, from);
}

const URN = /^urn:[A-Za-z0-9][A-Za-z0-9._:-]*(?:#[A-Za-z0-9._-]*)?$/;
const HTTP =
  /^https?:\/\/[A-Za-z0-9][A-Za-z0-9.-]*(?:\/[A-Za-z0-9._~/-]*)?(?:\?[A-Za-z0-9._~/=&-]*)?(?:#[A-Za-z0-9._~-]*)?$/;

/** Checks for common URIs: URNs, and web addresses without characters that need escapes. */
export function isPlainUri(text: string): boolean {
  return URN.test(text) || HTTP.test(text);
}

const ZERO = 48, NINE = 57, POINT = 46, PLUS = 43, MINUS = 45, COLON = 58, T = 84, Z = 90;

function matching(form: RegExp): Lexical {
  return (source, from, to) => to - from < 100 && form.test(source.slice(from, to));
}

/** `12`, `-12.50`: a digit at least on each side of the point. */
function isDecimal(source: string, from: number, to: number): boolean {
  const sign = source.charCodeAt(from);
  const start = sign === MINUS || sign === PLUS ? from + 1 : from;
  const point = behindDigits(source, start, to);
  if (point === start || to - from > 40) return false;
  if (point === to) return true;
  return source.charCodeAt(point) === POINT && point + 1 < to &&
    behindDigits(source, point + 1, to) === to;
}

function behindDigits(source: string, from: number, to: number): number {
  let at = from;
  while (at < to && isDigit(source.charCodeAt(at))) at++;
  return at;
}

function isDigit(unit: number): boolean {
  return unit >= ZERO && unit <= NINE;
}

/** Returns the number of two digits; NaN for other characters. */
function two(source: string, at: number): number {
  const [tens, ones] = [source.charCodeAt(at), source.charCodeAt(at + 1)];
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + ones - ZERO : NaN;
}

const DAYS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `2026-02-28` of the years 0001 to 9999, in the first `length` characters. */
function isDate(source: string, from: number, to: number, length: number): boolean {
  if (to - from < length) return false;
  if (source.charCodeAt(from + 4) !== MINUS || source.charCodeAt(from + 7) !== MINUS) return false;
  const year = two(source, from) * 100 + two(source, from + 2);
  const month = two(source, from + 5);
  const day = two(source, from + 8);
  if (!(year > 0 && month >= 1 && month <= 12 && day >= 1)) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day <= (month === 2 && leap ? 29 : DAYS[month] ?? 0);
}

function isDateTime(source: string, from: number, to: number): boolean {
  return isDate(source, from, to, 19) && source.charCodeAt(from + 10) === T &&
    isTime(source, from + 11, to);
}

/** `23:59:59`, with at most nine digits of a second: more may round up to a sixtieth. */
function isTime(source: string, from: number, to: number): boolean {
  if (to - from < 8) return false;
  if (source.charCodeAt(from + 2) !== COLON || source.charCodeAt(from + 5) !== COLON) return false;
  const isInDay = two(source, from) <= 23 && two(source, from + 3) <= 59 &&
    two(source, from + 6) <= 59;
  if (!isInDay || source.charCodeAt(from + 8) !== POINT) {
    return isInDay && isZone(source, from + 8, to);
  }
  const end = behindDigits(source, from + 9, to);
  return end > from + 9 && end <= from + 18 && isZone(source, end, to);
}

/** Nothing, `Z`, or an offset of less than fourteen hours. */
function isZone(source: string, from: number, to: number): boolean {
  if (from === to) return true;
  const sign = source.charCodeAt(from);
  if (sign === Z) return to - from === 1;
  return to - from === 6 && (sign === PLUS || sign === MINUS) && two(source, from + 1) <= 13 &&
    source.charCodeAt(from + 3) === COLON && two(source, from + 4) <= 59;
}

/** Six bits of each ASCII character, 64 for white space, 65 for characters that base64 forbids. */
const SIX_BITS = sixBits();
const EQUALS = 61;

/**
 * Validates groups of four, the last one padded with zero bits; white space is allowed anywhere before the
 * padding.
 */
function isBase64(source: string, from: number, to: number): boolean {
  let end = to;
  while (end > from && to - end < 2 && source.charCodeAt(end - 1) === EQUALS) end--;
  let count = 0;
  let last = 0;
  for (let at = from; at < end; at++) {
    const unit = source.charCodeAt(at);
    const bits = unit < 128 ? SIX_BITS[unit] as number : 65;
    if (bits > 64) return false;
    if (bits === 64) continue;
    count++;
    last = bits;
  }
  const padding = to - end;
  if ((count + padding) % 4 !== 0) return false;
  return padding === 0 || (padding === 1 ? last & 0x03 : last & 0x0f) === 0;
}

function sixBits(): Uint8Array {
  const table = new Uint8Array(128).fill(65);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let at = 0; at < 64; at++) table[alphabet.charCodeAt(at)] = at;
  for (const blank of " \t\n") table[blank.charCodeAt(0)] = 64;
  return table;
}
