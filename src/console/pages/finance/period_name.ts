import { useLanguage } from "../../i18n/language.ts";
import type { ShownPeriod } from "./period.ts";

/** Name of a period, which is a month, a year, or a range of days. */
interface PeriodText {
  readonly text: string;
  /** True for a month or a year, false for a range of days. */
  readonly isNamed: boolean;
}

/** Returns a function that names periods in the reader's language. */
export function usePeriodText(): (period: ShownPeriod) => PeriodText {
  const locale = useLanguage() === "fr" ? "fr-FR" : "en-GB";
  return ({ from, to }) => {
    const [first, last] = [new Date(`${from}T00:00:00Z`), new Date(`${to}T00:00:00Z`)];
    const write = (options: Intl.DateTimeFormatOptions) =>
      new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    const isWhole = from.endsWith("-01") &&
      new Date(last.getTime() + 86_400_000).getUTCDate() === 1;
    if (isWhole && from.slice(0, 7) === to.slice(0, 7)) {
      return { text: write({ month: "long", year: "numeric" }).format(first), isNamed: true };
    }
    const [year] = from.split("-");
    if (from === `${year}-01-01` && to === `${year}-12-31`) {
      return { text: `${year}`, isNamed: true };
    }
    return { text: write({ dateStyle: "medium" }).formatRange(first, last), isNamed: false };
  };
}
