import { equals, parseDecimal } from "#src/kernel/decimal.ts";
import type { Text } from "#src/kernel/i18n/sentence.ts";
import type { InvoiceDocument } from "./model.ts";
import { nameOfField } from "./field_names.ts";

/** A value that two versions of an invoice state differently; undefined where one of them lacks it. */
export interface Difference {
  readonly what: Text;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** The values are numbers with a decimal point. */
  readonly isNumber: boolean;
}

/** Maximum number of differences: documents with little in common need no complete list. */
const MAX = 200;

/** Fields whose texts are numbers: `10` and `10.00` are the same. */
const NUMBERS =
  /(?:[aA]mount|[qQ]uantity|percentage|rate|totals\.\w+|price\.(?:net|discount|gross))$/;

/**
 * Lists where two versions of an invoice differ: totals first, then VAT, parties, dates, lines and everything else. At most
 * 200 are listed. The syntax, UBL or CII, is no difference.
 */
export function compareInvoices(before: InvoiceDocument, after: InvoiceDocument): Difference[] {
  const found: Found[] = [];
  compare({ ...before, syntax: undefined }, { ...after, syntax: undefined }, [], found);
  return found
    .map((it, at) => ({ ...it, at, rank: getRank(it.path) }))
    .sort((a, b) => a.rank - b.rank || a.at - b.at)
    .map(({ path, before, after }) => {
      return { what: nameOfField(path), before, after, isNumber: isNumeric(path) };
    });
}

interface Found {
  readonly path: readonly string[];
  readonly before: string | undefined;
  readonly after: string | undefined;
}

const ORDER = ["totals", "vatBreakdown", "seller", "buyer", "issueDate", "dueDate", "lines"];

function getRank([first = ""]: readonly string[]): number {
  const rank = ORDER.indexOf(first);
  return rank < 0 ? ORDER.length : rank;
}

function compare(a: unknown, b: unknown, path: readonly string[], found: Found[]): void {
  if (a === b || found.length >= MAX) return;
  if (isNode(a) || isNode(b)) {
    const [one, other] = [getParts(a), getParts(b)];
    for (const name of new Set([...one.keys(), ...other.keys()])) {
      compare(one.get(name), other.get(name), [...path, name], found);
    }
    return;
  }
  const [before, after] = [textIn(a), textIn(b)];
  if (!isSame(before, after, path)) found.push({ path, before, after });
}

function isNode(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Returns the parts by name. Entries of a list go by their identifiers where all are distinct, otherwise by position. */
function getParts(value: unknown): ReadonlyMap<string, unknown> {
  if (!isNode(value)) return new Map();
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const ids = value.map((it) => isNode(it) && "id" in it ? textIn(it.id) : undefined);
  const hasOwn = ids.every((it) => it !== undefined) && new Set(ids).size === ids.length;
  return new Map(value.map((it, at) => [hasOwn ? ids[at] ?? "" : String(at + 1), it]));
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function isSame(
  a: string | undefined,
  b: string | undefined,
  path: readonly string[],
): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || !isNumeric(path)) return false;
  const [x, y] = [parseDecimal(a), parseDecimal(b)];
  return x !== undefined && y !== undefined && equals(x, y);
}

function isNumeric(path: readonly string[]): boolean {
  return NUMBERS.test(path.join("."));
}
