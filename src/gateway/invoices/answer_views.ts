import { and, inArray, type SQL, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { UNANSWERED_STATUSES } from "#src/domain/invoice/status.ts";
import { closedRules, closedTreatments } from "#src/domain/treatment/mod.ts";
import { hasRole } from "./role_views.ts";

/** Selects purchases about which the PA accepts no status from the buyer, by the rule of `effectiveRule`. */
const IS_CLOSED = sql`case when ${invoices.paRule} is null
    or ${invoices.paRule} in ('Undefined', 'NotApplicable')
  then coalesce(${inArray(invoices.treatment, [...closedTreatments("buyer")])}, false)
  else ${inArray(invoices.paRule, [...closedRules("buyer")])} end`;

/** Selects the received invoices that wait for our answer. Purchases that accept no answer do not wait. */
export const IS_UNANSWERED: SQL = sql`(${
  and(
    sql`${invoices.direction} = 'received'`,
    inArray(invoices.status, [...UNANSWERED_STATUSES]),
    hasRole("buyer"),
    sql`not ${IS_CLOSED}`,
  )
})`;
