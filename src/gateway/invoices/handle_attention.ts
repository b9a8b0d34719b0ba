import type { Deps } from "#src/deps.ts";
import type { Handleable, StoredAttention } from "#src/domain/invoice/attention.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { isStatusHandled, isStatusOpen } from "./attention_views.ts";
import { announceStatuses } from "./change_status.ts";
import { closeStatus, openStatus } from "./handled_store.ts";
import { attentionColumn, lockInvoice, lockInvoiceById, updateInvoice } from "./store.ts";
import type { Db } from "#src/ports/db.ts";

/** Opens a point that no status raises, in the caller's transaction. An open one stays. */
export async function raiseAttention(
  deps: Pick<Deps, "clock" | "live" | "notifier">,
  tx: Db,
  { id, point }: { id: number; point: StoredAttention },
): Promise<void> {
  const invoice = await lockInvoiceById(tx, id);
  if (!invoice || invoice.attention?.includes(point)) return;
  await updateInvoice(tx, id, { attention: [...invoice.attention ?? [], point] });
  const { status } = invoice;
  const event = { code: status, at: deps.clock.now(), source: "pipeline" };
  await announceStatuses(deps, tx, [{ key: invoice, status, event, isNotified: false }]);
}

/**
 * Closes points of attention, or the status of a sale, that a person dealt with. The status and the history do not change.
 * Resolves to the points before, and to the status that was closed. Throws `not_found`, and `conflict` if nothing is open.
 */
export function handleAttention(
  deps: Pick<Deps, "clock" | "db" | "live" | "notifier">,
  { key, points, comment, user }: {
    key: InvoiceKey;
    points: readonly Handleable[];
    comment: string;
    user: string;
  },
): Promise<{ attention: readonly StoredAttention[]; status?: string }> {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    const before = invoice.attention ?? [];
    const left = before.filter((it) => !points.includes(it));
    const isStatus = points.includes("status") && isStatusOpen(invoice);
    if (left.length === before.length && !isStatus) {
      throw new AppError(
        "conflict",
        say`Nothing is open at invoice ${formatInvoiceKey(key)} for ${
          points.join(", ")
        }: reload it`,
      );
    }
    await updateInvoice(tx, invoice.id, { attention: attentionColumn(left) });
    const at = deps.clock.now();
    if (isStatus) await closeStatus(tx, invoice.id, { at, by: user, comment });
    const { status } = invoice;
    const event = { code: status, at, source: `operator:${user}` };
    await announceStatuses(deps, tx, [{ key: invoice, status, event, isNotified: false }]);
    return { attention: before, ...isStatus && { status } };
  });
}

/**
 * Removes the mark of a sale whose status a person marked as handled, so that it waits again. Resolves to the status and the
 * removed mark. Throws `not_found`, and `conflict` without a mark.
 */
export function reopenStatus(
  deps: Pick<Deps, "clock" | "db" | "live" | "notifier">,
  { key, user }: { key: InvoiceKey; user: string },
) {
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(key));
    if (!isStatusHandled(invoice)) {
      throw new AppError(
        "conflict",
        say`Invoice ${formatInvoiceKey(key)} is not marked as handled: reload it`,
      );
    }
    await openStatus(tx, invoice.id);
    const { status, handledAt, handledBy, handledComment } = invoice;
    const event = { code: status, at: deps.clock.now(), source: `operator:${user}` };
    await announceStatuses(deps, tx, [{ key: invoice, status, event, isNotified: false }]);
    return { status, handledAt, handledBy, comment: handledComment };
  });
}
