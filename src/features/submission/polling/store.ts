import { and, asc, eq, inArray, or, sql } from "drizzle-orm";
import { paCursors, paFlows, paQuarantine, type QuarantineKind } from "#drizzle/schema/mod.ts";
import type { Counted, PageRequest } from "#src/kernel/page.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { listPage } from "#src/sql/list.ts";

export type QuarantineRow = typeof paQuarantine.$inferSelect;
export type { QuarantineKind };

const FLOWS = "flows";
const ms = (n: number) => sql`${n} * interval '1 millisecond'`;

/** How far the PA has been read. */
export interface Reading {
  readonly updatedAfter: string | undefined;
  readonly cursor: string | undefined;
  readonly scanNewest: string | undefined;
}

type PollTurn =
  | { readonly kind: "mine"; readonly reading: Reading }
  /** A poll that began after `asked` has ended: nothing is left to do. */
  | { readonly kind: "covered" }
  | { readonly kind: "busy" };

/** The database's time, by which polls are ordered. */
export async function databaseTime(db: Db): Promise<Date> {
  const [row] = rowsOf<{ now: string | Date }>(
    await db.execute(sql`select clock_timestamp() as now`),
  );
  return new Date(row?.now ?? 0);
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

/** `complete`: everything the PA knew when the turn began has been read. */
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

/** When the PA says it took these sendings, by the id of each; of several copies the first. */
export async function takenAt(
  db: Db,
  sendings: readonly { readonly id: string; readonly flowId: string | null }[],
): Promise<Map<string, string>> {
  if (!sendings.length) return new Map();
  const { flowId, submittedAt, trackingId } = paFlows;
  const rows = await db.select({ flowId, submittedAt, trackingId }).from(paFlows).where(or(
    inArray(trackingId, sendings.map((it) => it.id)),
    inArray(flowId, sendings.flatMap((it) => it.flowId ?? [])),
  )).orderBy(asc(submittedAt));
  return new Map(sendings.flatMap(({ id, flowId }) => {
    const first = rows.find((it) =>
      it.submittedAt !== null && (it.trackingId === id || it.flowId === flowId)
    );
    return first?.submittedAt ? [[id, first.submittedAt] as const] : [];
  }));
}

type QuarantineFields = Omit<typeof paQuarantine.$inferInsert, "nextAt"> & {
  /** Tried again by itself after so long; never when absent. */
  readonly waitMs?: number | undefined;
};

export async function quarantineFlows(tx: Db, rows: readonly QuarantineFields[]): Promise<void> {
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
      reasonFr: sql`excluded.reason_fr`,
      content: sql`coalesce(excluded.content, ${paQuarantine.content})`,
      metadata: sql`coalesce(excluded.metadata, ${paQuarantine.metadata})`,
      nextAt: sql`excluded.next_at`,
      invoiceNumber: sql`excluded.invoice_number`,
      supplierSiren: sql`excluded.supplier_siren`,
      attempts: sql`${paQuarantine.attempts} + 1`,
    },
  });
}

export async function releaseFlows(tx: Db, flowIds: readonly string[]): Promise<void> {
  if (flowIds.length) {
    await tx.delete(paQuarantine).where(inArray(paQuarantine.flowId, [...flowIds]));
  }
}

export async function findQuarantined(db: Db, flowId: string): Promise<QuarantineRow | undefined> {
  const [row] = await db.select().from(paQuarantine).where(eq(paQuarantine.flowId, flowId));
  return row;
}

export async function listQuarantined(
  db: Db,
  { kind, page }: { kind?: QuarantineKind | undefined; page: PageRequest },
): Promise<Counted & { flows: QuarantineRow[] }> {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: paQuarantine,
      id: paQuarantine.flowId,
      where: kind && eq(paQuarantine.kind, kind),
      keys: [paQuarantine.createdAt, paQuarantine.flowId],
      sortBy: "createdAt",
      sortDir: "desc",
      page,
    },
    (hits) =>
      db.select({ flow: paQuarantine, ...hits.fields }).from(hits.from)
        .innerJoin(paQuarantine, eq(paQuarantine.flowId, hits.id)).orderBy(hits.order),
  );
  return { flows: rows.map(({ flow }) => flow), ...counted };
}
