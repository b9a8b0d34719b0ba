import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { compareInvoices, type Difference, type InvoiceDocument } from "#src/domain/ubl/mod.ts";
import {
  findInvoiceXml,
  type InvoiceRow,
  isRejectedPiece,
  sentDigests,
} from "#src/gateway/invoices/mod.ts";
import { locateCopies } from "#src/gateway/submission/mod.ts";
import { readContent } from "#src/gateway/validation/mod.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { truncateText } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";
import { isSameElement, parseXml } from "#src/xml/mod.ts";
import type { ValidatedItem } from "./validate_item.ts";

/**
 * Decision about an invoice whose key is recorded. `unchanged`: the stored file has the same bytes. `exists`: it has other
 * bytes, and only `replaceMode` would replace it. `held`: the PA has it with other bytes. `completed`: an ERP document
 * that could not be transformed is recorded, and becomes this invoice.
 */
export type Fate = "completed" | "exists" | "held" | "replaced" | "unchanged";

/** Returns true if the invoice replaces the existing record. */
export function isOverwritten(fate: Fate | undefined): boolean {
  return fate === "completed" || fate === "replaced";
}

/**
 * Decides about invoices that exist, for an import and for its preview. `sent` holds the digest of the file each would be
 * sent as now, by key.
 */
export async function decideExisting(
  db: Db,
  existing: readonly InvoiceRow[],
  { sent, replaceMode }: { sent: ReadonlyMap<string, string>; replaceMode: boolean },
): Promise<{ fates: Map<number, Fate>; waiting: number[] }> {
  const copies = await locateCopies(db, existing);
  // With `replaceMode` an invoice without a copy is replaced by the same bytes too: the rules may have changed.
  const compared = existing.filter((it) => !replaceMode || copies.get(it.id) !== "none");
  const digests = await sentDigests(db, compared.map((it) => it.id));
  const fates = new Map<number, Fate>();
  const waiting: number[] = [];
  for (const it of existing) {
    const copy = copies.get(it.id);
    const isSame = digests.has(it.id) && digests.get(it.id) === sent.get(formatInvoiceKey(it));
    if (isRejectedPiece(it)) fates.set(it.id, "completed");
    else if (isSame) fates.set(it.id, "unchanged");
    else if (copy === "held") fates.set(it.id, "held");
    else fates.set(it.id, replaceMode ? "replaced" : "exists");
    if (copy === "waiting" && fates.get(it.id) === "replaced") waiting.push(it.id);
  }
  return { fates, waiting };
}

/** The outcome of an invoice that is recorded with the same content. */
export function describeUnchanged({ status }: InvoiceRow): { state: ItemState; message: Sentence } {
  return { state: "unchanged", message: say`already recorded, unchanged (${nameStatus(status)})` };
}

/** Invoice that stays as it is recorded, while the file has other bytes. */
export interface Kept {
  readonly existing: InvoiceRow;
  /** The PA has it, so nothing may replace it. */
  readonly isHeld: boolean;
}

/** Limit above which documents are compared by bytes only, because a comparison would block other work. */
const MAX_COMPARED = 1024 * 1024;

/**
 * Returns the outcome of an invoice that stays, when its file has other bytes. `unchanged` when only the XML form
 * differs, otherwise `conflict` with the differences and the next step.
 */
export async function compareKept(
  deps: Pick<Deps, "db" | "rules">,
  { existing, isHeld }: Kept,
  { invoice, produced: { ubl } }: ValidatedItem,
): Promise<{ state: ItemState; message: Sentence }> {
  const stored = await findInvoiceXml(deps.db, existing.id);
  if (stored && isSameXml(stored.content, ubl)) return describeUnchanged(existing);
  const { invoice: before } = stored ? await readContent(deps, stored.content) : {};
  const what = summarizeDifferences(before, invoice);
  const status = nameStatus(existing.status);
  const message = isHeld
    ? say`The PA holds this invoice (${status}) with other content; it is not replaced. Differences: ${what}. To correct it, issue a credit note (381) or a corrective invoice (384)`
    : say`This invoice is recorded (${status}) with other content; it is not replaced. Differences: ${what}. To replace it, import the file again with “Replace invoices not sent yet”`;
  return { state: "conflict", message };
}

/**
 * Returns the outcome of an invoice whose key an earlier invoice of the same file has. The import would record only the
 * earlier one.
 */
export function compareRepeated(
  { produced: { ubl: before }, invoice: earlier, item: { line } }: ValidatedItem,
  { produced: { ubl }, invoice }: ValidatedItem,
): { state: ItemState; message: Sentence } {
  if (isSameXml(before, ubl)) {
    return { state: "unchanged", message: say`twice in the file, see line ${line}` };
  }
  const what = summarizeDifferences(earlier, invoice);
  const message =
    say`This invoice is twice in the file, with other content in line ${line}; only that one is imported. Differences: ${what}`;
  return { state: "conflict", message };
}

function summarizeDifferences(
  before: InvoiceDocument | undefined,
  after: InvoiceDocument,
): Sentence | Sentence[] {
  if (!before) return say`the recorded document cannot be read as an invoice`;
  const differences = describe(compareInvoices(before, after));
  return differences.length ? differences : say`content outside EN 16931`;
}

function isSameXml(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.max(a.length, b.length) > MAX_COMPARED) return false;
  return isSameElement(parseXml(a).root, parseXml(b).root);
}

const MAX_SHOWN = 8;
const MAX_VALUE_LENGTH = 80;

function describe(differences: readonly Difference[]): Sentence[] {
  const shown = differences.slice(0, MAX_SHOWN).map(({ what, before, after, isNumber }) => {
    const show = isNumber ? showNumber : shortenText;
    return say`${what} ${show(before)} → ${show(after)}`;
  });
  const more = differences.length - shown.length;
  return more > 0 ? [...shown, say`${more} more`] : shown;
}

function shortenText(value: string | undefined): string {
  return value === undefined ? "–" : truncateText(value, MAX_VALUE_LENGTH);
}

/** Writes a number as readers of each language do. Other texts stay as they are. */
function showNumber(value: string | undefined): Sentence {
  const short = shortenText(value);
  const [, sign = "", whole = "", , rest = ""] = /^([+-]?)(\d+)(\.(\d+))?$/.exec(short) ?? [];
  if (whole === "") return say`${short}`;
  const group = (by: string) => sign + whole.replace(/\B(?=(\d{3})+$)/g, by);
  return say`${{
    fr: group("\u202F") + (rest && `,${rest}`),
    en: group(",") + (rest && `.${rest}`),
  }}`;
}

function nameStatus(status: string): Sentence {
  return say`${{ fr: statusLabel(status, "fr"), en: statusLabel(status, "en") }}`;
}
