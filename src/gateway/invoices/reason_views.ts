import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { reasonLabel } from "#src/domain/invoice/reasons.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { Language } from "#src/kernel/language.ts";
import { type Db, getRows } from "#src/ports/db.ts";

/** Reason of a status, as stored: the first blocking finding, or the last event with this status. */
export interface StoredReason {
  readonly code: string | null;
  readonly en: string;
  readonly fr: string | null;
}

/**
 * Selects the reason of a status that asks somebody to act: rejected by the rules, refused by the PA, disputed,
 * suspended, refused or partly approved. It reads one row of an invoice with such a status, and nothing of others.
 */
export const STATUS_REASON: SQL = sql.raw(`case
  when invoices.status = '9907' then (
    select json_build_object('code', null, 'en', message_en, 'fr', message) from findings
    where invoice_id = invoices.id and level in ('FATAL', 'ERROR') order by level = 'ERROR', seq limit 1)
  when invoices.status in ('9904', '206', '207', '208', '210', '213', '501') then (
    select json_build_object('code', reason_code, 'en', message, 'fr', message_fr) from lifecycle_events
    where invoice_id = invoices.id and status_code = invoices.status order by seq desc limit 1)
  end`);

/** Returns the reason in a sentence: the label of its code, then the message; null without either. */
export function reasonText(reason: StoredReason | null, language: Language): string | null {
  if (!reason) return null;
  const label = reason.code ? reasonLabel(reason.code, language) : "";
  const message = language === "fr" ? reason.fr ?? reason.en : reason.en;
  // A PA's own code has no label, and its message may begin with it.
  if (label === reason.code && message.startsWith(label)) return message;
  const texts = [label, message === label || message === reason.code ? "" : message];
  return texts.filter(Boolean).join(language === "fr" ? " : " : ": ") || null;
}

/** Returns the reason of the status of one invoice, in a sentence and as its code. */
export async function readStatusReason(
  db: Db,
  invoiceId: number,
  language: Language,
): Promise<{ statusReason: string | null; statusReasonCode: string | null }> {
  const [row] = getRows<{ reason: StoredReason | null }>(
    await db.execute(sql`select ${STATUS_REASON} as reason from invoices where id = ${invoiceId}`),
  );
  const reason = row?.reason ?? null;
  return { statusReason: reasonText(reason, language), statusReasonCode: reason?.code ?? null };
}

/** Returns the invoices whose sending failed because the PA has their number already. */
export async function findDuplicates(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (!ids.length) return new Set();
  const rows = await db.select({ id: invoices.id }).from(invoices).where(and(
    inArray(invoices.id, [...ids]),
    eq(invoices.status, STATUS.sendFailed),
    sql`(${STATUS_REASON})->>'code' = 'DOUBLON'`,
  ));
  return new Set(rows.map(({ id }) => id));
}
