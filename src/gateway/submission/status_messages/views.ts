import { and, desc, eq, gt, inArray, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { invoices, lifecycleEvents, statusMessages } from "#drizzle/schema/mod.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import { paymentsIn } from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { listPage } from "#src/platform/lists/list.ts";
import type { MessageRow } from "./store.ts";

/** Lists the messages sent about an invoice, newest first, and whether each awaits a person. */
export async function showMessages(db: Db, invoiceId: number, language: Language) {
  const rows = await db.select({ message: statusMessages, isStuck: isStuckMessage(db) })
    .from(statusMessages).where(eq(statusMessages.invoiceId, invoiceId))
    .orderBy(desc(statusMessages.createdAt));
  return rows.map(({ message, isStuck }) => ({ ...showMessage(message, language), isStuck }));
}

/**
 * Lists one page of messages that await a person, newest first. They are blocked, or the PA refused an invoice's last
 * message and its status has not changed since.
 */
export async function listStuckMessages(
  db: Db,
  { page, language }: { page: PageRequest; language: Language },
) {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: statusMessages,
      id: statusMessages.id,
      where: isStuckMessage(db),
      keys: [statusMessages.createdAt, statusMessages.id],
      sortBy: "createdAt",
      sortDir: "desc",
      page,
    },
    (hits) =>
      db.select({ message: statusMessages, ...INVOICE, ...hits.fields }).from(hits.from)
        .innerJoin(statusMessages, eq(statusMessages.id, hits.id))
        .innerJoin(invoices, eq(invoices.id, statusMessages.invoiceId)).orderBy(hits.order),
  );
  return {
    messages: rows.map(({ message, ublNumber, direction, ...key }) => ({
      ...showMessage(message, language),
      invoice: formatInvoiceKey(key),
      ublNumber,
      direction,
    })),
    ...counted,
  };
}

const INVOICE = {
  doc: invoices.doc,
  dct: invoices.dct,
  kco: invoices.kco,
  ublNumber: invoices.ublNumber,
  direction: invoices.direction,
};

/** Selects the messages that wait for a person. */
export function isStuckMessage(db: Db) {
  const later = alias(statusMessages, "later");
  const isLast = notExists(
    db.select({ one: sql`1` }).from(later).where(and(
      eq(later.invoiceId, statusMessages.invoiceId),
      gt(later.createdAt, statusMessages.createdAt),
    )),
  );
  // Uses the time of recording, because the PA's clock names no time zone.
  const isUnchanged = notExists(
    db.select({ one: sql`1` }).from(lifecycleEvents).where(and(
      eq(lifecycleEvents.invoiceId, statusMessages.invoiceId),
      gt(lifecycleEvents.createdAt, statusMessages.updatedAt),
      sql`${lifecycleEvents.announced} is not false`,
    )),
  );
  // The list of states as the condition of the index.
  const states = inArray(statusMessages.state, ["parked", "refused"]);
  return sql<
    boolean
  >`(${states} and (${statusMessages.state} = 'parked' or (${isLast} and ${isUnchanged})))`;
}

function showMessage(it: MessageRow, language: Language) {
  return {
    id: it.id,
    status: it.statusCode,
    state: it.state,
    flowId: it.flowId,
    attempts: it.attempts,
    lastError: readColumns(language, it, "lastError"),
    createdBy: it.createdBy,
    amounts: [...paymentsIn(it.content)],
    occurredAt: it.occurredAt.toISOString().slice(0, 19),
    createdAt: it.createdAt.toISOString(),
  };
}

/** States in which a message blocks further messages of its invoice. */
const UNSETTLED = ["intent", "sending", "ambiguous", "probing", "sent", "parked"] as const;

/** Returns those of the invoices that have a message which the PA has not settled. */
export async function findUnsettled(db: Db, invoiceIds: readonly number[]): Promise<Set<number>> {
  if (!invoiceIds.length) return new Set();
  const { invoiceId, state } = statusMessages;
  const rows = await db.selectDistinct({ id: invoiceId }).from(statusMessages)
    .where(and(inArray(invoiceId, [...invoiceIds]), inArray(state, [...UNSETTLED])));
  return new Set(rows.map((it) => it.id));
}
