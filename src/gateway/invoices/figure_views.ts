import { and, inArray, isNotNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import { invoices, invoiceVat } from "#drizzle/schema/mod.ts";
import { settledStatuses, UNCOUNTED_STATUSES } from "#src/domain/finance/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { hasRole } from "./role_views.ts";

/** Selects the invoices that count in figures. Others are not sent, not confirmed, or without effect. */
export const IS_COUNTED = notInArray(invoices.status, [...UNCOUNTED_STATUSES]);

/** An archived credit note undoes an invoice that does not count. */
const IS_NOT_ARCHIVED = sql`${invoices.treatment} is distinct from 'ARCHIVEONLY'`;

/** Selects the sales that count in figures. */
export const IS_COUNTED_SALE = and(IS_COUNTED, hasRole("seller"), IS_NOT_ARCHIVED);

const IS_CREDIT_NOTE = inArray(invoices.invoiceType, [...CREDIT_NOTES]);

const TOTAL = sql`coalesce(${invoices.totalTTC}, 0)`;

/** Total with VAT; negative for credit notes, whose amounts are positive as written. */
export const SIGNED_TOTAL: SQL =
  sql`case when ${IS_CREDIT_NOTE} then -abs(${TOTAL}) else ${TOTAL} end`;

const DUE = sql`coalesce(${invoices.amountDue}, ${invoices.totalTTC}, 0)`;
const SETTLED = sql`abs(coalesce(${invoices.settledAmount}, 0))`;

/** Amount of an open invoice that is still to be paid, in its currency; negative for a credit note. */
export const OPEN_AMOUNT = sql`case
  when ${DUE} < 0 or ${IS_CREDIT_NOTE} then ${SETTLED} - abs(${DUE}) else ${DUE} - ${SETTLED} end`;

/** Selects the invoices with an open amount: they count, and are not settled or only in part. */
export const IS_OPEN: SQL = sql`(${
  and(
    IS_COUNTED,
    or(
      notInArray(invoices.status, [...settledStatuses("buyer")]),
      isNotNull(invoices.settledAmount),
      and(notInArray(invoices.status, [...settledStatuses("seller")]), hasRole("seller")),
    ),
    sql`abs(${DUE}) > ${SETTLED}`,
    IS_NOT_ARCHIVED,
  )
})`;

/** Category (BT-118) and rate of VAT entries. */
export interface VatChoice {
  readonly category: string;
  readonly rate: string;
}

/** Selects the invoices with VAT of a category and rate. */
export function hasVat({ category, rate }: VatChoice): SQL {
  return sql`exists (select from ${invoiceVat} where ${invoiceVat.invoiceId} = ${invoices.id}
    and coalesce(${invoiceVat.taxCategory}, '') = ${category}
    and coalesce(${invoiceVat.taxRate}, 0) = ${rate}::numeric)`;
}
