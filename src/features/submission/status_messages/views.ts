import { and, eq, exists, gt, gte, inArray, notExists, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { invoices, statusMessages } from "#drizzle/schema/mod.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import { shown } from "#src/kernel/sentences/kept.ts";
import { paymentsIn } from "#src/features/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { listPage } from "#src/sql/list.ts";
import type { MessageRow } from "./store.ts";

export function showMessages(messages: readonly MessageRow[], language: Language) {
  return messages.map((it) => showMessage(it, language));
}

/**
 * One page of those that wait for a person, newest first: they stand still, or the PA refused the last one of an invoice whose
 * status has not changed since.
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
      where: isStuck(db),
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

function isStuck(db: Db) {
  const later = alias(statusMessages, "later");
  const isLast = notExists(
    db.select({ one: sql`1` }).from(later).where(and(
      eq(later.invoiceId, statusMessages.invoiceId),
      gt(later.createdAt, statusMessages.createdAt),
    )),
  );
  const isUnchanged = exists(
    db.select({ one: sql`1` }).from(invoices).where(and(
      eq(invoices.id, statusMessages.invoiceId),
      gte(statusMessages.createdAt, invoices.statusAt),
    )),
  );
  return and(
    inArray(statusMessages.state, ["parked", "refused"]), // as the condition of the index
    or(eq(statusMessages.state, "parked"), and(isLast, isUnchanged)),
  );
}

function showMessage(it: MessageRow, language: Language) {
  return {
    id: it.id,
    status: it.statusCode,
    state: it.state,
    flowId: it.flowId,
    attempts: it.attempts,
    lastError: shown(language, it, "lastError"),
    createdBy: it.createdBy,
    amounts: [...paymentsIn(it.content)],
    occurredAt: it.occurredAt.toISOString().slice(0, 19),
    createdAt: it.createdAt.toISOString(),
  };
}
