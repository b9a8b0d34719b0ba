import { and, gte, lte, type SQL, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { IS_COUNTED_SALE, matching, OPEN_AMOUNT, SIGNED_TOTAL } from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { isIssued, TO_COLLECT } from "./waiting_views.ts";

/** Sums the sales that count, by month and currency. */
export function sumIssued(
  db: Db,
  { since, from, to }: { since: string; from: string; to: string },
) {
  const { currency, issueDate } = invoices;
  const isNow = sql<boolean>`${issueDate} >= ${from}::date`;
  return db.select({
    isNow: isNow.as("is_now"),
    currency,
    invoices: sql<number>`count(*)::int`,
    amount: sql<string | null>`sum(${SIGNED_TOTAL})::text`,
  }).from(invoices)
    .where(and(IS_COUNTED_SALE, gte(issueDate, since), lte(issueDate, to)))
    .groupBy(sql`1`, currency);
}

/** Sums all issued invoices in dispute by currency, and those of them from before a day. */
export function sumDisputed(db: Db, { from }: { from: string }) {
  const { currency, issueDate } = invoices;
  const isEarlier = sql`${issueDate} < ${from}::date`;
  return db.select({
    currency,
    invoices: sql<number>`count(*)::int`,
    amount: sql<string | null>`sum(${SIGNED_TOTAL})::text`,
    earlier: sql<number>`count(*) filter (where ${isEarlier})::int`,
    earlierAmount: sql<string | null>`sum(${SIGNED_TOTAL}) filter (where ${isEarlier})::text`,
  }).from(invoices).where(isIssued(STATUS.disputed)).groupBy(currency);
}

/** Sums the open sales by currency: due this month, due the month before, late today, late when the month began. */
export function sumDue(
  db: Db,
  { since, from, to, today }: { since: string; from: string; to: string; today: string },
) {
  const { currency, dueDate } = invoices;
  const count = (where: SQL) => sql<number>`count(*) filter (where ${where})::int`;
  const sum = (where: SQL) => sql<string | null>`sum(${OPEN_AMOUNT}) filter (where ${where})::text`;
  const isDue = sql`${dueDate} >= ${from}::date`;
  const wasDue = sql`${dueDate} >= ${since}::date and ${dueDate} < ${from}::date`;
  const isLate = sql`${dueDate} < ${today}::date`;
  const wasLate = sql`${dueDate} < ${from}::date`;
  return db.select({
    currency,
    due: count(isDue),
    dueAmount: sum(isDue),
    dueBefore: count(wasDue),
    dueBeforeAmount: sum(wasDue),
    late: count(isLate),
    lateAmount: sum(isLate),
    lateBefore: count(wasLate),
    lateBeforeAmount: sum(wasLate),
  }).from(invoices).where(matching({ ...TO_COLLECT, dueTo: to })).groupBy(currency);
}
