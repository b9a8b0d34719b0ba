import type { ChartPlan } from "#src/ports/chart_painter.ts";

const STYLES = new Set(["decimal", "percent", "currency"]);

/** Returns a number as the language and the format of the chart write it. */
export function createNumberFormat(
  { language, format = {} }: Pick<ChartPlan, "language" | "format">,
): (value: number) => string {
  const { style, currency, notation } = format;
  const least = limit(format["fraction_digits"] ?? format["minimum_fraction_digits"]);
  const most = limit(format["fraction_digits"] ?? format["maximum_fraction_digits"]);
  const wanted = typeof style === "string" && STYLES.has(style) ? style : "decimal";
  const isMoney = wanted === "currency" && typeof currency === "string" &&
    /^[A-Za-z]{3}$/.test(currency);
  const options: Intl.NumberFormatOptions = {
    style: wanted === "currency" && !isMoney ? "decimal" : wanted as "decimal",
    ...isMoney && { currency: String(currency) },
    ...notation === "compact" && { notation },
    // Ticks are round numbers: cents are written where there are any.
    minimumFractionDigits: least ?? 0,
    maximumFractionDigits: Math.max(least ?? 0, most ?? 2),
  };
  const locale = language === "fr" ? "fr-FR" : "en-GB";
  const written = new Intl.NumberFormat(locale, options);
  if (least !== undefined || most !== undefined) return (value) => written.format(value);
  // Numbers below one cent show their first digits.
  const { minimumFractionDigits: _, maximumFractionDigits: __, ...rest } = options;
  const small = new Intl.NumberFormat(locale, { ...rest, maximumSignificantDigits: 2 });
  return (value) => (Math.abs(value) < 0.1 ? small : written).format(value);
}

function limit(digits: unknown): number | undefined {
  const number = Number(digits);
  return digits === undefined || !Number.isInteger(number)
    ? undefined
    : Math.min(10, Math.max(0, number));
}
