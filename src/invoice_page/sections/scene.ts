import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { Words } from "../labels/words.ts";
import type { Sheet } from "../sheet.ts";

/** What every section of the page needs. */
export interface Scene {
  readonly sheet: Sheet;
  readonly invoice: InvoiceDocument;
  readonly words: Words;
}

/** A label and what stands beside it; entries without a value are not shown. */
export type Fact = readonly [label: string, value: string | undefined];

export function known(facts: readonly Fact[]): (readonly [string, string])[] {
  return facts.flatMap(([label, value]) =>
    value === undefined || value === "" ? [] : [[label, value] as const]
  );
}

/** Parts that exist, joined; undefined when there is none. */
export function joined(
  parts: readonly (string | undefined)[],
  separator: string,
): string | undefined {
  return parts.filter((part) => part !== undefined && part !== "").join(separator) || undefined;
}

/** The amount with the other sign, as something deducted is shown; nothing is never signed. */
export function negated(amount: string | undefined): string | undefined {
  if (amount === undefined || Number(amount) === 0) return amount;
  return amount.startsWith("-") ? amount.slice(1) : `-${amount.replace("+", "")}`;
}
