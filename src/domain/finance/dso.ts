import {
  compare,
  decimal,
  divide,
  multiply,
  parseDecimal,
  round,
  toNumber,
  ZERO,
} from "#src/kernel/decimal.ts";

/** Days of sales that the figure compares with the open amounts. */
export const DSO_DAYS = 90;

/**
 * Computes the days sales outstanding: open sales ÷ sales of the last `DSO_DAYS` days × `DSO_DAYS`, with one decimal.
 * Null without sales, and where credit notes exceed the open amount.
 */
export function computeDso(receivables: string, sales: string): number | null {
  const [open, sold] = [parseDecimal(receivables) ?? ZERO, parseDecimal(sales) ?? ZERO];
  if (compare(sold, ZERO) <= 0 || compare(open, ZERO) < 0) return null;
  return toNumber(round(divide(multiply(open, decimal(String(DSO_DAYS))), sold), 1));
}
