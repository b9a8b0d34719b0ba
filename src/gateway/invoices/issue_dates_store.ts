import { and, eq, inArray, isNotNull } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { InvoiceRow } from "./store.ts";

/**
 * Finds the issue dates of a company's invoices by their numbers (BT-1). A number that invoices of different dates share
 * is left out, because the date would be a guess.
 */
export async function findIssueDates(
  db: Db,
  { kco, direction, numbers }: Pick<InvoiceRow, "kco" | "direction"> & {
    readonly numbers: readonly string[];
  },
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const rows = await db.selectDistinct({ number: invoices.ublNumber, date: invoices.issueDate })
    .from(invoices).where(and(
      inArray(invoices.ublNumber, [...numbers]),
      eq(invoices.kco, kco),
      eq(invoices.direction, direction),
      isNotNull(invoices.issueDate),
    ));
  const dates = new Map<string, string>();
  for (const { number, date } of rows) {
    const isOnly = rows.filter((it) => it.number === number).length === 1;
    if (isOnly && number !== null && date !== null) dates.set(number, date);
  }
  return dates;
}
