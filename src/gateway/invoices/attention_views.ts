import { and, arrayOverlaps, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import { invoices, lifecycleEvents } from "#drizzle/schema/mod.ts";
import {
  type AttentionDefinition,
  ATTENTIONS,
  isRaisedBy,
  STORED_ATTENTIONS,
} from "#src/domain/invoice/attention.ts";
import { reasonLabel } from "#src/domain/invoice/reasons.ts";
import { findStatus, HANDLEABLE_STATUSES, WAITING_STATUSES } from "#src/domain/invoice/status.ts";
import type { Language } from "#src/kernel/language.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import type { Db } from "#src/ports/db.ts";
import type { InvoiceRow } from "./store.ts";

/**
 * Values of the filter. `any` selects every invoice with a point, `status` the sales whose status waits for a person, and
 * `waiting` both.
 */
export const ATTENTION_FILTERS = [
  "any",
  "waiting",
  "status",
  ...ATTENTIONS.map((it) => it.code),
] as const;
export type AttentionFilter = typeof ATTENTION_FILTERS[number];

const IS_UNDECIDED = eq(invoices.treatment, "UNDECIDED");
/** Selects the invoices with a point; the index `invoices_attention` has them all. */
const HAS_POINT = sql`(${invoices.attention} is not null or ${invoices.treatment} = 'UNDECIDED')`;
const HAS_NO_POINT =
  sql`${invoices.attention} is null and ${invoices.treatment} is distinct from 'UNDECIDED'`;
const IS_SALE = sql`${invoices.direction} = 'issued'`;

/** Selects the invoices whose status no person marked as handled. */
export const IS_STATUS_OPEN: SQL =
  sql`${invoices.handledStatusAt} is distinct from ${invoices.statusAt}`;
const HAS_WAITING_STATUS = sql`(${invoices.status} in (${
  sql.raw(WAITING_STATUSES.map((it) => `'${it}'`).join())
}) and ${IS_STATUS_OPEN})`;

/** Selects the sales with a point whose status does not wait for a person. */
export const IS_SALE_WITH_POINT_ONLY: SQL =
  sql`(${IS_SALE} and ${HAS_POINT} and not ${HAS_WAITING_STATUS})`;

/** Selects the invoices with one of these points, or whose status waits for a person. */
export function waitsForPerson(filters: readonly AttentionFilter[]): SQL | undefined {
  const isEach = filters.includes("waiting");
  const stored = STORED_ATTENTIONS.filter((it) => filters.includes(it));
  return or(
    isEach || filters.includes("any") ? HAS_POINT : undefined,
    isEach || filters.includes("status") ? and(IS_SALE, HAS_WAITING_STATUS) : undefined,
    stored.length ? arrayOverlaps(invoices.attention, stored) : undefined,
    filters.includes("treatment-undecided") ? IS_UNDECIDED : undefined,
  );
}

/**
 * Returns disjoint parts of the filter `waiting` or of `status` alone; undefined for other filters. An index serves each part
 * in the order of issue dates.
 */
export function divideWaiting(filters: readonly AttentionFilter[]): readonly SQL[] | undefined {
  const byStatus = WAITING_STATUSES.map((it) =>
    sql`(${eq(invoices.status, it)} and ${IS_SALE} and ${IS_STATUS_OPEN})`
  );
  if (filters.includes("waiting")) {
    return [HAS_POINT, ...byStatus.map((it) => sql`(${it} and ${HAS_NO_POINT})`)];
  }
  return filters.join() === "status" ? byStatus : undefined;
}

type Marked = Pick<InvoiceRow, "direction" | "handledStatusAt" | "status" | "statusAt">;

/** Returns true for a sale whose status a person can mark as handled, and nobody did. */
export function isStatusOpen(invoice: Marked): boolean {
  return canBeMarked(invoice) && !isMarked(invoice);
}

/** Returns true for a sale whose present status a person marked as handled. */
export function isStatusHandled(invoice: Marked): boolean {
  return canBeMarked(invoice) && isMarked(invoice);
}

function canBeMarked({ direction, status }: Pick<Marked, "direction" | "status">): boolean {
  return direction === "issued" && HANDLEABLE_STATUSES.includes(status);
}

/** Returns true if a person marked the present status of an invoice as handled. */
export function isMarked(
  { handledStatusAt, statusAt }: Pick<Marked, "handledStatusAt" | "statusAt">,
) {
  return handledStatusAt?.getTime() === statusAt.getTime();
}

/** The mark of a status as handled, with the author, the time and the comment; null for a status that cannot be marked. */
export function handlingView(
  { isHandled, handledAt, handledBy, handledComment, ...invoice }:
    & Pick<InvoiceRow, "direction" | "handledBy" | "handledComment" | "status">
    & {
      readonly isHandled: boolean;
      /** Lists read the time as text. */
      readonly handledAt: Date | string | null;
    },
) {
  if (!canBeMarked(invoice)) return null;
  const isKnown = isHandled && handledAt !== null;
  return {
    isHandled,
    at: isKnown ? new Date(handledAt).toISOString() : null,
    by: isKnown ? handledBy : null,
    comment: isKnown ? handledComment : null,
  };
}

type Points = Pick<InvoiceRow, "attention" | "treatment">;

/** The open points of an invoice, the gravest first. */
export function attentionView(invoice: Points, language: Language) {
  return openPoints(invoice).map((it) => labelAttention(it, language));
}

function openPoints({ attention, treatment }: Points): AttentionDefinition[] {
  return ATTENTIONS.filter(({ code }) =>
    code === "treatment-undecided" ? treatment === "UNDECIDED" : attention?.includes(code)
  );
}

function labelAttention({ code, ...labels }: AttentionDefinition, language: Language) {
  return { code, label: labels[language], labelEn: labels.en };
}

/** The open points of an invoice, each with its event, moment, author, reason and next step. */
export async function attentionDetails(
  db: Db,
  invoice: Points & Pick<InvoiceRow, "id">,
  language: Language,
) {
  const points = openPoints(invoice);
  const codes = points.flatMap((it) => it.status ?? []);
  const events = codes.length
    ? await db.select().from(lifecycleEvents)
      .where(and(
        eq(lifecycleEvents.invoiceId, invoice.id),
        inArray(lifecycleEvents.statusCode, codes),
      ))
      .orderBy(desc(lifecycleEvents.seq))
    : [];
  return points.map((it) => {
    const event = events.find((event) => isRaisedBy(it, { ...event, code: event.statusCode }));
    const reasonCode = event?.reasonCode ?? null;
    return {
      ...labelAttention(it, language),
      happened: it.happened[language],
      todo: it.todo[language],
      at: event?.occurredAt.toISOString() ?? null,
      by: event ? getAuthor(event) : null,
      reasonCode,
      reasonLabel: reasonCode === null ? null : reasonLabel(reasonCode, language),
      message: event ? readColumns(language, event, "message") : "",
    };
  });
}

/** Role code of the public portal in lifecycle messages. */
const PORTAL_ROLE = "DFH";

function getAuthor(
  { statusCode, source, data }: Pick<
    typeof lifecycleEvents.$inferSelect,
    "data" | "source" | "statusCode"
  >,
): string {
  if (source !== "pa") return source;
  const setters = findStatus(statusCode)?.setBy ?? [];
  const issuer = data?.["issuer"] as { role?: unknown } | undefined;
  const isPortal = setters.every((it) => it === "ppf") || issuer?.role === PORTAL_ROLE;
  return isPortal ? "portal" : "pa";
}
