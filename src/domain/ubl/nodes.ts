import { parseDecimal } from "#src/kernel/decimal.ts";
import type { XmlElement } from "#src/xml/mod.ts";
import type { Identifier } from "./model.ts";

const CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
export const CBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";
export const INVOICE = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
export const CREDIT_NOTE = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";

/** A place in the tree that may be absent: reading below an absent place yields undefined, never an error. */
export type Place = XmlElement | undefined;

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;

/** The first aggregate reached by the `cac` names in turn. */
export function group(place: Place, ...names: readonly string[]): Place {
  return names.reduce((at, name) => at?.child(CAC, name), place);
}

export function groups(place: Place, name: string): readonly XmlElement[] {
  return place?.childrenNamed(CAC, name) ?? [];
}

export function leaf(place: Place, name: string): Place {
  return place?.child(CBC, name);
}

/** Text without surrounding white space; undefined when nothing is left. */
export function text(place: Place, name: string): string | undefined {
  return textOf(leaf(place, name));
}

export function textOf(place: Place): string | undefined {
  return place?.text.trim() || undefined;
}

/** The text of a decimal as written (xs:decimal: no exponent, no grouping), else undefined. */
export function decimal(place: Place, name: string): string | undefined {
  const written = text(place, name);
  return written !== undefined && parseDecimal(written) !== undefined ? written : undefined;
}

/** A date of the calendar as `yyyy-MM-dd`; the time zone that xs:date allows is dropped. */
export function date(place: Place, name: string): string | undefined {
  const parts = DATE.exec(text(place, name) ?? "");
  if (!parts) return undefined;
  const [, year = "", month = "", day = ""] = parts;
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

export function attribute(place: Place, name: string): string | undefined {
  return place?.attr(name)?.trim() || undefined;
}

export function identifier(place: Place, name: string): Identifier | undefined {
  return identifierOf(leaf(place, name));
}

export function identifierOf(place: Place): Identifier | undefined {
  const value = textOf(place);
  return value === undefined ? undefined : { value, scheme: attribute(place, "schemeID") };
}

/** Whether the tax scheme below the place is VAT. */
export function isVat(place: Place): boolean {
  return text(group(place, "TaxScheme"), "ID")?.toUpperCase() === "VAT";
}

export function present<T>(value: T | undefined): value is T {
  return value !== undefined;
}
