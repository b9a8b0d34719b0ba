import { parseDecimal } from "#src/kernel/decimal.ts";
import type { XmlElement } from "#src/xml/mod.ts";
import type { Identifier } from "./model.ts";

const CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
export const CBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";
export const INVOICE = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
export const CREDIT_NOTE = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";

/** A place in the tree that may be absent: reading below an absent place yields undefined, never an error. */
export type UblNode = XmlElement | undefined;

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;

/** Returns the first aggregate along the path of `cac` names. */
export function group(place: UblNode, ...names: readonly string[]): UblNode {
  return names.reduce((at, name) => at?.child(CAC, name), place);
}

export function groups(place: UblNode, name: string): readonly XmlElement[] {
  return place?.childrenNamed(CAC, name) ?? [];
}

export function leaf(place: UblNode, name: string): UblNode {
  return place?.child(CBC, name);
}

/** Returns text without surrounding white space; undefined if it is empty. */
export function text(place: UblNode, name: string): string | undefined {
  return readText(leaf(place, name));
}

export function readText(place: UblNode): string | undefined {
  return place?.text.trim() || undefined;
}

/** Returns the text of a decimal as written (xs:decimal: no exponent, no grouping), else undefined. */
export function decimal(place: UblNode, name: string): string | undefined {
  const written = text(place, name);
  return written !== undefined && parseDecimal(written) !== undefined ? written : undefined;
}

/** Returns a date of the calendar as `yyyy-MM-dd`; the time zone that xs:date allows is dropped. */
export function date(place: UblNode, name: string): string | undefined {
  const parts = DATE.exec(text(place, name) ?? "");
  if (!parts) return undefined;
  const [, year = "", month = "", day = ""] = parts;
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

export function attribute(place: UblNode, name: string): string | undefined {
  return place?.attr(name)?.trim() || undefined;
}

export function identifier(place: UblNode, name: string): Identifier | undefined {
  return readIdentifier(leaf(place, name));
}

export function readIdentifier(place: UblNode): Identifier | undefined {
  const value = readText(place);
  return value === undefined ? undefined : { value, scheme: attribute(place, "schemeID") };
}

/** Checks whether the tax scheme below this position is VAT. */
export function isVat(place: UblNode): boolean {
  return text(group(place, "TaxScheme"), "ID")?.toUpperCase() === "VAT";
}

export function present<T>(value: T | undefined): value is T {
  return value !== undefined;
}
