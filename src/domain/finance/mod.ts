export { computeAcceptance, FIRST_NOT_ACCEPTED, FIRST_WAITING } from "./acceptance.ts";
export { AGES, computeAges } from "./ageing.ts";
export { BOOKS_CURRENCY, UNCOUNTED_STATUSES } from "./counted.ts";
export { computeDso, DSO_DAYS } from "./dso.ts";
export { mayBeOpen, settledStatuses, settlingStatus, sumAmounts } from "./open_amount.ts";
export { type DayPeriod, previousPeriod, shiftDay } from "./period.ts";
export {
  computeMonths,
  computeVat,
  isSubtracted,
  type SummedForeign,
  type SummedVat,
} from "./vat_figures.ts";
