import { and, eq, inArray, ne, type SQL, sql } from "drizzle-orm";
import {
  invoices,
  notificationDeliveries as deliveries,
  paQuarantine,
  statusMessages,
  submissions,
  tasks,
} from "#drizzle/schema/mod.ts";
import { shiftDay } from "#src/domain/finance/mod.ts";
import type { Attention } from "#src/domain/invoice/attention.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import {
  IS_SALE_WITH_POINT_ONLY,
  IS_STATUS_OPEN,
  IS_UNANSWERED,
  matching,
  OPEN_AMOUNT,
  SIGNED_TOTAL,
  waitsForPerson,
} from "#src/gateway/invoices/mod.ts";
import { deliverTask } from "#src/gateway/notifications/mod.ts";
import { isStuckMessage, isStuckSubmission } from "#src/gateway/submission/mod.ts";
import { ZONE } from "#src/platform/exports/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { STOPPED } from "#src/ports/task_queue.ts";

/** Sales with an amount to collect. Credit notes are deducted from payments, so nobody waits for them. */
export const TO_COLLECT = { role: "seller", open: true, payable: true } as const;

/** Kinds of work that wait for a person, the most urgent first. */
export const WAITING_KINDS = [
  "connection-failed",
  "submission-stuck",
  "send-failed",
  "rejected-by-rules",
  "rejected-by-platform",
  "portal-refused",
  "inadmissible",
  "not-routed",
  "not-transmitted",
  "treatment-undecided",
  "refused",
  "disputed",
  "suspended",
  "status-not-accepted",
  "status-refused",
  "filed-differently",
  "content-differs",
  "unanswered",
  "overdue",
  "quarantined",
  "email-given-up",
  "task-stopped",
] as const;
type WaitingKind = typeof WAITING_KINDS[number];

/** Days after which an e-mail that was given up no longer counts, even if nobody dismissed it. */
export const EMAIL_DAYS = 7;

/** Records that the caller may see. */
export interface Sight {
  readonly withInvoices: boolean;
  readonly withTasks: boolean;
  readonly withEmails: boolean;
}

/** Kinds of sales by their status. An invoice has one status, so it is of one of these kinds at most. */
export const KINDS_BY_STATUS = [
  "send-failed",
  "rejected-by-rules",
  "rejected-by-platform",
  "refused",
  "disputed",
  "suspended",
] as const satisfies readonly WaitingKind[];
/** Sales with a point whose status is of no kind. With those kinds, they are all sales that wait, each once. */
export const POINT_ONLY = "sale-with-point-only";

/** Most records that are counted of one kind. */
export const MAX_WAITING = 10_000;

/** Work of one kind in one currency. */
export interface WaitingRow {
  readonly kind: WaitingKind | typeof POINT_ONLY;
  /** Null for work without an invoice. */
  readonly currency: string | null;
  readonly count: number;
  readonly amount: string | null;
  /** Day of the oldest record, in Paris. */
  readonly oldest: string | null;
}

/** Counts the records that wait for a person, in one statement. */
export async function countWaiting(
  db: Db,
  { today, withInvoices, withTasks, withEmails }: Sight & { readonly today: string },
): Promise<WaitingRow[]> {
  const kinds: (readonly [string, SQL])[] = [
    ...withInvoices
      ? [
        ...Object.entries(selectInvoices(today)),
        [POINT_ONLY, invoicesOf(IS_SALE_WITH_POINT_ONLY)] as const,
        ...Object.entries(selectExchanges(db)),
      ]
      : [],
    ...withTasks ? [["task-stopped", selectTasks()] as const] : [],
    ...withEmails ? [["email-given-up", selectEmails()] as const] : [],
  ];
  if (kinds.length === 0) return [];
  const counts = kinds.map(([kind, rows]) =>
    sql`select ${kind}::text as kind, currency, count(*)::int as count, sum(amount)::text as amount,
      min(day)::text as oldest from (${rows} limit ${sql.raw(String(MAX_WAITING + 1))}) it
      group by currency`
  );
  return getRows<WaitingRow>(await db.execute(sql.join(counts, sql` union all `)));
}

function selectInvoices(today: string) {
  return {
    "send-failed": invoicesOf(waitsIn(STATUS.sendFailed)),
    "rejected-by-rules": invoicesOf(waitsIn(STATUS.validationFailed)),
    "rejected-by-platform": invoicesOf(waitsIn(STATUS.rejected)),
    ...Object.fromEntries(POINTS.map((it) => [it, invoicesOf(waitsForPerson([it]))])),
    refused: invoicesOf(waitsIn(STATUS.refused)),
    disputed: invoicesOf(waitsIn(STATUS.disputed)),
    suspended: invoicesOf(waitsIn(STATUS.suspended)),
    unanswered: invoicesOf(IS_UNANSWERED, { day: dayOf(invoices.createdAt) }),
    overdue: invoicesOf(matching({ ...TO_COLLECT, dueTo: shiftDay(today, -1) }), {
      amount: OPEN_AMOUNT,
      day: sql`${invoices.dueDate}`,
    }),
  } satisfies Partial<Record<WaitingKind, SQL>>;
}

const POINTS = [
  "portal-refused",
  "inadmissible",
  "not-routed",
  "not-transmitted",
  "treatment-undecided",
  "status-refused",
  "filed-differently",
  "content-differs",
] as const satisfies readonly Attention[];

/** Selects the index entries of a status; the direction is a literal, so that the plan knows it. */
export function isIssued(status: string): SQL | undefined {
  return and(eq(invoices.status, status), sql`${invoices.direction} = 'issued'`);
}

/** Selects the sales of a status that no person marked as handled. */
function waitsIn(status: string): SQL | undefined {
  return and(isIssued(status), IS_STATUS_OPEN);
}

function invoicesOf(
  where: SQL | undefined,
  { amount = SIGNED_TOTAL, day = dayOf(invoices.statusAt) }: { amount?: SQL; day?: SQL } = {},
): SQL {
  return sql`select ${invoices.currency} as currency, ${amount} as amount, ${day} as day
    from ${invoices} where ${where}`;
}

function selectExchanges(db: Db) {
  return {
    "submission-stuck": sql`select ${invoices.currency} as currency, ${SIGNED_TOTAL} as amount,
      ${dayOf(submissions.createdAt)} as day from ${submissions}
      join ${invoices} on ${invoices.id} = ${submissions.invoiceId}
      where ${isStuckSubmission(db)}`,
    "status-not-accepted": sql`select ${invoices.currency} as currency, ${SIGNED_TOTAL} as amount,
      ${dayOf(statusMessages.createdAt)} as day from ${statusMessages}
      join ${invoices} on ${invoices.id} = ${statusMessages.invoiceId}
      where ${isStuckMessage(db)}`,
    quarantined: sql`select null as currency, null::numeric as amount,
      ${dayOf(paQuarantine.createdAt)} as day from ${paQuarantine}`,
  } satisfies Partial<Record<WaitingKind, SQL>>;
}

/** Selects the stopped tasks without those of messages, which their deliveries report. */
function selectTasks(): SQL {
  return sql`select null as currency, null::numeric as amount, ${dayOf(tasks.createdAt)} as day
    from ${tasks} where ${
    and(inArray(tasks.state, [...STOPPED]), ne(tasks.name, deliverTask.name))
  }`;
}

function selectEmails(): SQL {
  return sql`select null as currency, null::numeric as amount, ${dayOf(deliveries.createdAt)} as day
    from ${deliveries} where ${eq(deliveries.state, "dead")} and ${eq(deliveries.channel, "email")}
    and ${deliveries.createdAt} > now() - make_interval(days => ${EMAIL_DAYS})`;
}

function dayOf(moment: SQL | { getSQL(): SQL }): SQL {
  return sql`(${moment} at time zone ${sql.raw(`'${ZONE}'`)})::date`;
}
