import { shown } from "#src/kernel/sentences/kept.ts";
import { and, asc, count, eq, gte, inArray, lt, notExists, type SQL, sql } from "drizzle-orm";
import {
  inboxReads,
  invoices,
  lifecycleEvents,
  notificationDeliveries,
} from "#drizzle/schema/mod.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import {
  BROADCAST,
  type CallOutputs,
  type InvoiceValues,
  noticeOf,
  READS_INVOICES,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import type { Actor } from "#src/ports/access.ts";
import type { Db } from "#src/ports/db.ts";
import { listPage } from "#src/sql/list.ts";

const d = notificationDeliveries;

interface DeliveryFilter {
  readonly state?: (typeof d.$inferSelect)["state"] | undefined;
  readonly channel?: (typeof d.$inferSelect)["channel"] | undefined;
  readonly rule?: string | undefined;
}

/** Newest first. */
const byDate = {
  table: d,
  id: d.id,
  keys: [d.createdAt, d.id],
  sortBy: "createdAt",
  sortDir: "desc",
} as const;

export async function listDeliveries(
  db: Db,
  filter: DeliveryFilter,
  { page, language }: { page: PageRequest; language: Language },
) {
  const where = and(
    filter.state && eq(d.state, filter.state),
    filter.channel && eq(d.channel, filter.channel),
    filter.rule !== undefined ? eq(d.rule, filter.rule) : undefined,
  );
  const { rows, ...counted } = await listPage(
    db,
    { ...byDate, where, page },
    (hits) =>
      db.select({ delivery: d, ...hits.fields }).from(hits.from)
        .innerJoin(d, eq(d.id, hits.id)).orderBy(hits.order),
  );
  return {
    deliveries: rows.map(({ delivery }) => deliveryView(delivery, language)),
    ...counted,
  };
}

function deliveryView({ notice, ...it }: typeof d.$inferSelect, language: Language) {
  const error = shown(language, it, "lastError");
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
    outputs: it.outputs && outputsTold(it.outputs, error),
    attempts: it.attempts,
    error,
    createdAt: it.createdAt.toISOString(),
    settledAt: it.settledAt?.toISOString() ?? null,
  };
}

/** The rule has them in its own language, what went wrong included. */
function outputsTold(outputs: CallOutputs, error: string | null): CallOutputs {
  return error === null || outputs["error"] === undefined ? outputs : { ...outputs, error };
}

/** Nobody is told of more unread messages. */
const MOST_UNREAD = 1_000;

/** Whose inbox: the portal addresses of a user, or every address where nobody has an account. */
export type Reader = { readonly username: string; readonly addresses: readonly string[] | "all" };

/**
 * Portal addresses a user reads: their own, those of their roles, and `*` for those who may read invoices, since
 * what is said to everybody is said of invoices.
 */
export function addressesOf(
  { username, roles, permissions }: Pick<Actor, "username" | "roles" | "permissions">,
): string[] {
  const everybody = permissions.grantOf(READS_INVOICES.code) === undefined ? [] : [BROADCAST];
  return [...everybody, `user:${username}`, ...roles.map((it) => `role:${it}`)];
}

export async function inboxOf(
  db: Db,
  { reader, unread, language }: { reader: Reader; unread: boolean; language: Language },
  page: PageRequest,
) {
  const mine = visibleTo(reader);
  const read = and(eq(inboxReads.deliveryId, d.id), eq(inboxReads.username, reader.username));
  const isUnread = notExists(db.select({ one: sql`1` }).from(inboxReads).where(read));
  const { rows, ...counted } = await listPage(
    db,
    { ...byDate, where: unread ? and(mine, isUnread) : mine, page },
    (hits) =>
      db.select({ delivery: d, readAt: inboxReads.readAt, ...hits.fields }).from(hits.from)
        .innerJoin(d, eq(d.id, hits.id)).leftJoin(inboxReads, read).orderBy(hits.order),
  );
  const unreadOnes = db.select({ id: d.id }).from(d).where(and(mine, isUnread)).limit(MOST_UNREAD);
  const [all] = await db.select({ unread: count() }).from(unreadOnes.as("unread"));
  return {
    messages: rows.map(({ delivery, readAt }) => inboxView(delivery, { readAt, language })),
    ...counted,
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

interface PastChange {
  readonly at: Date;
  readonly notice: StatusNotice;
  readonly direction: "issued" | "received";
  readonly values: InvoiceValues;
}

/**
 * What was announced of a period, oldest first: what live dispatch was asked about. Of rows that do not say it, the same status
 * twice in a row changed nothing.
 */
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
        sql`coalesce(${e.announced}, ${before} is distinct from ${e.statusCode})`,
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
    notice: noticeOf(invoice, event.statusCode, event),
  }));
}
