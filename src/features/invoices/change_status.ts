import { kept, type SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { applyEvent, type Effect } from "#src/domain/invoice/lifecycle.ts";
import { reasonCodeIn } from "#src/domain/invoice/reasons.ts";
import { statusLabel, storedCode } from "#src/domain/invoice/status.ts";
import { checkTransition } from "#src/domain/invoice/status_transition.ts";
import { noticeOf } from "#src/domain/notification/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import {
  appendEvents,
  appendHistory,
  eventsOf,
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
  readonly message?: SentenceOrText | undefined;
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

/** What recording a status takes: who follows live, and who is to be notified, hear of it in its transaction. */
export type StatusNeeds = Pick<Deps, "live" | "notifier">;

/**
 * Records an event in the history of a locked invoice and moves the status as far as the status machine lets it. The
 * row, the history and the announcement commit together.
 */
export async function recordStatus(
  deps: StatusNeeds,
  tx: Db,
  change: StatusChange,
): Promise<Effect> {
  const [effect] = await recordStatuses(deps, tx, [change]);
  return effect as Effect;
}

/** As `recordStatus`, for many events at once, in their order; several may be of one invoice. */
export async function recordStatuses(
  deps: StatusNeeds,
  tx: Db,
  changes: readonly StatusChange[],
): Promise<Effect[]> {
  const recorded = await recordedEvents(tx, changes);
  const standings = new Map<number, Standing>();
  const history: HistoryRow[] = [];
  const announced: Announced[] = [];
  const effects = changes.map((change) => {
    const standing = standings.get(change.invoice.id) ?? standingOf(change.invoice);
    const effect = effectOf(standing, change, recorded);
    if (!effect.record) return effect;
    const { event, invoice } = change;
    history.push({ invoiceId: invoice.id, ...historyRow(event, effect.changed) });
    standings.set(invoice.id, moved(standing, { change, effect }));
    if (effect.changed) announced.push({ key: invoice, status: effect.status, event });
    return effect;
  });
  if (history.length) await appendHistory(tx, history);
  await updateStandings(tx, [...standings.values()].filter((it) => it.touched));
  await announceStatuses(deps, tx, announced);
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
  const key = event.paEventId === undefined ? undefined : `${invoice.id} ${event.paEventId}`;
  const effect = applyEvent(
    {
      status: standing.status,
      at: standing.statusAt.toISOString(),
      submission: invoice.generation,
      recorded,
    },
    {
      code: event.code,
      at: event.at.toISOString(),
      key,
      submission: event.generation,
      restart: event.restart,
    },
  );
  if (key !== undefined) recorded.add(key);
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
 * A person sets the stored status; the one it has already is no change, unless another
 * reason comes with it. The rank of the statuses does not hold a person back, a missing reason does, and so
 * does a fatal finding, and `check`, which throws where the person has not seen what there is. Resolves to the status before.
 */
export function setStatusByHand(
  deps: StatusNeeds & Pick<Deps, "clock" | "db">,
  { key, code, reason, user, check }: {
    key: InvoiceKey;
    code: string;
    reason: string;
    user: string;
    check?: (tx: Db, invoice: InvoiceRow) => Promise<void>;
  },
): Promise<{ status: string }> {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    await check?.(tx, invoice);
    const before = { status: invoice.status };
    const direction = invoice.direction === "issued" ? "Issued" : "Received";
    const fatal = await hasFatalFinding(tx, invoice.id);
    const given = { by: "operator", direction, reason, fatal } as const;
    const verdict = checkTransition(invoice.status, code, given);
    if (!verdict.ok) {
      throw new AppError(verdict.code, say`${verdict}`);
    }
    const status = storedCode(code);
    if (await isSaidAlready(tx, invoice, { status, reason })) return before;
    const reasonCode = reasonCodeIn(reason);
    const at = deps.clock.now();
    const event = { code, at, source: `operator:${user}`, message: reason, reasonCode };
    await appendEvents(tx, invoice.id, [historyRow(event, true)]);
    await updateInvoice(tx, invoice.id, { status, statusAt: at, reasonCode: reasonCode ?? null });
    await announceStatuses(deps, tx, [{ key: invoice, status, event }]);
    return before;
  });
}

/** The status is the present one, and no reason is given or the one it has: nothing changes, so nothing is told. */
async function isSaidAlready(
  tx: Db,
  invoice: InvoiceRow,
  { status, reason }: { status: string; reason: string },
): Promise<boolean> {
  if (status !== invoice.status) return false;
  if (!reason.trim()) return true;
  const last = (await eventsOf(tx, invoice.id)).findLast((it) => it.statusCode === status);
  return last?.message.trim() === reason.trim();
}

/** `announced`: rules are asked what to do about it, now and when they are replayed. */
export function historyRow(event: StatusEvent, announced: boolean) {
  return {
    statusCode: storedCode(event.code),
    ...kept("message", event.message ?? ""),
    reasonCode: event.reasonCode ?? null,
    actionCode: event.actionCode ?? null,
    source: event.source,
    announced,
    paEventId: event.paEventId ?? null,
    data: event.data ?? null,
    occurredAt: event.at,
  };
}

/** A status an invoice has from now on, and what led to it. */
interface Announced {
  readonly key: InvoiceKey;
  readonly status: string;
  readonly event: Pick<StatusEvent, "actionCode" | "message" | "reasonCode">;
}

/** Tells the live channel and the notifier of status changes, in the transaction that records them. */
export async function announceStatuses(
  { live, notifier }: StatusNeeds,
  tx: Db,
  announced: readonly Announced[],
): Promise<void> {
  if (!announced.length) return;
  await live.publishAll(tx, announced.map(liveEventOf));
  const notices = announced.map(({ key, status, event }) =>
    noticeOf(key, status, { ...event, ...kept("message", event.message ?? "") })
  );
  await notifier.statusesChanged(tx, notices);
}

function liveEventOf({ key: { doc, dct, kco }, status, event }: Announced): LiveEvent {
  const { message: messageEn, messageFr } = kept("message", event.message ?? "");
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
      message: messageFr ?? messageEn,
      messageEn,
      reasonCode: event.reasonCode ?? null,
      actionCode: event.actionCode ?? null,
    },
  };
}
