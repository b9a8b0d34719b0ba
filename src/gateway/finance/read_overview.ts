import {
  computeAcceptance,
  computeAges,
  computeDso,
  type DayPeriod,
  DSO_DAYS,
  previousPeriod,
  shiftDay,
} from "#src/domain/finance/mod.ts";
import type { Deps } from "#src/deps.ts";
import { isDeposited } from "#src/domain/invoice/status.ts";
import { parseDecimal, toFixed, ZERO } from "#src/kernel/decimal.ts";
import { findDay } from "#src/platform/exports/mod.ts";
import { countSubmitted, listDebtors, sumOpen, sumSales, sumUnanswered } from "./overview_views.ts";

const MAX_DEBTORS = 10;

/** Computes the open amounts of today and the deposits of a period. */
export async function readOverview({ db, clock }: Pick<Deps, "clock" | "db">, period: DayPeriod) {
  const now = clock.now();
  const today = findDay(now);
  const before = previousPeriod(period);
  const sold = { from: shiftDay(today, 1 - DSO_DAYS), to: today };
  const [open, debtors, sales, submitted, unanswered] = await Promise.all([
    sumOpen(db),
    listDebtors(db, MAX_DEBTORS),
    sumSales(db, sold),
    countSubmitted(db, { since: before.from, ...period }),
    sumUnanswered(db, today),
  ]);
  const receivables = computeAges(open, { role: "seller", today });
  const total = receivables[0]?.total ?? "0";
  return {
    ...period,
    computedAt: now.toISOString(),
    today,
    receivables,
    payables: computeAges(open, { role: "buyer", today }),
    dso: {
      days: computeDso(total, sales),
      receivables: total,
      sales: writeAmount(sales),
      periodDays: DSO_DAYS,
      ...sold,
    },
    debtors: debtors.map(({ reference, name, ...it }) => ({
      ...it,
      reference: reference ?? "",
      name: name ?? "",
      amount: writeAmount(it.amount),
    })),
    acceptance: {
      ...computeAcceptance(submitted.filter((it) => it.isNow)),
      before: computeAcceptance(submitted.filter((it) => !it.isNow)).rate,
    },
    deposits: showDeposits(submitted.filter((it) => it.isNow)),
    unanswered: unanswered.map(({ currency, amount, ...it }) => ({
      ...it,
      currency: currency ?? "",
      amount: writeAmount(amount),
    })),
  };
}

type Submitted = Awaited<ReturnType<typeof countSubmitted>>[number];

/** Returns how many invoices were deposited in time, and those that are not deposited yet. */
function showDeposits(rows: readonly Submitted[]) {
  const add = (countOf: (it: Submitted) => number) =>
    rows.reduce((count, it) => count + countOf(it), 0);
  const waiting = rows.filter((it) => !isDeposited(it.status));
  const [oldest = null] = waiting.flatMap((it) => it.oldest ?? []).toSorted();
  return {
    deposited: add((it) => it.deposited),
    late: add((it) => it.late),
    waiting: waiting.reduce((count, it) => count + it.invoices, 0),
    oldest,
  };
}

function writeAmount(amount: string | null): string {
  return toFixed(parseDecimal(amount ?? "") ?? ZERO, 2);
}
