import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { compareInvoices, type Difference } from "#src/domain/ubl/mod.ts";
import { findInvoiceXml, type InvoiceRow, sentDigests } from "#src/gateway/invoices/mod.ts";
import { locateCopies } from "#src/gateway/submission/mod.ts";
import { readContent } from "#src/gateway/validation/mod.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { truncateText } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";
import { isSameElement, parseXml } from "#src/xml/mod.ts";
import type { ValidatedItem } from "./validate_item.ts";

/**
 * Decision about an invoice whose key is recorded. `unchanged`: the stored file has the same bytes. `exists`: it has other
 * bytes, and only `replaceMode` would replace it. `held`: the PA has it with other bytes.
 */
export type Fate = "exists" | "held" | "replaced" | "unchanged";

/** Decides about invoices that exist. `sent` holds the digest of the file each would be sent as now, by key. */
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
    if (isSame) fates.set(it.id, "unchanged");
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
  const differences = before ? describe(compareInvoices(before, invoice)) : [];
  const what = differences.length ? differences : say`content outside EN 16931`;
  const status = nameStatus(existing.status);
  const message = isHeld
    ? say`The PA holds this invoice (${status}) with other content; it is not replaced. Differences: ${what}. To correct it, issue a credit note (381) or a corrective invoice (384)`
    : say`This invoice is recorded (${status}) with other content; it is not replaced. Differences: ${what}. To replace it, import the file again with “Replace invoices not sent yet”`;
  return { state: "conflict", message };
}

function isSameXml(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.max(a.length, b.length) > MAX_COMPARED) return false;
  return isSameElement(parseXml(a).root, parseXml(b).root);
}

const MAX_SHOWN = 8;
const MAX_VALUE_LENGTH = 80;

function describe(differences: readonly Difference[]): Sentence[] {
  const shown = differences.slice(0, MAX_SHOWN).map(({ what, before, after }) =>
    say`${what} ${shortenText(before)} → ${shortenText(after)}`
  );
  const more = differences.length - shown.length;
  return more > 0 ? [...shown, say`${more} more`] : shown;
}

function shortenText(value: string | undefined): string {
  return value === undefined ? "–" : truncateText(value, MAX_VALUE_LENGTH);
}

function nameStatus(status: string): Sentence {
  const label = { fr: statusLabel(status, "fr"), en: statusLabel(status, "en") };
  return say`${status} ${label}`;
}
