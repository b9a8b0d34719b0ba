import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lte,
  ne,
  sql,
} from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { runItems, runLogs, runs } from "#drizzle/schema/mod.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { type ItemState, statesBefore } from "#src/domain/processing/run.ts";
import type { Language } from "#src/kernel/language.ts";
import { toColumns } from "#src/kernel/i18n/kept.ts";
import { type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import { insertRows } from "#src/platform/lists/insert_rows.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

/** Run without the text around its invoices, which can be megabytes. */
export type RunRow = Omit<typeof runs.$inferSelect, "envelopeOpen" | "envelopeClose">;
/** Invoice of a run: its position in the file and its state. */
export type RunItemRow = typeof runItems.$inferSelect;
type NewRun = typeof runs.$inferInsert;
type NewItem = typeof runItems.$inferInsert;

/** A line of a run's log. */
export interface RunLogEntry {
  readonly severity: string;
  readonly module: string;
  readonly submodule: string;
  readonly message: Sentence;
}

/** A log entry as it is shown to a reader. */
interface ShownLog extends Omit<RunLogEntry, "message"> {
  readonly message: string;
}

/** Log entries in the reader's language, for an answer; they are not stored. */
export function shownLogs(entries: readonly RunLogEntry[], language: Language): ShownLog[] {
  return entries.map(({ message, ...it }) => ({ ...it, message: translate(message, language) }));
}

/** Selects the text of a row in the reader's language; a text equal in both languages is stored once. */
export function inLanguage(
  language: Language,
  { message, messageFr }: { message: PgColumn; messageFr: PgColumn },
) {
  return language === "fr"
    ? sql<string>`coalesce(${messageFr}, ${message})`
    : sql<string>`${message}`;
}

/** Adds a run in the caller's transaction. */
export async function insertRun(tx: Db, run: NewRun): Promise<void> {
  await tx.insert(runs).values(run);
}

const { envelopeOpen, envelopeClose, ...columns } = getTableColumns(runs);
export const RUN = columns;

/** Returns undefined when the run does not exist. */
export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  const [row] = await db.select(RUN).from(runs).where(eq(runs.id, id));
  return row;
}

/** Returns the envelope for the invoices of a run that have no surroundings of their own. */
export async function readEnvelope(db: Db, id: string): Promise<{ open: string; close: string }> {
  const [row] = await db.select({ open: envelopeOpen, close: envelopeClose }).from(runs)
    .where(eq(runs.id, id));
  return { open: row?.open ?? "", close: row?.close ?? "" };
}

/** Stores the envelope once for the run; resolves to the stored one. */
export async function keepEnvelope(
  tx: Db,
  id: string,
  { open, close }: { open: string; close: string },
): Promise<{ open: string; close: string }> {
  await tx.update(runs).set({ envelopeOpen: open, envelopeClose: close })
    .where(and(eq(runs.id, id), isNull(runs.envelopeOpen)));
  return await readEnvelope(tx, id);
}

/** The items of a file that is refused as a whole. */
export async function deleteItems(tx: Db, runId: string): Promise<void> {
  await tx.delete(runItems).where(eq(runItems.runId, runId));
}

/** Returns the run and locks its row until the transaction ends; its items and logs can still be written. */
export async function lockRun(tx: Db, id: string): Promise<RunRow | undefined> {
  const [row] = await tx.select(RUN).from(runs).where(eq(runs.id, id)).for("no key update");
  return row;
}

/** Returns the run that any user started since then to record the invoices of a file. */
export async function findImportRun(
  db: Db,
  { file, since }: { file: ConfinedPath; since: Date },
): Promise<string | undefined> {
  const [row] = await db.select({ id: runs.id }).from(runs).where(and(
    eq(runs.file, file),
    gte(runs.createdAt, since),
    ne(runs.mode, "UBL_VALIDATE"),
    eq(runs.preview, false),
  )).limit(1);
  return row?.id;
}

/** Sets fields of a run. */
export async function updateRun(tx: Db, id: string, fields: Partial<NewRun>): Promise<void> {
  await tx.update(runs).set(fields).where(eq(runs.id, id));
}

/** Returns the number of items stored by the splitting, which resumes there after a crash. */
export async function countItems(db: Db, runId: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(runItems).where(eq(runItems.runId, runId));
  return row?.n ?? 0;
}

/** Adds items; those that are there already stay as they are. */
export async function insertItems(tx: Db, items: readonly NewItem[]): Promise<void> {
  await tx.insert(runItems).values([...items]).onConflictDoNothing();
}

/** Returns unfinished items in the range `from` to `to`. */
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

/** Returns the items of a run with one of these document numbers, as the ERP prints them. */
export async function itemsOfDocs(
  db: Db,
  { runId, docs }: { runId: string; docs: readonly string[] },
): Promise<RunItemRow[]> {
  return await db.select().from(runItems)
    .where(and(eq(runItems.runId, runId), inArray(runItems.doc, [...docs])))
    .orderBy(asc(runItems.index)).limit(MAX_SIMILAR);
}

/** Limit of items in one run with equal document numbers but different types and companies. */
const MAX_SIMILAR = 20;

/** An item that moved, with as much of its invoice's key as is known. */
export interface MovedItem {
  readonly runId: string;
  readonly index: number;
  readonly doc: string | null;
  readonly dct: string | null;
  readonly kco: string | null;
}

/**
 * Moves the items that are in a state from which they may; resolves to those. An item keeps its message without a new
 * one, but for the reason why it was blocked.
 */
export async function moveItems(
  tx: Db,
  moves: readonly {
    readonly runId: string;
    readonly index: number;
    readonly state: ItemState;
    readonly key?: Partial<InvoiceKey> | undefined;
    readonly message?: Sentence | undefined;
    readonly money?: { readonly amount: string; readonly currency: string } | undefined;
    readonly name?: {
      readonly number?: string | undefined;
      readonly customer?: string | undefined;
    };
  }[],
): Promise<MovedItem[]> {
  const rows = moves.map(({ runId, index, state, key, message: sentence, money, name }) => {
    const { message, messageFr } = toColumns("message", sentence);
    return sql`(${runId}::uuid, ${index}::int, ${state}::text, ${
      statesBefore(state).join(" ")
    }::text, ${key?.doc ?? null}::text, ${key?.dct ?? null}::text, ${
      key?.kco ?? null
    }::text, ${message}::text, ${messageFr}::text, ${money?.amount ?? null}::numeric, ${
      money?.currency ?? null
    }::text, ${name?.number ?? null}::text, ${name?.customer ?? null}::text)`;
  });
  const result = await tx.execute(sql`
    update run_items as i set state = m.state, doc = coalesce(m.doc, i.doc), dct = coalesce(m.dct, i.dct),
      kco = coalesce(m.kco, i.kco), message = case when m.message is null and i.state <> 'blocked' then i.message else m.message end,
      message_fr = case when m.message is null and i.state <> 'blocked' then i.message_fr else m.message_fr end, finished_at = now(),
      amount = m.amount, currency = m.currency, number = m.number, customer = m.customer
    from (values ${
    sql.join(rows, sql`, `)
  }) as m (run_id, index, state, before, doc, dct, kco, message, message_fr, amount, currency, number, customer)
    where i.run_id = m.run_id and i.index = m.index and i.state = any(string_to_array(m.before, ' '))
    returning i.run_id as "runId", i.index, i.doc, i.dct, i.kco`);
  return getRows<MovedItem>(result);
}

/** Aborts the items that have not begun; resolves to their number. */
export async function abortItems(tx: Db, runId: string, why: Sentence): Promise<number> {
  const rows = await tx.update(runItems).set({
    state: "aborted",
    ...toColumns("message", why),
    finishedAt: sql`now()`,
  })
    .where(and(eq(runItems.runId, runId), eq(runItems.state, "pending")))
    .returning({ index: runItems.index });
  return rows.length;
}

export async function appendItemLogs(
  tx: Db,
  entries: readonly (RunLogEntry & { readonly runId: string; readonly item: number | null })[],
): Promise<void> {
  await insertLogs(
    tx,
    entries.map(({ message, ...it }) => ({ ...it, ...toColumns("message", message) })),
  );
}

/** Adds to the log of a run, or of one of its items. */
export async function appendLogs(
  tx: Db,
  { runId, item }: { runId: string; item?: number | undefined },
  entries: readonly RunLogEntry[],
): Promise<void> {
  await appendItemLogs(tx, entries.map((it) => ({ ...it, runId, item: item ?? null })));
}

const ROWS_PER_INSERT = 1000;

async function insertLogs(tx: Db, rows: readonly (typeof runLogs.$inferInsert)[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    await insertRows(tx, runLogs, rows.slice(at, at + ROWS_PER_INSERT));
  }
}

/** Returns the log entries as a reader sees them. */
export async function readLogs(
  db: Db,
  runId: string,
  { limit, language }: { limit: number; language: Language },
): Promise<ShownLog[]> {
  return await db.select({
    severity: runLogs.severity,
    module: runLogs.module,
    submodule: runLogs.submodule,
    message: inLanguage(language, runLogs),
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

/** Adds up the amounts of the invoices of a preview, by outcome and currency. */
export async function sumByState(db: Db, runId: string) {
  return await db.select({
    outcome: runItems.state,
    currency: sql<string>`${runItems.currency}`,
    amount: sql<number>`sum(${runItems.amount})::float8`,
    count: count(),
  }).from(runItems).where(and(eq(runItems.runId, runId), isNotNull(runItems.currency)))
    .groupBy(runItems.state, runItems.currency).orderBy(runItems.state, runItems.currency);
}

export async function countOpen(db: Db, runId: string): Promise<number> {
  const [row] = await db.select({ n: count() }).from(runItems)
    .where(and(eq(runItems.runId, runId), inArray(runItems.state, ["pending", "recorded"])));
  return row?.n ?? 0;
}

/** Holds runs, in the order given, until the transaction ends; items and logs of them can still be written. */
export async function lockRuns(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.select({ id: runs.id }).from(runs).where(inArray(runs.id, [...ids])).orderBy(runs.id)
    .for("no key update");
}

/** Ends those of these runs that have no open items and were not ended; resolves to their ids. */
export async function endDone(tx: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.update(runs).set({ state: "finished", finishedAt: sql`now()` }).where(and(
    inArray(runs.id, [...ids]),
    eq(runs.state, "processing"),
    sql`not exists (select 1 from run_items where run_id = runs.id and state in ('pending', 'recorded'))`,
  )).returning({ id: runs.id });
  return rows.map((it) => it.id);
}
