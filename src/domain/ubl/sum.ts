/** Exact sum of decimal texts, with as many decimals as the most precise of them; "0" for none. */
export function sumOf(amounts: readonly string[]): string {
  const scale = Math.max(0, ...amounts.map((amount) => fractionOf(amount).length));
  const units = amounts.reduce((sum, amount) => sum + unitsOf(amount, scale), 0n);
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? "" : `.${digits.slice(-scale)}`;
  return `${units < 0n ? "-" : ""}${whole}${fraction}`;
}

function unitsOf(amount: string, scale: number): bigint {
  const [whole = ""] = amount.replace(/^[+-]/, "").split(".");
  const units = BigInt(`${whole}${fractionOf(amount).padEnd(scale, "0")}` || "0");
  return amount.startsWith("-") ? -units : units;
}

function fractionOf(amount: string): string {
  return amount.split(".")[1] ?? "";
}
