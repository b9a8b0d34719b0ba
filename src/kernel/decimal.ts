/**
 * An exact decimal number, never a float. `small` holds the units (value × 10^scale) as a safe integer; beyond that
 * range it is NaN and `big` holds them.
 */
export class Decimal {
  readonly small: number;
  readonly big: bigint | undefined;
  readonly scale: number;

  constructor(small: number, big: bigint | undefined, scale: number) {
    this.small = small;
    this.big = big;
    this.scale = scale;
  }

  toString(): string {
    return formatDecimal(this);
  }
}

export const ZERO = new Decimal(0, undefined, 0);

const SAFE = Number.MAX_SAFE_INTEGER;
const POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
/** Digits behind the point of a quotient that does not end. */
const QUOTIENT_DIGITS = 18;
/** More digits than any amount needs; keeps arithmetic on hostile input cheap. */
const MAX_DIGITS = 1000;
const LEXICAL = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)$/;

/** Reads the lexical form of xs:decimal (`-12.50`, `+.5`, `7.`); undefined for anything else, white space included. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > 16) return parseLong(text);
  let units = 0;
  let digits = 0;
  let point = -1;
  const first = text.charCodeAt(0);
  for (let at = first === 45 || first === 43 ? 1 : 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 48 && unit <= 57) {
      units = units * 10 + (unit - 48);
      digits++;
    } else if (unit === 46 && point < 0) point = digits;
    else return undefined;
  }
  if (digits === 0) return undefined;
  if (units > SAFE) return parseLong(text);
  return new Decimal(
    first === 45 && units !== 0 ? -units : units,
    undefined,
    point < 0 ? 0 : digits - point,
  );
}

function parseLong(text: string): Decimal | undefined {
  if (text.length > MAX_DIGITS || !LEXICAL.test(text)) return undefined;
  const point = text.indexOf(".");
  const scale = point < 0 ? 0 : text.length - point - 1;
  const digits = point < 0 ? text : text.slice(0, point) + text.slice(point + 1);
  const sign = digits.startsWith("-");
  const magnitude = BigInt(digits.replace(/^[+-]/, ""));
  return fromUnits(sign ? -magnitude : magnitude, scale);
}

/** Returns a decimal from a constant of the program, which must be a decimal in lexical form. */
export function decimal(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined) throw new RangeError(`"${text}" is not a decimal number`);
  return value;
}

/** Returns `units` × 10^-scale. */
export function fromUnits(units: number | bigint, scale: number): Decimal {
  if (typeof units === "number" && Number.isSafeInteger(units)) {
    return new Decimal(units === 0 ? 0 : units, undefined, scale);
  }
  const big = BigInt(units);
  return big <= BigInt(SAFE) && big >= -BigInt(SAFE)
    ? new Decimal(Number(big), undefined, scale)
    : new Decimal(NaN, big, scale);
}

/** Returns the exact value of a finite double: m × 2^e with a negative e is m × 5^-e × 10^e. */
export function fromNumber(value: number): Decimal {
  if (Number.isInteger(value)) {
    return fromUnits(Number.isSafeInteger(value) ? value : BigInt(value), 0);
  }
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a decimal number`);
  let mantissa = value;
  let scale = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    scale++;
  }
  return fromUnits(BigInt(mantissa) * 5n ** BigInt(scale), scale);
}

/** Counts decimals without trailing zeros; negative for zeros before the point (300 has -2). */
export function countDecimals(a: Decimal): number {
  if (getSign(a) === 0) return 0;
  let { scale } = a;
  for (let units = getUnits(a); units % 10n === 0n; units /= 10n) scale--;
  return scale;
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) {
    const sum = a.small + b.small;
    if (isSafe(sum)) return new Decimal(sum, undefined, a.scale);
  }
  const scale = Math.max(a.scale, b.scale);
  const x = scaledSmall(a, scale);
  const y = scaledSmall(b, scale);
  const sum = x + y;
  if (isSafe(x) && isSafe(y) && isSafe(sum)) return new Decimal(sum, undefined, scale);
  return fromUnits(scaledBig(a, scale) + scaledBig(b, scale), scale);
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, negate(b));
}

export function negate(a: Decimal): Decimal {
  return a.big === undefined
    ? new Decimal(a.small === 0 ? 0 : -a.small, undefined, a.scale)
    : fromUnits(-a.big, a.scale);
}

export function abs(a: Decimal): Decimal {
  return getSign(a) < 0 ? negate(a) : a;
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const product = a.small * b.small;
  const scale = a.scale + b.scale;
  if (isSafe(product)) {
    return new Decimal(product === 0 ? 0 : product, undefined, scale);
  }
  return fromUnits(getUnits(a) * getUnits(b), scale);
}

/** Divides exactly if the quotient ends within this number of decimals; otherwise rounds half away from zero. */
export function divide(
  a: Decimal,
  b: Decimal,
  digits = Math.max(QUOTIENT_DIGITS, a.scale, b.scale),
): Decimal {
  const dividend = getUnits(a) * power(digits + b.scale);
  const divisor = getUnits(b) * power(a.scale);
  if (divisor === 0n) throw new RangeError(`${a} cannot be divided by zero`);
  return trim(fromUnits(roundedQuotient(dividend, divisor, "half-away"), digits));
}

/** Returns the quotient without its fraction (toward zero), like `idiv`. */
export function integerQuotient(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const divisor = scaledBig(b, scale);
  if (divisor === 0n) throw new RangeError(`${a} cannot be divided by zero`);
  return fromUnits(scaledBig(a, scale) / divisor, 0);
}

/** Returns the remainder of `integerQuotient`, with the sign of `a`. */
export function remainder(a: Decimal, b: Decimal): Decimal {
  return subtract(a, multiply(integerQuotient(a, b), b));
}

/** Returns a negative number, zero or a positive one, as `a` is less than, equal to or greater than `b`. */
export function compare(a: Decimal, b: Decimal): number {
  if (a.scale === b.scale && a.big === undefined && b.big === undefined) return a.small - b.small;
  const scale = Math.max(a.scale, b.scale);
  const x = scaledSmall(a, scale);
  const y = scaledSmall(b, scale);
  if (isSafe(x) && isSafe(y)) return x - y;
  const p = scaledBig(a, scale);
  const q = scaledBig(b, scale);
  return p < q ? -1 : p > q ? 1 : 0;
}

export function equals(a: Decimal, b: Decimal): boolean {
  return compare(a, b) === 0;
}

export function getSign(a: Decimal): number {
  return a.big === undefined ? Math.sign(a.small) : a.big < 0n ? -1 : 1;
}

/**
 * Rounding mode. Ties round `half-away` from zero (commercial rounding), `half-even`, or `half-up` toward
 * positive infinity (fn:round of XPath). `floor`, `ceiling` and `truncate` are directions.
 */
export type Rounding = "half-away" | "half-even" | "half-up" | "floor" | "ceiling" | "truncate";

/** Keeps `places` digits behind the point; negative places round to tens, hundreds and so on. */
export function round(a: Decimal, places = 0, rounding: Rounding = "half-away"): Decimal {
  if (a.scale <= places) return a;
  const drop = a.scale - places;
  if (rounding === "half-up" && drop < 16 && a.big === undefined) {
    const units = Math.floor(a.small / getPower(drop) + 0.5);
    if (places >= 0 && Math.abs(a.small) < 1e14) {
      return new Decimal(units === 0 ? 0 : units, undefined, places);
    }
  }
  const units = roundedQuotient(getUnits(a), power(drop), rounding);
  return places >= 0 ? fromUnits(units, places) : fromUnits(units * power(-places), 0);
}

export function sum(values: Iterable<Decimal>): Decimal {
  let total = ZERO;
  for (const value of values) total = add(total, value);
  return total;
}

/** Formats the shortest form: no exponent, no trailing zero after the point, no point without digits after it. */
export function formatDecimal(a: Decimal): string {
  const units = a.big === undefined
    ? String(Math.abs(a.small))
    : String(a.big < 0n ? -a.big : a.big);
  const sign = getSign(a) < 0 ? "-" : "";
  if (a.scale === 0) return sign + units;
  const digits = units.padStart(a.scale + 1, "0");
  const whole = digits.slice(0, digits.length - a.scale);
  const fraction = digits.slice(digits.length - a.scale).replace(/0+$/, "");
  return fraction === "" ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Formats with exactly `places` decimals (rounded half away from zero), as amounts are written. */
export function toFixed(a: Decimal, places: number): string {
  const [whole = "0", fraction = ""] = formatDecimal(round(a, places)).split(".");
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, "0")}`;
}

/** Returns the nearest double; for display and xs:double only. */
export function toNumber(a: Decimal): number {
  if (a.big === undefined && a.scale < 16) return a.small / getPower(a.scale);
  return Number(formatDecimal(a));
}

export function isInteger(a: Decimal): boolean {
  return a.scale === 0 || getUnits(a) % power(a.scale) === 0n;
}

function isSafe(units: number): boolean {
  return units <= SAFE && units >= -SAFE;
}

function getUnits(a: Decimal): bigint {
  return a.big ?? BigInt(a.small);
}

function getPower(exponent: number): number {
  return POWERS[exponent] ?? NaN;
}

function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

function scaledSmall(a: Decimal, scale: number): number {
  return scale === a.scale ? a.small : a.small * getPower(scale - a.scale);
}

function scaledBig(a: Decimal, scale: number): bigint {
  return getUnits(a) * power(scale - a.scale);
}

function trim(a: Decimal): Decimal {
  let { small, scale } = a;
  if (a.big !== undefined) {
    let big = a.big;
    for (; scale > 0 && big % 10n === 0n; scale--) big /= 10n;
    return fromUnits(big, scale);
  }
  for (; scale > 0 && small % 10 === 0; scale--) small /= 10;
  return new Decimal(small === 0 ? 0 : small, undefined, scale);
}

function roundedQuotient(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  if (rest === 0n) return quotient;
  const negative = (dividend < 0n) !== (divisor < 0n);
  const away = quotient + (negative ? -1n : 1n);
  if (rounding === "truncate") return quotient;
  if (rounding === "floor") return negative ? away : quotient;
  if (rounding === "ceiling") return negative ? quotient : away;
  const twice = 2n * (rest < 0n ? -rest : rest);
  const size = divisor < 0n ? -divisor : divisor;
  if (twice !== size) return twice > size ? away : quotient;
  if (rounding === "half-away") return away;
  if (rounding === "half-up") return negative ? quotient : away;
  return quotient % 2n === 0n ? quotient : away;
}
