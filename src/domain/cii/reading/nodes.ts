import { parseDecimal } from "#src/kernel/decimal.ts";
import type { Identifier } from "#src/domain/ubl/mod.ts";
import type { XmlElement } from "#src/xml/mod.ts";
import { CII_NAMESPACES } from "../namespaces.ts";

const { ram, rsm, udt, qdt } = CII_NAMESPACES;

/** A place in the tree that may be absent: reading below an absent place yields undefined, never an error. */
export type CiiNode = XmlElement | undefined;

/** Returns the first element along the path of names. The message's own parts are in `rsm`, all others in `ram`. */
export function at(place: CiiNode, ...names: readonly string[]): CiiNode {
  return names.reduce((found, name) => found?.child(ram, name) ?? found?.child(rsm, name), place);
}

export function all(place: CiiNode, name: string): readonly XmlElement[] {
  return place?.childrenNamed(ram, name) ?? [];
}

/** Returns text without surrounding white space; undefined if it is empty. */
export function text(place: CiiNode, ...names: readonly string[]): string | undefined {
  return at(place, ...names)?.text.trim() || undefined;
}

/** Returns the text of a decimal as written (xs:decimal: no exponent, no grouping), else undefined. */
export function decimal(place: CiiNode, ...names: readonly string[]): string | undefined {
  const written = text(place, ...names);
  return written !== undefined && parseDecimal(written) !== undefined ? written : undefined;
}

export function attribute(place: CiiNode, name: string): string | undefined {
  return place?.attr(name)?.trim() || undefined;
}

/** Returns an identifier and its scheme. */
export function findIdentifier(place: CiiNode): Identifier | undefined {
  const value = text(place);
  return value === undefined ? undefined : { value, scheme: attribute(place, "schemeID") };
}

const DIGITS = /^(\d{4})(\d{2})(\d{2})$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:T.*|Z|[+-]\d{2}:\d{2})?$/;

/**
 * Returns a date of the calendar as `yyyy-MM-dd`, written as eight digits (format 102) or as an XML date or
 * instant.
 */
export function date(place: CiiNode, ...names: readonly string[]): string | undefined {
  const holder = at(place, ...names);
  const written = (holder?.child(udt, "DateTimeString") ?? holder?.child(qdt, "DateTimeString") ??
    holder?.child(udt, "DateString") ?? holder?.child(udt, "DateTime") ??
    holder?.child(udt, "Date"))
    ?.text.trim() ?? "";
  const [, year, month, day] = DIGITS.exec(written) ?? ISO.exec(written) ?? [];
  const iso = `${year}-${month}-${day}`;
  const time = Date.parse(`${iso}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? undefined : iso;
}

/** Reads a `udt:Indicator`: true or 1. */
export function isTrue(place: CiiNode): boolean {
  return ["true", "1"].includes(place?.child(udt, "Indicator")?.text.trim() ?? "");
}

export function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}
