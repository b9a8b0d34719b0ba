import { computeAcceptance, previousPeriod, shiftDay } from "#src/domain/finance/mod.ts";
import type { Deps } from "#src/deps.ts";
import { showConnections } from "#src/gateway/connections/mod.ts";
import { countSubmitted } from "#src/gateway/finance/mod.ts";
import { parseDecimal, toFixed, ZERO } from "#src/kernel/decimal.ts";
import { findDay } from "#src/platform/exports/mod.ts";
import { sumDisputed, sumDue, sumIssued } from "./month_views.ts";
import {
  countWaiting,
  KINDS_BY_STATUS,
  MAX_WAITING,
  POINT_ONLY,
  type Sight,
  WAITING_KINDS,
  type WaitingRow,
} from "./waiting_views.ts";

type HomeDeps = Pick<Deps, "clock" | "db">;

type WaitingDeps = Parameters<typeof showConnections>[0];

/**
 * Lists the work that waits for a person, the most urgent kind first, and counts the sales among it. Kinds without work are
 * absent.
 */
export async function readWaiting(
  deps: WaitingDeps,
  { withConnections, withPools, ...asked }: Sight & {
    readonly today: string;
    readonly withConnections: boolean;
    readonly withPools: boolean;
  },
) {
  const [rows, failing] = await Promise.all([
    countWaiting(deps.db, asked),
    withConnections ? listFailing(deps, { withPools }) : [],
  ]);
  const records = WAITING_KINDS.flatMap((kind) => {
    const own = rows.filter((it) => it.kind === kind);
    if (own.length === 0) return [];
    const [oldest = null] = own.flatMap((it) => it.oldest ?? []).toSorted();
    return [{
      kind,
      ...capCount(own),
      amounts: showAmounts(own.map((it) => [it.currency, it.amount])),
      oldest,
    }];
  });
  const sales: readonly string[] = [...KINDS_BY_STATUS, POINT_ONLY];
  return {
    waiting: [...failing, ...records],
    sales: capCount(rows.filter((it) => sales.includes(it.kind))),
  };
}

/** Returns the work on connections whose last test or use failed; empty without one. */
async function listFailing(deps: WaitingDeps, { withPools }: { readonly withPools: boolean }) {
  const shown = await showConnections(deps, { withPools });
  const failing = shown.filter((it) => it.state === "fails");
  if (failing.length === 0) return [];
  const [oldest = null] = failing.flatMap((it) => it.last?.failingSince ?? [])
    .toSorted((a, b) => a.getTime() - b.getTime());
  return [{
    kind: "connection-failed" as const,
    count: failing.length,
    countIsCapped: false,
    amounts: [],
    oldest: oldest && findDay(oldest),
    connections: failing.map(({ kind, name }) => ({ kind, name })),
  }];
}

function capCount(rows: readonly WaitingRow[]) {
  const count = rows.reduce((sum, it) => sum + it.count, 0);
  return { count: Math.min(count, MAX_WAITING), countIsCapped: count > MAX_WAITING };
}

/** Computes the figures of the current month, and those of the month before. */
export async function readFigures({ db, clock }: HomeDeps) {
  const today = findDay(clock.now());
  const month = findMonth(today);
  const before = previousPeriod(month);
  const since = before.from;
  const [issued, submitted, disputed, due] = await Promise.all([
    sumIssued(db, { since, ...month }),
    countSubmitted(db, { since, ...month }),
    sumDisputed(db, month),
    sumDue(db, { since, today, ...month }),
  ]);
  const pick = (isNow: boolean) => issued.filter((it) => it.isNow === isNow);
  const figure = <T extends { currency: string | null }>(
    rows: readonly T[],
    countOf: (it: T) => number,
    amountOf: (it: T) => string | null,
  ) => ({
    invoices: rows.reduce((sum, it) => sum + countOf(it), 0),
    amounts: showAmounts(
      rows.filter((it) => countOf(it) > 0).map((it) => [it.currency, amountOf(it)]),
    ),
  });
  const ofMonth = (isNow: boolean) => {
    const { rate, ...firstTime } = computeAcceptance(submitted.filter((it) => it.isNow === isNow));
    return {
      issued: figure(pick(isNow), (it) => it.invoices, (it) => it.amount),
      firstTimeRate: rate,
      firstTime,
    };
  };
  return {
    today,
    month: {
      ...month,
      ...ofMonth(true),
      disputed: figure(disputed, (it) => it.invoices, (it) => it.amount),
      toCollect: figure(due, (it) => it.due, (it) => it.dueAmount),
      late: figure(due, (it) => it.late, (it) => it.lateAmount),
    },
    before: {
      ...before,
      ...ofMonth(false),
      disputed: figure(disputed, (it) => it.earlier, (it) => it.earlierAmount),
      toCollect: figure(due, (it) => it.dueBefore, (it) => it.dueBeforeAmount),
      late: figure(due, (it) => it.lateBefore, (it) => it.lateBeforeAmount),
    },
  };
}

/** Returns the whole month of a day. */
function findMonth(day: string) {
  const from = `${day.slice(0, 7)}-01`;
  const next = `${shiftDay(from, 31).slice(0, 7)}-01`;
  return { from, to: shiftDay(next, -1) };
}

function showAmounts(rows: readonly (readonly [string | null, string | null])[]) {
  return rows.flatMap(([currency, amount]) =>
    amount === null
      ? []
      : [{ currency: currency ?? "", amount: toFixed(parseDecimal(amount) ?? ZERO, 2) }]
  ).toSorted((a, b) => rank(a.currency).localeCompare(rank(b.currency)));
}

/** Sorts EUR before other currencies. */
function rank(currency: string): string {
  return currency === "EUR" ? "" : currency;
}
