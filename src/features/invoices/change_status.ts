import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { applyEvent, type Effect } from "#src/domain/invoice/lifecycle.ts";
import { statusLabel, storedCode } from "#src/domain/invoice/status.ts";
import { checkTransition } from "#src/domain/invoice/status_transition.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import {
  appendEvents,
  appendHistory,
  hasFatalFinding,
  type HistoryRow,
  type InvoiceRow,
  lockInvoice,
  recordedEvents,
  type Standing,
  updateInvoice,
  updateStandings,
} from "./store.ts";

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

/** One event of one locked invoice. */
export interface StatusChange {
  readonly invoice: InvoiceRow;
  readonly event: StatusEvent;
  readonly paUuid?: string | undefined;
}

type Needs = Pick<Deps, "live">;

/**
 * Records an event in the history of a locked invoice and moves the status as far as the status machine lets it. The
 * row, the history and the announcement commit together.
 */
export async function recordStatus(deps: Needs, tx: Db, change: StatusChange): Promise<Effect> {
  const [effect] = await recordStatuses(deps, tx, [change]);
  return effect as Effect;
}

/** The same for many events at once, in their order; several may be of one invoice. */
export async function recordStatuses(
  deps: Needs,
  tx: Db,
  changes: readonly StatusChange[],
): Promise<Effect[]> {
  const recorded = await recordedEvents(tx, changes);
  const standings = new Map<number, Standing>();
  const history: HistoryRow[] = [];
  const told: LiveEvent[] = [];
  const effects = changes.map((change) => {
    const standing = standings.get(change.invoice.id) ?? standingOf(change.invoice);
    const effect = effectOf(standing, change, recorded);
    if (!effect.record) return effect;
    const { event, invoice } = change;
    history.push({ invoiceId: invoice.id, ...historyRow(event) });
    standings.set(invoice.id, moved(standing, { change, effect }));
    if (effect.changed) told.push(announcement(invoice, effect.status, event));
    return effect;
  });
  if (history.length) await appendHistory(tx, history);
  await updateStandings(tx, [...standings.values()].filter((it) => it.touched));
  if (told.length) await deps.live.publishAll(tx, told);
  return effects;
}

function standingOf({ id, status, statusAt, reasonCode }: InvoiceRow): Standing {
  return { id, status, statusAt, reasonCode, touched: false };
}

function effectOf(
  standing: Standing,
  { invoice, event }: StatusChange,
  recorded: Set<string>,
): Effect {
  const identity = event.paEventId === undefined ? undefined : `${invoice.id} ${event.paEventId}`;
  const effect = applyEvent(
    {
      status: standing.status,
      at: standing.statusAt.toISOString(),
      submission: invoice.generation,
    },
    {
      code: event.code,
      at: event.at.toISOString(),
      submission: event.generation,
      restart: event.restart,
    },
  );
  if (identity === undefined) return effect;
  if (recorded.has(identity)) {
    return { ...effect, changed: false, record: false, status: standing.status, why: "repeated" };
  }
  recorded.add(identity);
  return effect;
}

function moved(
  standing: Standing,
  { change, effect }: { change: StatusChange; effect: Effect },
): Standing {
  const { event, paUuid } = change;
  const kept = {
    ...standing,
    ...paUuid !== undefined && { paUuid },
    touched: standing.touched || paUuid !== undefined,
  };
  if (!effect.changed) return kept;
  return {
    ...kept,
    status: effect.status,
    statusAt: event.at,
    reasonCode: event.reasonCode ?? null,
    touched: true,
  };
}

/**
 * A person sets the stored status; the rank of the statuses does not hold a person back, a missing reason does, and so
 * does a fatal finding.
 */
export function setStatusByHand(
  deps: Needs & Pick<Deps, "clock" | "db">,
  { key, code, reason, user }: { key: InvoiceKey; code: string; reason: string; user: string },
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    const direction = invoice.direction === "issued" ? "Issued" : "Received";
    const fatal = await hasFatalFinding(tx, invoice.id);
    const given = { by: "operator", direction, reason, fatal } as const;
    const verdict = checkTransition(invoice.status, code, given);
    if (!verdict.ok) {
      throw new AppError(verdict.code, verdict.en, { details: { message: verdict.fr } });
    }
    const event = { code, at: deps.clock.now(), source: `operator:${user}`, message: reason };
    const status = storedCode(code);
    await appendEvents(tx, invoice.id, [historyRow(event)]);
    await updateInvoice(tx, invoice.id, { status, statusAt: event.at, reasonCode: null });
    await announceStatus(deps, tx, { key: invoice, status, event });
  });
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
  { key, status, event }: {
    key: InvoiceKey;
    status: string;
    event: Pick<StatusEvent, "actionCode" | "message" | "reasonCode">;
  },
): Promise<void> {
  await deps.live.publish(tx, announcement(key, status, event));
}

export function announcement(
  { doc, dct, kco }: InvoiceKey,
  status: string,
  event: Pick<StatusEvent, "actionCode" | "message" | "reasonCode">,
): LiveEvent {
  return {
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
      actionCode: event.actionCode ?? null,
    },
  };
}
