import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import { statusMessages } from "#drizzle/schema/mod.ts";
import type { StatusMessageState } from "#src/domain/submission/status_message.ts";
import { toEtag } from "#src/kernel/etag.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { selectInvoiceKey } from "#src/gateway/invoices/mod.ts";
import { breakerSql } from "#src/platform/outbound_limits/mod.ts";

export type MessageRow = typeof statusMessages.$inferSelect;

/** False when another status of the invoice is under way. */
export async function insertMessage(
  tx: Db,
  row: typeof statusMessages.$inferInsert,
): Promise<boolean> {
  const rows = await tx.insert(statusMessages).values(row).onConflictDoNothing().returning({
    id: statusMessages.id,
  });
  return rows.length === 1;
}

export interface BegunMessage {
  readonly id: string;
  readonly invoiceId: number;
  /** Formatted key of the invoice. */
  readonly invoice: string;
  readonly statusCode: string;
  readonly payload: string;
  readonly payloadSha256: string;
  /** The fence of everything this attempt writes. */
  readonly n: number;
  readonly probes: number;
  readonly createdAt: Date;
  /** An earlier attempt may have reached the PA. */
  readonly probe: boolean;
  /** Since a copy may have left, milliseconds. */
  readonly sinceSentMs: number;
  /** The PA has failures on record. */
  readonly troubled: boolean;
}

/**
 * Commits that an attempt is made. Returns undefined when nothing is left to do, or while the PA must not be called
 * without admission.
 */
export async function beginMessage(
  db: Db,
  id: string,
  { pa, admitted }: { pa: string; admitted: boolean },
): Promise<BegunMessage | undefined> {
  const result = await db.execute(sql`
    with before as (select updated_at from status_messages where id = ${id})
    update status_messages set attempts = attempts + 1, updated_at = clock_timestamp(),
      state = case when state = 'intent' then 'sending' else 'probing' end
    where id = ${id} and state in ('intent', 'sending', 'ambiguous', 'probing')
      and (${admitted} or ${breakerSql.isClosed(pa)})
    returning id, invoice_id as "invoiceId",
      ${
    selectInvoiceKey(sql`status_messages.invoice_id`)
  } as invoice, status_code as "statusCode", payload, payload_sha256 as "payloadSha256",
      attempts as n, probes, created_at as "createdAt", state = 'probing' as probe,
      (extract(epoch from clock_timestamp() - (select updated_at from before)) * 1000)::float8 as "sinceSentMs",
      ${breakerSql.isTroubled(pa)} as troubled`);
  const [row] = getRows<BegunMessage>(result);
  return row && { ...row, invoiceId: Number(row.invoiceId), createdAt: new Date(row.createdAt) };
}

/**
 * Turns a look-up without result into a transmission, before anything is sent. Returns false when the attempt is no
 * longer ours.
 */
export async function convertToTransmission(
  db: Db,
  { id, n }: Pick<BegunMessage, "id" | "n">,
): Promise<boolean> {
  const rows = await db.update(statusMessages).set({
    state: "sending",
    updatedAt: sql`clock_timestamp()`,
  }).where(and(
    eq(statusMessages.id, id),
    eq(statusMessages.attempts, n),
    eq(statusMessages.state, "probing"),
  )).returning({ id: statusMessages.id });
  return rows.length === 1;
}

export interface MessageEnd {
  readonly state: StatusMessageState;
  readonly flowId?: string | undefined;
  readonly lastError?: string | null;
  readonly lastErrorFr?: string | null;
  readonly probes?: number;
}

/** Returns false, without writing, when another attempt has begun or the message is settled. */
export async function endMessage(
  tx: Db,
  { id, n }: Pick<BegunMessage, "id" | "n">,
  end: MessageEnd,
): Promise<boolean> {
  const rows = await tx.update(statusMessages).set({ ...end, updatedAt: sql`clock_timestamp()` })
    .where(and(
      eq(statusMessages.id, id),
      eq(statusMessages.attempts, n),
      inArray(statusMessages.state, ["sending", "probing"]),
    )).returning({ id: statusMessages.id });
  return rows.length === 1;
}

/** Returns the messages of these flows, by our tracking id or the PA's, and locks them until the transaction ends. */
export async function lockMessages(
  tx: Db,
  flows: readonly { flowId: string; trackingId: string | undefined }[],
): Promise<MessageRow[]> {
  if (!flows.length) return [];
  const ids = flows.flatMap((it) =>
    it.trackingId !== undefined && UUID.test(it.trackingId) ? [it.trackingId] : []
  );
  const byFlow = inArray(statusMessages.flowId, flows.map((it) => it.flowId));
  const where = ids.length ? or(inArray(statusMessages.id, ids), byFlow) : byFlow;
  return await tx.select().from(statusMessages).where(where).orderBy(statusMessages.id).for(
    "update",
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Holds the row until the transaction ends. */
export async function lockMessage(tx: Db, id: string): Promise<MessageRow | undefined> {
  const [row] = await tx.select().from(statusMessages).where(eq(statusMessages.id, id)).for(
    "update",
  );
  return row;
}

/** Updates a message whose row the caller has locked. */
export async function updateMessage(tx: Db, id: string, fields: MessageEnd): Promise<void> {
  await tx.update(statusMessages).set({ ...fields, updatedAt: sql`clock_timestamp()` }).where(
    eq(statusMessages.id, id),
  );
}

/**
 * Returns the tag of the messages sent about an invoice. It changes with each new message and with each refused one.
 */
export function tagOfMessages(messages: readonly Pick<MessageRow, "state">[]): string {
  const refused = messages.filter((it) => it.state === "refused").length;
  return toEtag(`${messages.length}-${refused}`);
}

export async function listMessages(db: Db, invoiceId: number): Promise<MessageRow[]> {
  return await db.select().from(statusMessages).where(eq(statusMessages.invoiceId, invoiceId))
    .orderBy(desc(statusMessages.createdAt));
}
