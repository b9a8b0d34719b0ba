import { and, eq, inArray, not, notInArray, type SQL, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { FIRST_NOT_ACCEPTED, FIRST_WAITING } from "#src/domain/finance/mod.ts";

/** True for a sale whose first submission has an outcome. Sample invoices are deposited without a submission. */
const IS_SETTLED = and(
  eq(invoices.direction, "issued"),
  sql`(${invoices.generation} > 0 or ${invoices.depositedAt} is not null)`,
  not(sql`(${invoices.generation} <= 1 and ${inArray(invoices.status, [...FIRST_WAITING])})`),
);
const WAS_ACCEPTED: SQL = sql`(${invoices.generation} <= 1 and ${
  notInArray(invoices.status, [...FIRST_NOT_ACCEPTED])
})`;

/** True for a sale that counts as accepted in the share of first acceptance. */
export const IS_FIRST_ACCEPTED: SQL | undefined = and(IS_SETTLED, WAS_ACCEPTED);

/** True for a sale that counts as not accepted in the share of first acceptance. */
export const IS_NOT_FIRST_ACCEPTED: SQL | undefined = and(IS_SETTLED, not(WAS_ACCEPTED));
