import type { components } from "../../api/schema.d.ts";

/** VAT of a period. */
export type PeriodVat = components["schemas"]["VatReport"];
/** Open amounts, deposits and answers. */
export type Overview = components["schemas"]["FinanceOverview"];
