import { and, asc, count, eq, gte, inArray, lte, sql } from "drizzle-orm";
import { invoices, runItems, runLogs, runs } from "#drizzle/schema/mod.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import type { ItemState } from "#src/domain/processing/run.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

export type RunRow = typeof runs.$inferSelect;
export type RunItemRow = typeof runItems.$inferSelect;
export type NewRun = typeof runs.$inferInsert;
export type NewItem = typeof runItems.$inferInsert;

export interface LogEntry {
  readonly severity: string;
  readonly module: string;
  readonly submodule: string;
  readonly message: string;
}

export async function insertRun(tx: Db, run: NewRun): Promise<void> {
  await tx.insert(runs).values(run);
}

export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  const [row] = await db.select().from(runs).where(eq(runs.id, id));
  return row;
}

export async function updateRun(tx: Db, id: string, fields: Partial<NewRun>): Promise<void> {
  await tx.update(runs).set(fields).where(eq(runs.id, id));
}

/** How many items the splitting has stored so far; it goes on from there after a crash. */
export async function countItems(db: Db, runId: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(runItems).where(eq(runItems.runId, runId));
  return row?.n ?? 0;
}

export async function insertItems(tx: Db, items: readonly NewItem[]): Promise<void> {
  await tx.insert(runItems).values([...items]).onConflictDoNothing();
}

export async function pendingItems(
  db: Db,
  { runId, from, to }: { runId: string; from: number; to: number },
): Promise<RunItemRow[]> {
  return await db.select().from(runItems).where(and(
    eq(runItems.runId, runId),
    gte(runItems.index, from),
    lte(runItems.index, to),
    eq(runItems.state, "pending"),
  )).orderBy(asc(runItems.index));
}

/** Moves an item out of one of the given states; false when it was elsewhere already. */
export async function moveItem(
  tx: Db,
  { runId, index, from }: { runId: string; index: number; from: readonly ItemState[] },
  to: { state: ItemState; key?: Partial<InvoiceKey> | undefined; message?: string | undefined },
): Promise<boolean> {
  const rows = await tx.update(runItems).set({
    state: to.state,
    ...to.key,
    ...to.message !== undefined && { message: to.message },
    finishedAt: sql`now()`,
  }).where(
    and(eq(runItems.runId, runId), eq(runItems.index, index), inArray(runItems.state, [...from])),
  )
    .returning({ index: runItems.index });
  return rows.length === 1;
}

/** The same for many items in one statement; resolves to how many moved. */
export async function moveItems(
  tx: Db,
  { runId, from }: { runId: string; from: ItemState },
  moves: readonly { index: number; state: ItemState; key: InvoiceKey; message: string }[],
): Promise<number> {
  const rows = moves.map(({ index, state, key, message }) =>
    sql`(${index}::int, ${state}::text, ${key.doc}::text, ${key.dct}::text, ${key.kco}::text, ${message}::text)`
  );
  const result = await tx.execute(sql`
    update run_items set state = moved.state, doc = moved.doc, dct = moved.dct, kco = moved.kco,
      message = moved.message, finished_at = now()
    from (values ${sql.join(rows, sql`, `)}) as moved (index, state, doc, dct, kco, message)
    where run_id = ${runId} and run_items.index = moved.index and run_items.state = ${from}
    returning run_items.index`);
  return rowsOf(result).length;
}

/** The PA has these items' invoices: said once, in their log too, of those that waited for it or were tried again. */
export async function submitItems(
  tx: Db,
  items: readonly { readonly runId: string; readonly index: number; readonly message: string }[],
): Promise<void> {
  if (!items.length) return;
  const rows = items.map(({ runId, index, message }) =>
    sql`(${runId}::uuid, ${index}::int, ${message}::text)`
  );
  await tx.execute(sql`
    with told (run_id, index, message) as (values ${sql.join(rows, sql`, `)}),
    moved as (
      update run_items as i set state = 'submitted', finished_at = now()
      from told where i.run_id = told.run_id and i.index = told.index
        and i.state in ('recorded', 'retrying')
      returning i.run_id, i.index, told.message)
    insert into run_logs (run_id, item, severity, module, submodule, message)
    select run_id, index, 'INFO', 'submission', 'submitted', message from moved`);
}

export async function appendItemLogs(
  tx: Db,
  runId: string,
  entries: readonly (LogEntry & { readonly item: number })[],
): Promise<void> {
  if (entries.length) await tx.insert(runLogs).values(entries.map((it) => ({ ...it, runId })));
}

export async function appendLogs(
  tx: Db,
  { runId, item }: { runId: string; item?: number | undefined },
  entries: readonly LogEntry[],
): Promise<void> {
  if (entries.length) {
    await tx.insert(runLogs).values(entries.map((it) => ({ ...it, runId, item: item ?? null })));
  }
}

export async function logsOf(db: Db, runId: string, limit: number): Promise<LogEntry[]> {
  return await db.select({
    severity: runLogs.severity,
    module: runLogs.module,
    submodule: runLogs.submodule,
    message: runLogs.message,
  }).from(runLogs).where(eq(runLogs.runId, runId)).orderBy(asc(runLogs.id)).limit(limit);
}

export async function countByState(
  db: Db,
  runId: string,
): Promise<Partial<Record<ItemState, number>>> {
  const rows = await db.select({ state: runItems.state, n: count() }).from(runItems)
    .where(eq(runItems.runId, runId)).groupBy(runItems.state);
  return Object.fromEntries(rows.map((it) => [it.state, it.n]));
}

export async function countOpen(db: Db, runId: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(runItems)
    .where(and(eq(runItems.runId, runId), inArray(runItems.state, ["pending", "recorded"])));
  return row?.n ?? 0;
}

/** The items with the present status of their invoices. */
export async function outcomes(db: Db, runId: string, page: { page: number; pageSize: number }) {
  return await db.select({
    index: runItems.index,
    line: runItems.line,
    state: runItems.state,
    doc: runItems.doc,
    dct: runItems.dct,
    kco: runItems.kco,
    message: runItems.message,
    status: invoices.status,
  }).from(runItems)
    .leftJoin(
      invoices,
      and(
        eq(invoices.doc, runItems.doc),
        eq(invoices.dct, runItems.dct),
        eq(invoices.kco, runItems.kco),
      ),
    )
    .where(eq(runItems.runId, runId)).orderBy(asc(runItems.index))
    .limit(page.pageSize).offset((page.page - 1) * page.pageSize);
}

/** True for the one caller that ends the run: nothing is open and nobody ended it before. */
export async function endIfDone(db: Db, runId: string): Promise<boolean> {
  const rows = await db.update(runs).set({ state: "finished", finishedAt: sql`now()` }).where(and(
    eq(runs.id, runId),
    eq(runs.state, "processing"),
    sql`not exists (select 1 from run_items where run_id = ${runId} and state in ('pending', 'recorded'))`,
  )).returning({ id: runs.id });
  return rows.length === 1;
}
