import { readColumns } from "#src/kernel/i18n/kept.ts";
import {
  and,
  asc,
  count,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  ne,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { foldedText } from "#drizzle/schema/expressions.ts";
import {
  connectionStates,
  inboxReads,
  invoices,
  lifecycleEvents,
  notificationDeliveries,
  tasks,
} from "#drizzle/schema/mod.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import {
  BROADCAST,
  type CallOutputs,
  createNotice,
  type InvoiceValues,
  READS_INVOICES,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import type { Deps } from "#src/deps.ts";
import { findInvoices, readSummaries } from "#src/gateway/invoices/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import { foldText, likeAnywhere } from "#src/kernel/text.ts";
import type { Actor } from "#src/ports/access.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { listPage } from "#src/platform/lists/list.ts";
import { isRetried } from "./store.ts";
import { deliverTask } from "./tasks.ts";

const d = notificationDeliveries;

/**
 * Progress of a delivery as the console shows it: its state, and three states in which it has an error although it did
 * not fail. A `paused` delivery was not attempted yet, because the mail server does not answer.
 */
export const PROGRESS = [
  "pending",
  "paused",
  "retried",
  "sent",
  "filed",
  "failed",
  "dead",
] as const;

interface DeliveryFilter {
  readonly id?: string | undefined;
  readonly progress?: (typeof PROGRESS)[number] | undefined;
  readonly state?: (typeof d.$inferSelect)["state"] | undefined;
  readonly channel?: (typeof d.$inferSelect)["channel"] | undefined;
  readonly rule?: string | undefined;
}

function hasProgress(progress: (typeof PROGRESS)[number]): SQL | undefined {
  switch (progress) {
    case "pending":
      return and(eq(d.state, "pending"), isNull(d.lastError));
    case "paused":
      return and(eq(d.state, "pending"), isNotNull(d.lastError), eq(d.attempts, 0));
    case "retried":
      return and(eq(d.state, "pending"), isNotNull(d.lastError), gt(d.attempts, 0));
    case "sent":
      return and(eq(d.state, "sent"), or(ne(d.channel, "email"), isNull(d.lastError)));
    case "filed":
      return and(eq(d.state, "sent"), eq(d.channel, "email"), isNotNull(d.lastError));
    default:
      return eq(d.state, progress);
  }
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
    filter.id !== undefined ? eq(d.id, filter.id) : undefined,
    filter.state && eq(d.state, filter.state),
    filter.progress && hasProgress(filter.progress),
    filter.channel && eq(d.channel, filter.channel),
  );
  const part = filter.rule?.trim();
  const rules = part ? await findRules(db, part) : undefined;
  // An index begins with the rule.
  const anyOf = rules && (rules.length ? rules.map((it) => eq(d.rule, it)) : [sql`false`]);
  const { rows, ...counted } = await listPage(
    db,
    { ...byDate, where, anyOf, page },
    (hits) =>
      db.select({ delivery: d, ...hits.fields }).from(hits.from)
        .innerJoin(d, eq(d.id, hits.id)).orderBy(hits.order),
  );
  const retried = rows.map((it) => it.delivery).filter(isRetried);
  const nextAttempts = await readNextAttempts(db, retried.map((it) => it.id));
  const outage = retried.some(isPaused) ? await readMailOutage(db) : null;
  const known = await findInvoices(db, rows.map(({ delivery }) => delivery.notice));
  const numbers = new Map(known.map((it) => [formatInvoiceKey(it), it.ublNumber]));
  return {
    deliveries: rows.map(({ delivery }) => ({
      ...deliveryView(delivery, language),
      number: numbers.get(formatInvoiceKey(delivery.notice)) ?? null,
      nextAttemptAt: nextAttempts.get(delivery.id)?.toISOString() ?? null,
      outageSince: isPaused(delivery) ? outage?.toISOString() ?? null : null,
    })),
    ...counted,
  };
}

/** Returns the rules with deliveries whose name contains a text. It finds each name in the index, not each delivery. */
async function findRules(db: Db, part: string): Promise<string[]> {
  const rows = getRows<{ rule: string }>(
    await db.execute(sql`with recursive names as (
        (select rule from ${d} order by rule limit 1)
        union all
        select (select it.rule from ${d} it where it.rule > names.rule order by it.rule limit 1)
        from names where names.rule is not null
      )
      select rule from names where ${like(foldedText(sql`rule`), likeAnywhere(foldText(part)))}`),
  );
  return rows.map(({ rule }) => rule);
}

/** Returns true for a delivery that waits for its first attempt until the mail server answers. */
function isPaused(delivery: typeof d.$inferSelect): boolean {
  return isRetried(delivery) && delivery.attempts === 0;
}

/** Returns the first failure of the mail server since its last success; null while it works. */
async function readMailOutage(db: Db): Promise<Date | null> {
  const [mail] = await db.select({ since: connectionStates.failingSince }).from(connectionStates)
    .where(eq(connectionStates.kind, "mail"));
  return mail?.since ?? null;
}

/** Returns the times of the next attempts of deliveries that wait for one, by delivery. */
async function readNextAttempts(db: Db, ids: readonly string[]): Promise<Map<string, Date>> {
  if (!ids.length) return new Map();
  const rows = await db.select({ payload: tasks.payload, at: tasks.runAt }).from(tasks).where(and(
    eq(tasks.name, deliverTask.name),
    eq(tasks.state, "ready"),
    inArray(sql`${tasks.payload}->>'deliveryId'`, [...ids]),
  ));
  return new Map(
    rows.map(({ payload, at }) => [deliverTask.payload.parse(payload).deliveryId, at]),
  );
}

function deliveryView({ notice, ...it }: typeof d.$inferSelect, language: Language) {
  const error = readColumns(language, it, "lastError");
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

/** Returns the outputs of a call, including its error, in the rule's language. */
function outputsTold(outputs: CallOutputs, error: string | null): CallOutputs {
  return error === null || outputs["error"] === undefined ? outputs : { ...outputs, error };
}

/** Limit of the displayed number of unread messages. */
const MAX_UNREAD = 1_000;

/** Owner of the inbox: the portal addresses of a user, or every address in an installation without accounts. */
export type InboxReader = {
  readonly username: string;
  readonly addresses: readonly string[] | "all";
};

/** Returns the inbox of a user. Without accounts it has the messages of everybody. */
export function findReader(
  { accounts }: Pick<Deps, "accounts">,
  actor: Actor,
): InboxReader {
  return {
    username: actor.username,
    addresses: accounts.enabled ? collectAddresses(actor) : "all",
  };
}

/**
 * Returns the portal addresses a user reads: the user's own, those of roles, and `*`. The latter needs the right to
 * read invoices, because broadcasts concern invoices.
 */
function collectAddresses(
  { username, roles, permissions }: Pick<Actor, "username" | "roles" | "permissions">,
): string[] {
  const everybody = permissions.grantOf(READS_INVOICES.code) === undefined ? [] : [BROADCAST];
  return [...everybody, `user:${username}`, ...roles.map((it) => `role:${it}`)];
}

export async function readInbox(
  db: Db,
  { reader, unread, language }: { reader: InboxReader; unread: boolean; language: Language },
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
  const known = await findInvoices(db, rows.map(({ delivery }) => delivery.notice));
  const invoiceOf = new Map(known.map((it) => [formatInvoiceKey(it), it]));
  const listed = await readSummaries(db, known.map((it) => it.id), language);
  const listedOf = new Map(
    listed.map((it) => [formatInvoiceKey({ doc: it.fedoc, dct: it.fedct, kco: it.kco }), it]),
  );
  return {
    messages: rows.map(({ delivery, readAt }) => {
      const key = formatInvoiceKey(delivery.notice);
      const invoice = invoiceOf.get(key);
      const view = inboxView(delivery, { readAt, language });
      const summary = listedOf.get(key);
      const partner = invoice?.direction === "received"
        ? invoice.supplierName
        : invoice?.customerName;
      return {
        ...view,
        number: invoice?.ublNumber ?? null,
        partner: partner ?? null,
        // A later status has its own reason.
        statusReason: summary?.status === view.status ? summary.statusReason : null,
      };
    }),
    ...counted,
    unread: await countUnread(db, reader),
  };
}

/** Returns the number of unread messages of a reader, up to a limit. */
export async function countUnread(db: Db, reader: InboxReader): Promise<number> {
  const read = and(eq(inboxReads.deliveryId, d.id), eq(inboxReads.username, reader.username));
  const isUnread = notExists(db.select({ one: sql`1` }).from(inboxReads).where(read));
  const unread = db.select({ id: d.id }).from(d).where(and(visibleTo(reader), isUnread))
    .limit(MAX_UNREAD);
  const [all] = await db.select({ unread: count() }).from(unread.as("unread"));
  return all?.unread ?? 0;
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

/** Returns false when the reader's inbox has no such record. */
export async function markRead(db: Db, id: string, reader: InboxReader): Promise<boolean> {
  const [found] = await db.select({ id: d.id }).from(d).where(and(eq(d.id, id), visibleTo(reader)));
  if (!found) return false;
  await db.insert(inboxReads).values({ deliveryId: id, username: reader.username })
    .onConflictDoNothing();
  return true;
}

/** Marks all messages of the reader as read. */
export async function markAllRead(db: Db, reader: InboxReader): Promise<void> {
  const mine = db.select({
    deliveryId: d.id,
    username: sql<string>`${reader.username}`.as("username"),
    readAt: sql<Date>`now()`.as("read_at"),
  }).from(d).where(visibleTo(reader));
  await db.insert(inboxReads).select(mine).onConflictDoNothing();
}

function visibleTo({ addresses }: InboxReader): SQL | undefined {
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
 * Lists the announced changes of a period, oldest first, as live dispatch received them. Among rows that were not
 * announced, a repeated status is no change.
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
    notice: createNotice(invoice, event.statusCode, event),
  }));
}
