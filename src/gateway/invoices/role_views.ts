import { inArray, type SQL, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { type Role, SELF_BILLED_TYPES } from "#src/domain/treatment/mod.ts";

/** Selects invoices in which we have the role, by the condition of `ourRole`. */
export function hasRole(role: Role): SQL {
  const isIssued = sql`(${invoices.direction} = 'issued')`;
  const isSelfBilled = sql`coalesce(${
    inArray(invoices.invoiceType, [...SELF_BILLED_TYPES])
  }, false)`;
  return role === "seller"
    ? sql`(${isIssued} <> ${isSelfBilled})`
    : sql`(${isIssued} = ${isSelfBilled})`;
}
