import {
  and,
  asc,
  eq,
  exists,
  inArray,
  isNotNull,
  lte,
  notExists,
  notInArray,
  or,
  sql,
} from "drizzle-orm";
import { invoices, paQuarantine, submissions, tasks } from "#drizzle/schema/mod.ts";
import { OPEN_SUBMISSION_STATES } from "#src/domain/submission/state.ts";
import type { Db } from "#src/ports/db.ts";
import type { QuarantineRow } from "./store.ts";

/** Returns true while a poll of this scope is queued or running. */
export async function isPollOpen(
  db: Db,
  { name, scope }: { name: string; scope: string },
): Promise<boolean> {
  const open = await db.select({ id: tasks.id }).from(tasks).where(and(
    eq(tasks.name, name),
    notInArray(tasks.state, ["dead", "poisoned"]),
    sql`${tasks.payload}->>'scope' = ${scope}`,
  )).limit(1);
  return open.length > 0;
}

/** Lists quarantined flows to read again: those due for another attempt, and those whose invoice exists by now. */
export async function dueQuarantined(db: Db, limit: number): Promise<QuarantineRow[]> {
  const open = db.select({ one: sql`1` }).from(submissions)
    .where(
      and(
        eq(submissions.invoiceId, invoices.id),
        inArray(submissions.state, [...OPEN_SUBMISSION_STATES]),
      ),
    );
  const settled = db.select({ one: sql`1` }).from(invoices).where(and(
    eq(invoices.ublNumber, paQuarantine.invoiceNumber),
    or(
      sql`${paQuarantine.supplierSiren} is null`,
      sql`${invoices.supplierSiren} is null`,
      eq(invoices.supplierSiren, paQuarantine.supplierSiren),
    ),
    notExists(open),
  ));
  return await db.select().from(paQuarantine).where(or(
    and(isNotNull(paQuarantine.nextAt), lte(paQuarantine.nextAt, sql`now()`)),
    and(eq(paQuarantine.kind, "waiting"), exists(settled)),
  )).orderBy(asc(paQuarantine.attempts), asc(paQuarantine.createdAt)).limit(limit);
}
