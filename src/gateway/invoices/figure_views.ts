import { and, inArray, isNotNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import { invoices, invoiceVat } from "#drizzle/schema/mod.ts";
import { settledStatuses, UNCOUNTED_STATUSES } from "#src/domain/finance/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import type { Role } from "#src/domain/treatment/mod.ts";
import { hasRole } from "./role_views.ts";

/** Selects the invoices that count in figures. Others are not sent, not confirmed, or without effect. */
export const IS_COUNTED = notInArray(invoices.status, [...UNCOUNTED_STATUSES]);

/** Returns an amount with a minus for credit notes, whose amounts are positive as written. */
export function withSign(amount: SQL): SQL {
  const isCredit = inArray(invoices.invoiceType, [...CREDIT_NOTES]);
  return sql`case when ${isCredit} then -abs(${amount}) else ${amount} end`;
}

const DUE = withSign(sql`coalesce(${invoices.amountDue}, ${invoices.totalTTC}, 0)`);
const SETTLED = sql`coalesce(${invoices.settledAmount}, 0)`;

/** Amount that is still to be paid, in the invoice's currency; negative for a credit note, never beyond zero. */
export const OPEN_AMOUNT = sql`case when ${DUE} < 0 then least(0, ${DUE} + abs(${SETTLED}))
  else greatest(0, ${DUE} - ${SETTLED}) end`;

/** Selects the invoices with an open amount: they count, and are not settled or only in part. */
export const IS_OPEN: SQL = sql`(${
  and(
    IS_COUNTED,
    sql`${invoices.treatment} is distinct from 'ARCHIVEONLY'`,
    or(isUnsettled("seller"), isUnsettled("buyer")),
    sql`${OPEN_AMOUNT} <> 0`,
  )
})`;

function isUnsettled(role: Role): SQL | undefined {
  const isPending = notInArray(invoices.status, [...settledStatuses(role)]);
  return and(hasRole(role), or(isPending, isNotNull(invoices.settledAmount)));
}

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
