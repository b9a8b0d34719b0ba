import {
  and,
  asc,
  count,
  desc,
  eq,
  exists,
  inArray,
  isNotNull,
  lte,
  notExists,
  or,
  sql,
} from "drizzle-orm";
import {
  invoices,
  paCursors,
  paFlows,
  paQuarantine,
  type QuarantineKind,
  submissions,
  tasks,
} from "#drizzle/schema/mod.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { OPEN_SUBMISSION_STATES, type SubmissionState } from "#src/domain/submission/state.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

export type QuarantineRow = typeof paQuarantine.$inferSelect;
export type { QuarantineKind };

const FLOWS = "flows";
const ms = (n: number) => sql`${n} * interval '1 millisecond'`;

/** How far the platform has been read. */
export interface Reading {
  readonly updatedAfter: string | undefined;
  readonly cursor: string | undefined;
  readonly scanNewest: string | undefined;
}

export type PollTurn =
  | { readonly kind: "mine"; readonly reading: Reading }
  /** A poll that began after `asked` has ended: nothing is left to do. */
  | { readonly kind: "covered" }
  | { readonly kind: "busy" };

/** When the oldest invoice that waits for the platform's answer was sent. */
export async function oldestPending(db: Db): Promise<Date | undefined> {
  const [row] = await db.select({ at: invoices.statusAt }).from(invoices)
    .where(and(eq(invoices.status, STATUS.pending), eq(invoices.direction, "issued")))
    .orderBy(asc(invoices.statusAt)).limit(1);
  return row?.at;
}

/** The database's time, by which polls are ordered. */
export async function databaseTime(db: Db): Promise<Date> {
  const [row] = rowsOf<{ now: string | Date }>(
    await db.execute(sql`select clock_timestamp() as now`),
  );
  return new Date(row?.now ?? 0);
}

/** Is there a poll of this scope that no worker has in hand yet? */
export async function isPollWaiting(
  db: Db,
  { name, scope }: { name: string; scope: string },
): Promise<boolean> {
  const waiting = await db.select({ id: tasks.id }).from(tasks).where(and(
    eq(tasks.name, name),
    eq(tasks.state, "ready"),
    sql`${tasks.payload}->>'scope' = ${scope}`,
  )).limit(1);
  return waiting.length > 0;
}

/** One statement decides who of several polls reads. */
export async function takePollTurn(
  db: Db,
  { holder, asked, leaseMs }: { holder: string; asked: Date; leaseMs: number },
): Promise<PollTurn> {
  await db.insert(paCursors).values({ name: FLOWS }).onConflictDoNothing();
  const [row] = await db.update(paCursors).set({
    leaseHolder: holder,
    leaseUntil: sql`clock_timestamp() + ${ms(leaseMs)}`,
    startedAt: sql`clock_timestamp()`,
  }).where(and(
    eq(paCursors.name, FLOWS),
    or(sql`lease_holder is null`, sql`lease_until < clock_timestamp()`),
    sql`coalesce(covers_until, '-infinity') < ${asked.toISOString()}::timestamptz`,
  )).returning();
  if (row) return { kind: "mine", reading: readingOf(row) };
  const [now] = await db.select().from(paCursors).where(eq(paCursors.name, FLOWS));
  return { kind: now?.coversUntil && now.coversUntil >= asked ? "covered" : "busy" };
}

function readingOf(row: typeof paCursors.$inferSelect): Reading {
  return {
    updatedAfter: row.updatedAfter ?? undefined,
    cursor: row.cursor ?? undefined,
    scanNewest: row.scanNewest ?? undefined,
  };
}

export async function extendPollTurn(db: Db, holder: string, leaseMs: number): Promise<boolean> {
  const rows = await db.update(paCursors).set({
    leaseUntil: sql`clock_timestamp() + ${ms(leaseMs)}`,
  })
    .where(and(eq(paCursors.name, FLOWS), eq(paCursors.leaseHolder, holder))).returning({
      name: paCursors.name,
    });
  return rows.length === 1;
}

/** `complete`: everything the platform knew when the turn began has been read. */
export async function endPollTurn(
  db: Db,
  holder: string,
  { complete }: { complete: boolean },
): Promise<void> {
  await db.update(paCursors).set({
    leaseHolder: null,
    leaseUntil: null,
    ...complete && { coversUntil: sql`started_at` },
  }).where(and(eq(paCursors.name, FLOWS), eq(paCursors.leaseHolder, holder)));
}

/** Says how far was read. False when the turn is somebody else's by now: nothing read here may be kept. */
export async function moveReading(tx: Db, holder: string, to: Partial<Reading>): Promise<boolean> {
  const rows = await tx.update(paCursors).set({
    ...to.updatedAfter !== undefined && { updatedAfter: to.updatedAfter },
    cursor: to.cursor ?? null,
    scanNewest: to.scanNewest ?? null,
    updatedAt: sql`now()`,
  }).where(and(eq(paCursors.name, FLOWS), eq(paCursors.leaseHolder, holder))).returning({
    name: paCursors.name,
  });
  return rows.length === 1;
}

/** Of these flows, the acknowledgement state each was handled in. */
export async function handledFlows(
  db: Db,
  flowIds: readonly string[],
): Promise<Map<string, string>> {
  if (!flowIds.length) return new Map();
  const rows = await db.select({ flowId: paFlows.flowId, ack: paFlows.ackStatus }).from(paFlows)
    .where(inArray(paFlows.flowId, [...flowIds]));
  return new Map(rows.map((it) => [it.flowId, it.ack]));
}

export async function markHandled(
  tx: Db,
  flows: readonly (typeof paFlows.$inferInsert)[],
): Promise<void> {
  if (!flows.length) return;
  await tx.insert(paFlows).values([...flows]).onConflictDoUpdate({
    target: paFlows.flowId,
    set: {
      ackStatus: sql`excluded.ack_status`,
      flowType: sql`excluded.flow_type`,
      updatedAt: sql`excluded.updated_at`,
      trackingId: sql`coalesce(excluded.tracking_id, ${paFlows.trackingId})`,
      submittedAt: sql`coalesce(excluded.submitted_at, ${paFlows.submittedAt})`,
      handledAt: sql`now()`,
    },
  });
}

/** One sending of an invoice, and when the platform says it took it. */
export interface KnownSending {
  readonly invoiceId: number;
  readonly generation: number;
  readonly state: SubmissionState;
  readonly createdAt: Date;
  readonly submittedAt: string | null;
}

export async function sendingsOf(tx: Db, invoiceIds: readonly number[]): Promise<KnownSending[]> {
  if (!invoiceIds.length) return [];
  return await tx.select({
    invoiceId: submissions.invoiceId,
    generation: submissions.generation,
    state: submissions.state,
    createdAt: submissions.createdAt,
    submittedAt: sql<
      string | null
    >`(select min(submitted_at) from pa_flows where tracking_id = submissions.id::text or flow_id = submissions.flow_id)`,
  }).from(submissions).where(inArray(submissions.invoiceId, [...invoiceIds])).orderBy(
    submissions.generation,
  );
}

/** Holds every invoice with one of these numbers, in the order of their ids. */
export async function lockByNumbers(tx: Db, numbers: readonly string[]) {
  if (!numbers.length) return [];
  return await tx.select().from(invoices).where(inArray(invoices.ublNumber, [...numbers]))
    .orderBy(asc(invoices.id)).for("update");
}

/** Flows of ours by what we know them by: our tracking id, and the platform's id where its listing hides ours. */
export interface OwnFlow {
  readonly flowId: string;
  readonly trackingId: string | undefined;
}

function isOneOf(flows: readonly OwnFlow[]) {
  const ids = flows.flatMap((it) =>
    it.trackingId !== undefined && isUuid(it.trackingId) ? [it.trackingId] : []
  );
  const byFlow = inArray(submissions.flowId, flows.map((it) => it.flowId));
  return ids.length ? or(inArray(submissions.id, ids), byFlow) : byFlow;
}

/** The sendings these flows belong to, held until the transaction ends. */
export async function lockSendings(tx: Db, flows: readonly OwnFlow[]) {
  if (!flows.length) return [];
  return await tx.select().from(submissions).where(isOneOf(flows)).orderBy(asc(submissions.id)).for(
    "update",
  );
}

export async function invoiceOfSending(db: Db, flow: OwnFlow): Promise<number | undefined> {
  const [row] = await db.select({ invoiceId: submissions.invoiceId }).from(submissions).where(
    isOneOf([flow]),
  );
  return row?.invoiceId;
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}

export type AsideFields = Omit<typeof paQuarantine.$inferInsert, "nextAt"> & {
  /** Tried again by itself after so long; never when absent. */
  readonly waitMs?: number | undefined;
};

export async function putAside(tx: Db, rows: readonly AsideFields[]): Promise<void> {
  if (!rows.length) return;
  const values = rows.map(({ waitMs, ...row }) => ({
    ...row,
    nextAt: waitMs === undefined ? null : sql`now() + ${ms(waitMs)}`,
  }));
  await tx.insert(paQuarantine).values(values).onConflictDoUpdate({
    target: paQuarantine.flowId,
    set: {
      kind: sql`excluded.kind`,
      reason: sql`excluded.reason`,
      content: sql`coalesce(excluded.content, ${paQuarantine.content})`,
      metadata: sql`coalesce(excluded.metadata, ${paQuarantine.metadata})`,
      nextAt: sql`excluded.next_at`,
      invoiceNumber: sql`excluded.invoice_number`,
      supplierSiren: sql`excluded.supplier_siren`,
      attempts: sql`${paQuarantine.attempts} + 1`,
    },
  });
}

export async function takeBack(tx: Db, flowIds: readonly string[]): Promise<void> {
  if (flowIds.length) {
    await tx.delete(paQuarantine).where(inArray(paQuarantine.flowId, [...flowIds]));
  }
}

export async function findAside(db: Db, flowId: string): Promise<QuarantineRow | undefined> {
  const [row] = await db.select().from(paQuarantine).where(eq(paQuarantine.flowId, flowId));
  return row;
}

export async function listAside(
  db: Db,
  { kind, page, pageSize }: { kind?: QuarantineKind | undefined; page: number; pageSize: number },
): Promise<{ flows: QuarantineRow[]; total: number }> {
  const where = kind && eq(paQuarantine.kind, kind);
  const flows = await db.select().from(paQuarantine).where(where)
    .orderBy(desc(paQuarantine.createdAt), asc(paQuarantine.flowId)).limit(pageSize).offset(
      (page - 1) * pageSize,
    );
  const [all] = await db.select({ n: count() }).from(paQuarantine).where(where);
  return { flows, total: all?.n ?? 0 };
}

/** Flows set aside that may fare better now: due for another try, or waiting for an invoice that is there by now. */
export async function dueAside(db: Db, limit: number): Promise<QuarantineRow[]> {
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
