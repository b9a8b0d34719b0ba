import { type SentenceOrText, toColumns } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { attentionAfter, type StoredAttention } from "#src/domain/invoice/attention.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { applyEvent, type Effect } from "#src/domain/invoice/lifecycle.ts";
import { reasonCodeIn } from "#src/domain/invoice/reasons.ts";
import { isSample } from "#src/domain/invoice/sample.ts";
import { STATUS, statusLabel, storedCode } from "#src/domain/invoice/status.ts";
import { checkTransition } from "#src/domain/invoice/status_transition.ts";
import { createNotice } from "#src/domain/notification/mod.ts";
import { settlingStatus, sumAmounts } from "#src/domain/finance/mod.ts";
import { ourRole } from "#src/domain/treatment/mod.ts";
import { add, formatDecimal, parseDecimal, ZERO } from "#src/kernel/decimal.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import {
  appendEvents,
  appendHistory,
  attentionColumn,
  hasFatalFinding,
  type HistoryRow,
  type InvoiceRow,
  lockInvoice,
  readEvents,
  recordedEvents,
  type Standing,
  updateInvoice,
  updateStandings,
} from "./store.ts";
import { paymentsIn } from "./views.ts";

/** Event of an invoice, reported by the pipeline, the PA or a person. */
export interface StatusEvent {
  /** National or stored code; unknown codes are stored, too. */
  readonly code: string;
  readonly at: Date;
  /** `pipeline`, `pa`, `operator:<user>`. */
  readonly source: string;
  readonly message?: SentenceOrText | undefined;
  readonly reasonCode?: string | undefined;
  readonly actionCode?: string | undefined;
  readonly data?: Record<string, unknown> | undefined;
  /** Identity of the event at the PA. An event that arrives twice is recorded once. */
  readonly paEventId?: string | undefined;
  /** Generation of the submission that it belongs to. */
  readonly generation?: number | undefined;
  /** A new submission begins: an internal status may replace even a final one. */
  readonly restart?: boolean;
  /** The event refuses one delivery as a duplicate: see `domain/invoice/lifecycle.ts`. */
  readonly isDuplicate?: boolean;
}

/** One event of one locked invoice. */
export interface StatusChange {
  readonly invoice: InvoiceRow;
  readonly event: StatusEvent;
  readonly paUuid?: string | undefined;
}

/** Receivers of a recorded status. Both are informed in the transaction that records it. */
export type StatusDeps = Pick<Deps, "live" | "notifier">;

/**
 * Records an event in the history of a locked invoice and changes the status if the status machine allows it. The row,
 * the history and the announcement commit together.
 */
export async function recordStatus(
  deps: StatusDeps,
  tx: Db,
  change: StatusChange,
): Promise<Effect> {
  const [effect] = await recordStatuses(deps, tx, [change]);
  return effect as Effect;
}

/** Records several events in their order, as `recordStatus` does. An invoice may have more than one of them. */
export async function recordStatuses(
  deps: StatusDeps,
  tx: Db,
  changes: readonly StatusChange[],
): Promise<Effect[]> {
  const recorded = await recordedEvents(tx, changes);
  const standings = new Map<number, Standing>();
  const history: HistoryRow[] = [];
  const announced: Announced[] = [];
  const effects = changes.map((change) => {
    const standing = standings.get(change.invoice.id) ?? toStanding(change.invoice);
    const effect = getEffect(standing, change, recorded);
    if (!effect.record) return effect;
    const { event, invoice } = change;
    const failed = effect.changed && event.isDuplicate ? failedAsDuplicate(event) : undefined;
    const steps = failed ? [event, failed] : [event];
    const attention = attentionAfter(standing.attention, event, effect);
    const isRaised = attention.some((it) => !standing.attention.includes(it));
    const isNotified = effect.changed || isRaised;
    history.push(...steps.map((it) => ({
      invoiceId: invoice.id,
      ...historyRow(it, isNotified && it === steps.at(-1)),
    })));
    const next = moveStatus(standing, { change, effect, attention });
    standings.set(invoice.id, next);
    // A further payment keeps the status, but pages show another balance.
    const isPaid = next.settledAmount !== standing.settledAmount;
    if (isNotified || isPaid || attention !== standing.attention) {
      announced.push({ key: invoice, status: effect.status, event: failed ?? event, isNotified });
    }
    return effect;
  });
  if (history.length) await appendHistory(tx, history);
  await updateStandings(tx, [...standings.values()].filter((it) => it.touched));
  await announceStatuses(deps, tx, announced);
  return effects;
}

/** Returns the event that follows when the PA refuses our only copy as a duplicate. */
function failedAsDuplicate({ paEventId: _, isDuplicate: __, ...event }: StatusEvent): StatusEvent {
  return {
    ...event,
    code: STATUS.sendFailed,
    message:
      say`The platform already has an invoice with this number, which was not sent from Passerelle`,
  };
}

function toStanding(
  { id, status, statusAt, reasonCode, attention, settledAmount, depositedAt }: InvoiceRow,
): Standing {
  return {
    id,
    status,
    statusAt,
    reasonCode,
    attention: attention ?? [],
    settledAmount,
    depositedAt,
    touched: false,
  };
}

function getEffect(
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
      duplicate: event.isDuplicate ? invoice.direction : undefined,
    },
  );
  if (key !== undefined) recorded.add(key);
  return effect;
}

function moveStatus(
  standing: Standing,
  { change, effect, attention }: {
    change: StatusChange;
    effect: Effect;
    attention: readonly StoredAttention[];
  },
): Standing {
  const { event, paUuid } = change;
  const settledAmount = addSettled(standing.settledAmount, change);
  const depositedAt = standing.depositedAt ?? findDeposit(event);
  const kept = {
    ...standing,
    ...paUuid !== undefined && { paUuid },
    attention,
    settledAmount,
    depositedAt,
    touched: standing.touched || paUuid !== undefined || attention !== standing.attention ||
      settledAmount !== standing.settledAmount || depositedAt !== standing.depositedAt,
  };
  if (!effect.changed) {
    const isPaid = settledAmount !== standing.settledAmount && event.at > standing.statusAt;
    // The balance that pages show with the status is of this payment.
    return isPaid ? { ...kept, statusAt: event.at } : kept;
  }
  return {
    ...kept,
    status: effect.status,
    statusAt: event.at,
    reasonCode: event.reasonCode ?? null,
    touched: true,
  };
}

/** Adds the amounts that an event states as collected or paid, in the invoice's currency, to the earlier ones. */
function addSettled(before: string | null, { event, invoice }: StatusChange): string | null {
  if (storedCode(event.code) !== settlingStatus(ourRole(invoice))) return before;
  const amount = sumAmounts(paymentsIn(event.data ?? null), invoice.currency);
  return amount ? formatDecimal(add(parseDecimal(before ?? "") ?? ZERO, amount)) : before;
}

/** Returns the time of an event that confirms the deposit; null for other events. */
function findDeposit({ code, at }: StatusEvent): Date | null {
  return storedCode(code) === STATUS.deposited ? at : null;
}

/**
 * Sets the stored status for a person, whatever the rank of the statuses. The present status with the same reason
 * changes nothing. A missing reason or a fatal finding rejects the change. So does `check`, which throws if the history
 * changed since the person read it. Resolves to the status before.
 */
export function setStatusByHand(
  deps: StatusDeps & Pick<Deps, "clock" | "db">,
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
    const effect = { status, changed: true, record: true };
    const attention = attentionColumn(attentionAfter(invoice.attention ?? [], event, effect));
    const depositedAt = invoice.depositedAt ?? findDeposit(event);
    const fields = { status, statusAt: at, reasonCode: reasonCode ?? null, attention, depositedAt };
    await updateInvoice(tx, invoice.id, fields);
    await announceStatuses(deps, tx, [{ key: invoice, status, event, isNotified: true }]);
    return before;
  });
}

/** Returns true for the present status with the same reason or none. Nothing is recorded then. */
async function isSaidAlready(
  tx: Db,
  invoice: InvoiceRow,
  { status, reason }: { status: string; reason: string },
): Promise<boolean> {
  if (status !== invoice.status) return false;
  if (!reason.trim()) return true;
  const last = (await readEvents(tx, invoice.id)).findLast((it) => it.statusCode === status);
  return last?.message.trim() === reason.trim();
}

/** Returns the history row of an event. `announced`: notification rules apply to it, now and at a replay. */
export function historyRow(event: StatusEvent, announced: boolean) {
  return {
    statusCode: storedCode(event.code),
    ...toColumns("message", event.message ?? ""),
    reasonCode: event.reasonCode ?? null,
    actionCode: event.actionCode ?? null,
    source: event.source,
    announced,
    paEventId: event.paEventId ?? null,
    data: event.data ?? null,
    occurredAt: event.at,
  };
}

/** Present status of an invoice, and the event that changed it or its points of attention. */
interface Announced {
  readonly key: InvoiceKey;
  readonly status: string;
  readonly event: Pick<StatusEvent, "actionCode" | "code" | "message" | "reasonCode">;
  /** True if the notification rules receive the event, too. */
  readonly isNotified: boolean;
}

/**
 * Sends status changes to the live channel and the notifier, in the transaction that records them. The notifier
 * receives none of sample data.
 */
export async function announceStatuses(
  { live, notifier }: StatusDeps,
  tx: Db,
  announced: readonly Announced[],
): Promise<void> {
  if (!announced.length) return;
  await live.publishAll(tx, announced.map(getLiveEvent));
  const notices = announced.filter((it) => it.isNotified && !isSample(it.key)).map((
    { key, event },
  ) =>
    createNotice(key, storedCode(event.code), {
      ...event,
      ...toColumns("message", event.message ?? ""),
    })
  );
  await notifier.statusesChanged(tx, notices);
}

function getLiveEvent({ key: { doc, dct, kco }, status, event }: Announced): LiveEvent {
  const { message: messageEn, messageFr } = toColumns("message", event.message ?? "");
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
