import { and, desc, eq, gte, lte, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { BOOKS_CURRENCY } from "#src/domain/finance/mod.ts";
import {
  hasRole,
  IS_COUNTED_SALE,
  IS_OPEN,
  IS_UNANSWERED,
  OPEN_AMOUNT,
  SIGNED_TOTAL,
} from "#src/gateway/invoices/mod.ts";
import { ZONE } from "#src/platform/exports/mod.ts";
import type { Db } from "#src/ports/db.ts";

const OPEN_SUM = sql<string>`sum(${OPEN_AMOUNT})`;
const COUNT = sql<number>`count(*)::int`;

/** Returns the open amounts by type, currency and due date. */
export function sumOpen(db: Db) {
  const { direction, invoiceType, currency, dueDate } = invoices;
  return db.select({
    direction,
    invoiceType,
    currency,
    dueDate,
    invoices: COUNT,
    amount: OPEN_SUM,
  }).from(invoices).where(IS_OPEN).groupBy(direction, invoiceType, currency, dueDate);
}

/** Returns the customers with the largest open amounts in EUR; a customer is known by number, else by name. */
export function listDebtors(db: Db, limit: number) {
  const { customerRef, customerName, dueDate } = invoices;
  const customer = sql`coalesce(${customerRef}, ${customerName})`;
  return db.select({
    reference: sql<string | null>`max(${customerRef})`,
    name: sql<string | null>`max(${customerName})`,
    invoices: COUNT,
    amount: OPEN_SUM,
    oldestDue: sql<string | null>`min(${dueDate}) filter (where ${OPEN_AMOUNT} > 0)::text`,
  }).from(invoices)
    .where(and(IS_OPEN, hasRole("seller"), eq(invoices.currency, BOOKS_CURRENCY)))
    .groupBy(customer).having(sql`sum(${OPEN_AMOUNT}) > 0`)
    .orderBy(desc(OPEN_SUM), customer).limit(limit);
}

/** Returns the sales with VAT in EUR of these days, less credit notes. */
export async function sumSales(db: Db, { from, to }: { from: string; to: string }) {
  const [row] = await db.select({
    total: sql<string | null>`sum(${SIGNED_TOTAL})`,
  }).from(invoices).where(and(
    gte(invoices.issueDate, from),
    lte(invoices.issueDate, to),
    eq(invoices.currency, BOOKS_CURRENCY),
    IS_COUNTED_SALE,
  ));
  return row?.total ?? "0";
}

/**
 * Counts issued invoices by status, and whether the first submission was the only one. A deposit is in time if it
 * follows the invoice date by one day at most, in Paris.
 */
export function countSubmitted(
  db: Db,
  { since, from, to }: { since: string; from: string; to: string },
) {
  const { status, issueDate, depositedAt, generation } = invoices;
  const isNow = sql<boolean>`${issueDate} >= ${from}::date`;
  const isFirst = sql<boolean>`${generation} <= 1`;
  const isLate = sql`(${depositedAt} at time zone ${ZONE})::date > ${issueDate} + 1`;
  return db.select({
    isNow: isNow.as("is_now"),
    status,
    isFirst: isFirst.as("is_first"),
    invoices: COUNT,
    // Sample invoices are deposited without a submission.
    submitted: sql<
      number
    >`count(*) filter (where ${generation} > 0 or ${depositedAt} is not null)::int`,
    deposited: sql<number>`count(${depositedAt})::int`,
    late: sql<number>`count(*) filter (where ${isLate})::int`,
    oldest: sql<string | null>`min(${issueDate})::text`,
  }).from(invoices).where(and(
    eq(invoices.direction, "issued"),
    gte(issueDate, since),
    lte(issueDate, to),
  )).groupBy(sql`1`, status, sql`3`);
}

/** Returns the received invoices without an answer, by currency; `today` decides which are overdue. */
export function sumUnanswered(db: Db, today: string) {
  const { createdAt, currency, dueDate } = invoices;
  return db.select({
    currency,
    invoices: COUNT,
    overdue: sql<number>`count(*) filter (where ${dueDate} < ${today})::int`,
    amount: sql<string | null>`sum(${SIGNED_TOTAL})`,
    oldest: sql<string | null>`(min(${createdAt}) at time zone ${ZONE})::date::text`,
  }).from(invoices).where(IS_UNANSWERED).groupBy(currency);
}
