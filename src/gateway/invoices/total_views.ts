import { sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { withTimeout } from "#src/platform/lists/list.ts";
import { settledStatuses } from "#src/domain/finance/mod.ts";
import { isPaidShare } from "#src/domain/invoice/paid_label.ts";
import { IS_OPEN, OPEN_AMOUNT, SIGNED_TOTAL } from "./figure_views.ts";
import { type InvoiceFilter, matching } from "./filter_views.ts";

/** Invoices that a sum covers at most. */
export const MAX_SUMMED = 20_000;
/** A sum is an extra of the list: it gives way when it takes longer. */
const MAX_MS = 300;

interface CurrencyTotal {
  readonly currency: string;
  readonly count: number;
  /** Decimal text; credit notes count negative. */
  readonly totalTTC: string;
  /** Part of it that is still to be paid; only if the filter selects open or paid invoices. */
  readonly openAmount?: string;
}

/**
 * Adds up the invoices that match a filter, by currency, at most `MAX_SUMMED` of them. `isCapped` tells that more match.
 * The totals are null if the database needs too long.
 */
export async function sumInvoices(
  db: Db,
  filter: InvoiceFilter,
  most = MAX_SUMMED,
): Promise<{ totals: CurrencyTotal[] | null; isCapped: boolean }> {
  const rows = db.select({
    currency: sql<string>`coalesce(${invoices.currency}, '')`.as("currency"),
    amount: SIGNED_TOTAL.as("amount"),
    open: sql`case when ${IS_OPEN} then ${OPEN_AMOUNT} else 0 end`.as("open"),
    n: sql<number>`row_number() over ()`.as("n"),
  }).from(invoices).where(matching(filter)).limit(most + 1).as("it");
  const query =
    sql`select currency, (count(*) filter (where n <= ${most}))::int as count, trim_scale(coalesce(sum(amount) filter (where n <= ${most}), 0))::text as "totalTTC", trim_scale(coalesce(sum(open) filter (where n <= ${most}), 0))::text as "openAmount", max(n)::int as last
    from ${rows} group by currency order by count(*) desc, currency`;
  try {
    const found = await withTimeout(
      db,
      async (tx) => getRows<Required<CurrencyTotal> & { last: number }>(await tx.execute(query)),
      MAX_MS,
    );
    const totals = found.map(({ currency, count, totalTTC, openAmount }) => ({
      currency,
      count,
      totalTTC,
      ...isPaidInPart(filter) && { openAmount },
    }));
    return { totals, isCapped: found.some(({ last }) => last > most) };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "overdue")) throw error;
    return { totals: null, isCapped: true };
  }
}

/** Returns true for a filter that may select invoices paid in part. */
function isPaidInPart({ open, status }: InvoiceFilter): boolean {
  const isPaid = (it: string) => isPaidShare(it) || settledStatuses("buyer").includes(it);
  return open === true || status?.some(isPaid) === true;
}
