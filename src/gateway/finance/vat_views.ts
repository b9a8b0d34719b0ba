import { sql } from "drizzle-orm";
import {
  BOOKS_CURRENCY,
  type SummedForeign,
  type SummedVat,
  UNCOUNTED_STATUSES,
} from "#src/domain/finance/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

/** Days of the invoices to sum, both included. `from` begins the period; earlier invoices are for the comparison. */
export interface SummedDays {
  readonly since: string;
  readonly from: string;
  readonly to: string;
}

/** True if the invoices are of the period and not of the one before. */
interface InPeriod {
  readonly isNow: boolean;
}

/** Invoices that do not count, summed. */
export interface SummedUncounted {
  readonly direction: "issued" | "received";
  readonly invoiceType: string | null;
  readonly isNegative: boolean;
  readonly status: string;
  readonly currency: string;
  readonly invoices: number;
  readonly base: string | null;
  readonly vat: string | null;
}

const CODES = sql.param([...UNCOUNTED_STATUSES]);

/** Memory for the sums of a year, which would be written to disk with the server's default. */
const MEMORY = sql`set local work_mem = '64MB'`;

/**
 * Sums the VAT entries in EUR of the invoices that count. Sums by day come first, since grouping a million entries by a
 * computed month takes longer.
 */
export function sumVat(
  db: Db,
  { since, from, to }: SummedDays,
): Promise<readonly (InPeriod & SummedVat)[]> {
  return db.transaction(async (tx) => {
    await tx.execute(MEMORY);
    return getRows<InPeriod & SummedVat>(
      await tx.execute(sql`
        select to_char(day, 'YYYY-MM') as month, day >= ${from}::date as "isNow", direction,
          invoice_type as "invoiceType", is_negative as "isNegative", treatment,
          is_on_receipt as "isOnReceipt", category, rate, sum(invoices)::int as invoices,
          sum(base) as base, sum(vat) as vat
        from (
          select i.issue_date as day, i.direction, i.invoice_type, i.total_ttc < 0 as is_negative,
            i.treatment, coalesce(i.vat_on_receipt, false) as is_on_receipt,
            v.tax_category as category, v.tax_rate as rate, count(*) as invoices,
            sum(v.taxable_amount) as base, sum(v.tax_amount) as vat
          from invoice_vat v join invoices i on i.id = v.invoice_id
          where i.issue_date between ${since} and ${to} and i.currency = ${BOOKS_CURRENCY}
            and i.status <> all(${CODES})
          group by 1, 2, 3, 4, 5, 6, 7, 8
        ) by_day
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9`),
    );
  });
}

/** Sums the invoices in other currencies that count, with the VAT that they state in EUR. */
export async function sumForeign(
  db: Db,
  { since, from, to }: SummedDays,
): Promise<readonly (InPeriod & SummedForeign)[]> {
  return getRows<InPeriod & SummedForeign>(
    await db.execute(sql`
      select to_char(issue_date, 'YYYY-MM') as month, issue_date >= ${from}::date as "isNow",
        direction, invoice_type as "invoiceType", total_ttc < 0 as "isNegative", treatment, currency,
        count(*)::int as invoices, sum(total_ht) as base, sum(total_vat) as vat,
        count(tax_total) filter (where tax_currency = ${BOOKS_CURRENCY})::int as "statedInvoices",
        sum(tax_total) filter (where tax_currency = ${BOOKS_CURRENCY}) as "statedVat"
      from invoices
      where issue_date between ${since} and ${to} and currency <> ${BOOKS_CURRENCY}
        and status <> all(${CODES})
      group by 1, 2, 3, 4, 5, 6, 7`),
  );
}

/** Sums the invoices of the period that do not count. */
export async function sumUncounted(
  db: Db,
  { from, to }: SummedDays,
): Promise<readonly SummedUncounted[]> {
  return getRows<SummedUncounted>(
    await db.execute(sql`
      select direction, invoice_type as "invoiceType", coalesce(total_ttc < 0, false) as "isNegative",
        status, coalesce(currency, ${BOOKS_CURRENCY}) as currency, count(*)::int as invoices,
        sum(total_ht) as base, sum(total_vat) as vat
      from invoices
      where issue_date between ${from} and ${to} and status = any(${CODES})
      group by 1, 2, 3, 4, 5`),
  );
}
