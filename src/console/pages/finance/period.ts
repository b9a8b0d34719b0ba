import { useSearchParams } from "wouter";
import { parseDate } from "../../components/dates/day_text.ts";
import { formatDay, useMidnight } from "../../components/dates/use_midnight.ts";

/** Days of the figures, both included. */
export interface ShownPeriod {
  readonly from: string;
  readonly to: string;
}

export const PERIODS = ["lastMonth", "thisMonth", "quarter", "year", "own"] as const;
export type PeriodName = typeof PERIODS[number];

/** Returns the days of a period that contains or precedes a day. */
export function findPeriod(name: Exclude<PeriodName, "own">, today: Date): ShownPeriod {
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const between = (first: number, count: number) => ({
    from: formatDay(new Date(year, first, 1)),
    to: formatDay(new Date(year, first + count, 0)),
  });
  switch (name) {
    case "lastMonth":
      return between(month - 1, 1);
    case "thisMonth":
      return between(month, 1);
    case "quarter":
      return between(month - month % 3, 3);
    case "year":
      return between(0, 12);
  }
}

/** Returns the period in the address, last month without any, and functions that change it. */
export function usePeriod() {
  const [address, setAddress] = useSearchParams();
  const today = useMidnight();
  const asked = PERIODS.find((it) => it === address.get("period")) ?? "lastMonth";
  const [from, to] = ["from", "to"].map((it) => parseDate("day", address.get(it) ?? "", true));
  const own = from && to && from <= to ? { from, to } : undefined;
  const name = asked === "own" && !own ? "lastMonth" : asked;
  const period = name === "own" && own
    ? own
    : findPeriod(name === "own" ? "lastMonth" : name, today);
  return {
    name,
    period,
    /** Chooses a named period; other dates begin with those shown. */
    choose: (next: PeriodName) =>
      setAddress(next === "own" ? { period: next, ...period } : { period: next }),
    /** Chooses other dates. */
    chooseDays: (days: ShownPeriod) => setAddress({ period: "own", ...days }),
  };
}
