import {
  BOOKS_CURRENCY,
  computeMonths,
  computeVat,
  type DayPeriod,
  isSubtracted,
  previousPeriod,
} from "#src/domain/finance/mod.ts";
import type { Deps } from "#src/deps.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import { ourRole } from "#src/domain/treatment/mod.ts";
import { add, type Decimal, negate, parseDecimal, toFixed, ZERO } from "#src/kernel/decimal.ts";
import type { Language } from "#src/kernel/language.ts";
import { sumForeign, type SummedUncounted, sumUncounted, sumVat } from "./vat_views.ts";

/** Computes the VAT of a period, compared with the period before. */
export async function readVat(
  { db, clock }: Pick<Deps, "clock" | "db">,
  { period, language }: { readonly period: DayPeriod; readonly language: Language },
) {
  const before = previousPeriod(period);
  const days = { since: before.from, ...period };
  const computedAt = clock.now().toISOString();
  const [vat, foreign, uncounted] = await Promise.all([
    sumVat(db, days),
    sumForeign(db, days),
    sumUncounted(db, days),
  ]);
  const isNow = (it: { readonly isNow: boolean }) => it.isNow;
  const isBefore = (it: { readonly isNow: boolean }) => !it.isNow;
  const [vatNow, foreignNow] = [vat.filter(isNow), foreign.filter(isNow)];
  const earlier = computeVat(vat.filter(isBefore), foreign.filter(isBefore));
  return {
    ...period,
    computedAt,
    currency: BOOKS_CURRENCY,
    ...computeVat(vatNow, foreignNow),
    months: computeMonths(vatNow, foreignNow),
    before: {
      ...before,
      collected: earlier.sales.vat,
      deductible: earlier.purchases.vat,
      balance: earlier.balance,
    },
    uncounted: showUncounted(uncounted, language),
  };
}

interface Uncounted {
  readonly role: "buyer" | "seller";
  readonly status: string;
  readonly currency: string;
  readonly invoices: number;
  readonly base: Decimal;
  readonly vat: Decimal;
}

/** Returns the invoices that do not count, by role, status and currency. */
function showUncounted(rows: readonly SummedUncounted[], language: Language) {
  const sums = new Map<string, Uncounted>();
  for (const row of rows) {
    const role = ourRole(row);
    const { status, currency } = row;
    const key = `${role} ${status} ${currency}`;
    const sum = sums.get(key) ?? { role, status, currency, invoices: 0, base: ZERO, vat: ZERO };
    sums.set(key, {
      ...sum,
      invoices: sum.invoices + row.invoices,
      base: add(sum.base, signed(row, row.base)),
      vat: add(sum.vat, signed(row, row.vat)),
    });
  }
  return [...sums.entries()].toSorted(([a], [b]) => a < b ? 1 : -1).map(([, it]) => ({
    ...it,
    statusLabel: statusLabel(it.status, language),
    statusLabelEn: statusLabel(it.status, "en"),
    base: toFixed(it.base, 2),
    vat: toFixed(it.vat, 2),
  }));
}

function signed(row: SummedUncounted, amount: string | null): Decimal {
  const value = parseDecimal(amount ?? "") ?? ZERO;
  return isSubtracted(row) ? negate(value) : value;
}
