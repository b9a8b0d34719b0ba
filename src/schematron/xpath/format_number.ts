import * as decimals from "#src/kernel/decimal.ts";
import { XPathFault } from "./faults.ts";
import { Double, type Numeric } from "./items.ts";
import { formatNumeric, toDecimal } from "./numbers.ts";

/** One half of a picture such as `#,##0.00`, between its literal prefix and suffix. */
interface Picture {
  readonly prefix: string;
  readonly suffix: string;
  readonly least: number;
  readonly group: number;
  readonly fraction: readonly [least: number, most: number];
  /** Factor for the number, as a power of ten: 2 for "%". */
  readonly scale: number;
}

const PARTS = /^([^#0,.]*)([#0,]*)(?:\.([#0]*))?([^#0,.]*)$/;

/** fn:format-number with the default decimal format (XSLT 2.0 §16.4); ties go to even. */
export function formatNumber(value: Numeric, picture: string): string {
  const [positive = "", negative] = picture.split(";");
  const number = value instanceof Double ? value.double : 1;
  if (Number.isNaN(number)) return "NaN";
  const isNegative = formatNumeric(value).startsWith("-");
  const { prefix, suffix, ...form } = readPicture(isNegative && negative ? negative : positive);
  const sign = isNegative && negative === undefined ? "-" : "";
  const digits = Number.isFinite(number)
    ? getDigits(value, { prefix, suffix, ...form })
    : "Infinity";
  return `${sign}${prefix}${digits}${suffix}`;
}

function readPicture(text: string): Picture {
  const parts = PARTS.exec(text);
  const [, prefix = "", whole = "", fraction = "", suffix = ""] = parts ?? [];
  if (
    parts === null || whole + fraction === "" || !/^[#,]*[0,]*$/.test(whole) ||
    !/^0*#*$/.test(fraction)
  ) {
    throw new XPathFault(
      "FODF1310",
      `the picture "${text}" is invalid`,
      `le format « ${text} » n'est pas admis`,
    );
  }
  const comma = whole.lastIndexOf(",");
  const zeros = (part: string) => part.length - part.replaceAll("0", "").length;
  return {
    prefix,
    suffix,
    least: zeros(whole),
    group: comma < 0 ? 0 : whole.length - comma - 1,
    fraction: [zeros(fraction), fraction.length],
    scale: (prefix + suffix).includes("%") ? 2 : (prefix + suffix).includes("\u2030") ? 3 : 0,
  };
}

function getDigits(
  value: Numeric,
  { least, group, fraction: [fewest, most], scale }: Picture,
): string {
  const exact = value instanceof Double
    ? decimals.parseDecimal(String(value.double)) ?? toDecimal(value)
    : toDecimal(value);
  const scaled = decimals.multiply(decimals.abs(exact), decimals.decimal(`${10 ** scale}`));
  const [whole = "0", behind = ""] = String(decimals.round(scaled, most, "half-even")).split(".");
  const padded = (whole === "0" ? "" : whole).padStart(least, "0");
  const shown = padded === "" && most === 0 ? "0" : padded;
  const grouped = group === 0
    ? shown
    : shown.replace(new RegExp(`(?<=\\d)(?=(?:\\d{${group}})+$)`, "g"), ",");
  const decimalsShown = behind.padEnd(fewest, "0");
  return decimalsShown === "" ? grouped : `${grouped}.${decimalsShown}`;
}
