import { and, arrayOverlaps, desc, eq, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import { invoices, lifecycleEvents } from "#drizzle/schema/mod.ts";
import {
  type Attention,
  type AttentionDefinition,
  ATTENTIONS,
  isRaisedBy,
} from "#src/domain/invoice/attention.ts";
import { reasonLabel } from "#src/domain/invoice/reasons.ts";
import { findStatus } from "#src/domain/invoice/status.ts";
import type { Language } from "#src/kernel/language.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import type { Db } from "#src/ports/db.ts";
import type { InvoiceRow } from "./store.ts";

/** Values of the filter; `any` selects every invoice that waits for a person. */
export const ATTENTION_FILTERS = ["any", ...ATTENTIONS.map((it) => it.code)] as const;
export type AttentionFilter = "any" | Attention;

/** Selects the invoices with one of these points; the index `invoices_attention` has them all. */
export function waitsForPerson(filters: readonly AttentionFilter[]): SQL | undefined {
  const isUndecided = eq(invoices.treatment, "UNDECIDED");
  if (filters.includes("any")) return or(isNotNull(invoices.attention), isUndecided);
  const stored = filters.flatMap((it) => it === "any" || it === "treatment-undecided" ? [] : [it]);
  return or(
    stored.length ? arrayOverlaps(invoices.attention, stored) : undefined,
    filters.includes("treatment-undecided") ? isUndecided : undefined,
  );
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
