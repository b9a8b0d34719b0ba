import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import {
  inboxReads,
  invoices,
  lifecycleEvents,
  notificationDeliveries,
} from "#drizzle/schema/mod.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { type Language, statusLabel } from "#src/domain/invoice/status.ts";
import { BROADCAST, type InvoiceValues, type StatusNotice } from "#src/domain/notification/mod.ts";
import type { Db } from "#src/ports/db.ts";

const d = notificationDeliveries;

export interface Page {
  readonly page: number;
  readonly pageSize: number;
}

export interface DeliveryFilter {
  readonly state?: (typeof d.$inferSelect)["state"] | undefined;
  readonly channel?: (typeof d.$inferSelect)["channel"] | undefined;
  readonly rule?: string | undefined;
}

export async function listDeliveries(db: Db, filter: DeliveryFilter, { page, pageSize }: Page) {
  const where = and(
    filter.state && eq(d.state, filter.state),
    filter.channel && eq(d.channel, filter.channel),
    filter.rule !== undefined ? eq(d.rule, filter.rule) : undefined,
  );
  const rows = await db.select().from(d).where(where).orderBy(desc(d.createdAt), asc(d.id))
    .limit(pageSize).offset((page - 1) * pageSize);
  const [all] = await db.select({ total: count() }).from(d).where(where);
  return { deliveries: rows.map(deliveryView), total: all?.total ?? 0 };
}

function deliveryView({ notice, ...it }: typeof d.$inferSelect) {
  return {
    id: it.id,
    eventId: it.eventId,
    rule: it.rule,
    channel: it.channel,
    address: it.address,
    state: it.state,
    invoice: formatInvoiceKey(notice),
    status: notice.status,
    subject: it.subject,
    outputs: it.outputs,
    attempts: it.attempts,
    error: it.lastError,
    createdAt: it.createdAt.toISOString(),
    settledAt: it.settledAt?.toISOString() ?? null,
  };
}

/** Whose inbox: the portal addresses of a user, or every address where nobody has an account. */
export type Reader = { readonly username: string; readonly addresses: readonly string[] | "all" };

export function addressesOf(username: string, roles: readonly string[]): string[] {
  return [BROADCAST, `user:${username}`, ...roles.map((it) => `role:${it}`)];
}

export async function inboxOf(
  db: Db,
  { reader, unread, language }: { reader: Reader; unread: boolean; language: Language },
  { page, pageSize }: Page,
) {
  const mine = visibleTo(reader);
  const where = unread ? and(mine, isNull(inboxReads.readAt)) : mine;
  const read = and(eq(inboxReads.deliveryId, d.id), eq(inboxReads.username, reader.username));
  const rows = await db.select({ delivery: d, readAt: inboxReads.readAt }).from(d).leftJoin(
    inboxReads,
    read,
  )
    .where(where).orderBy(desc(d.createdAt), asc(d.id)).limit(pageSize).offset(
      (page - 1) * pageSize,
    );
  const [all] = await db.select({
    total: unread
      ? sql<number>`count(*) filter (where ${inboxReads.readAt} is null)::int`
      : count(),
    unread: sql<number>`count(*) filter (where ${inboxReads.readAt} is null)::int`,
  }).from(d).leftJoin(inboxReads, read).where(mine);
  return {
    messages: rows.map(({ delivery, readAt }) => inboxView(delivery, { readAt, language })),
    total: all?.total ?? 0,
    unread: all?.unread ?? 0,
  };
}

function inboxView(
  { id, rule, address, subject, body, notice, createdAt }: typeof d.$inferSelect,
  { readAt, language }: { readAt: Date | null; language: Language },
) {
  return {
    id,
    rule,
    target: address,
    subject,
    message: body,
    invoice: formatInvoiceKey(notice),
    status: notice.status,
    statusLabel: statusLabel(notice.status, language),
    createdAt: createdAt.toISOString(),
    readAt: readAt?.toISOString() ?? null,
  };
}

/** False when there is no such record in the reader's inbox. */
export async function markRead(db: Db, id: string, reader: Reader): Promise<boolean> {
  const [found] = await db.select({ id: d.id }).from(d).where(and(eq(d.id, id), visibleTo(reader)));
  if (!found) return false;
  await db.insert(inboxReads).values({ deliveryId: id, username: reader.username })
    .onConflictDoNothing();
  return true;
}

function visibleTo({ addresses }: Reader): SQL | undefined {
  return and(
    eq(d.channel, "portal"),
    addresses === "all" ? undefined : inArray(d.address, [...addresses]),
  );
}

export interface PastChange {
  readonly at: Date;
  readonly notice: StatusNotice;
  readonly direction: "issued" | "received";
  readonly values: InvoiceValues;
}

/** The history of a period as status changes, oldest first; the same status twice in a row changed nothing. */
export async function pastChanges(
  db: Db,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<PastChange[]> {
  const e = lifecycleEvents;
  const before =
    sql`(select b.status_code from ${e} b where b.invoice_id = ${e.invoiceId} and b.seq = ${e.seq} - 1)`;
  const rows = await db.select({ event: e, invoice: invoices }).from(e).innerJoin(
    invoices,
    eq(invoices.id, e.invoiceId),
  )
    .where(
      and(
        gte(e.createdAt, from),
        lt(e.createdAt, to),
        or(sql`${before} is null`, sql`${before} <> ${e.statusCode}`),
      ),
    )
    .orderBy(asc(e.createdAt), asc(e.invoiceId), asc(e.seq)).limit(limit);
  return rows.map(({ event, invoice }) => ({
    at: event.createdAt,
    direction: invoice.direction,
    values: {
      ...invoice,
      fedoc: invoice.doc,
      fedct: invoice.dct,
      logPaUuid: invoice.paUuid,
      logStatusAt: invoice.statusAt,
    },
    notice: {
      doc: invoice.doc,
      dct: invoice.dct,
      kco: invoice.kco,
      status: event.statusCode,
      reason: event.reasonCode ?? "",
      action: event.actionCode ?? "",
      message: event.message,
    },
  }));
}
