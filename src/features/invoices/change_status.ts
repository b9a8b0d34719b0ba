import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { applyEvent, type Effect } from "#src/domain/invoice/lifecycle.ts";
import { STATUS, statusLabel, storedCode } from "#src/domain/invoice/status.ts";
import { checkTransition } from "#src/domain/invoice/status_transition.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { appendEvents, type InvoiceRow, isRecorded, lockInvoice, updateInvoice } from "./store.ts";

/** Something that happened to an invoice, as the pipeline, the PA or a person tells it. */
export interface StatusEvent {
  /** National or stored code; unknown ones are kept. */
  readonly code: string;
  readonly at: Date;
  /** `pipeline`, `pa`, `operator:<user>`. */
  readonly source: string;
  readonly message?: string | undefined;
  readonly reasonCode?: string | undefined;
  readonly actionCode?: string | undefined;
  readonly data?: Record<string, unknown> | undefined;
  /** Identity of the event at the PA; the same one twice is recorded once. */
  readonly paEventId?: string | undefined;
  /** Generation of the sending it belongs to. */
  readonly generation?: number | undefined;
  /** A new sending begins: an internal status may replace even a final one. */
  readonly restart?: boolean;
}

type Needs = Pick<Deps, "live">;

/**
 * Records an event in the history of a locked invoice and moves the status as far as the status machine lets it. The
 * row, the history and the announcement commit together.
 */
export async function recordStatus(
  deps: Needs,
  tx: Db,
  { invoice, event, paUuid }: { invoice: InvoiceRow; event: StatusEvent; paUuid?: string | undefined },
): Promise<Effect> {
  const repeated = event.paEventId !== undefined && await isRecorded(tx, invoice.id, event.paEventId);
  const effect = applyEvent(
    { status: invoice.status, at: invoice.statusAt.toISOString(), submission: invoice.generation },
    {
      code: event.code,
      at: event.at.toISOString(),
      submission: event.generation,
      restart: event.restart,
    },
  );
  if (repeated) return { ...effect, changed: false, record: false, status: invoice.status, why: "repeated" };
  if (paUuid !== undefined) await updateInvoice(tx, invoice.id, { paUuid });
  await write(deps, tx, { invoice, event, to: effect.changed ? effect.status : undefined });
  return effect;
}

/** A person sets the stored status; the rank of the statuses does not hold a person back, a missing reason does. */
export function setStatusByHand(
  deps: Needs & Pick<Deps, "clock" | "db">,
  { key, code, reason, user }: { key: InvoiceKey; code: string; reason: string; user: string },
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    const direction = invoice.direction === "issued" ? "Issued" : "Received";
    const verdict = checkTransition(invoice.status, code, { by: "operator", direction, reason });
    if (!verdict.ok) throw new AppError(verdict.code, verdict.en, { details: { message: verdict.fr } });
    const event = { code, at: deps.clock.now(), source: `operator:${user}`, message: reason };
    await write(deps, tx, { invoice, event, to: storedCode(code) });
  });
}

async function write(
  deps: Needs,
  tx: Db,
  { invoice, event, to }: { invoice: InvoiceRow; event: StatusEvent; to: string | undefined },
): Promise<void> {
  await appendEvents(tx, invoice.id, [historyRow(event)]);
  if (to === undefined) return;
  await updateInvoice(tx, invoice.id, { status: to, statusAt: event.at, reasonCode: event.reasonCode ?? null });
  await announceStatus(deps, tx, { key: invoice, status: to, event });
}

export function historyRow(event: StatusEvent) {
  return {
    statusCode: storedCode(event.code),
    message: event.message ?? "",
    reasonCode: event.reasonCode ?? null,
    actionCode: event.actionCode ?? null,
    source: event.source,
    paEventId: event.paEventId ?? null,
    data: event.data ?? null,
    occurredAt: event.at,
  };
}

/** Tells the live channel that the status of an invoice changed. */
export async function announceStatus(
  deps: Needs,
  tx: Db,
  { key: { doc, dct, kco }, status, event }: {
    key: InvoiceKey;
    status: string;
    event: Pick<StatusEvent, "message" | "reasonCode">;
  },
): Promise<void> {
  await deps.live.publish(tx, {
    topic: "invoices",
    type: "invoice.status",
    permission: "invoices:read",
    data: {
      id: formatInvoiceKey({ doc, dct, kco }),
      doc,
      dct,
      kco,
      status,
      statusLabel: statusLabel(status, "fr"),
      statusLabelEn: statusLabel(status, "en"),
      message: event.message ?? "",
      reasonCode: event.reasonCode ?? null,
    },
  });
}

