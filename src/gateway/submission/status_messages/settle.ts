import { toColumns } from "#src/kernel/i18n/kept.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { recordEvidence } from "#src/gateway/evidence/mod.ts";
import { lockInvoiceById, recordStatuses, type StatusChange } from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import { lockMessages, type MessageRow, updateMessage } from "./store.ts";

/**
 * Settles our status messages by the PA's verdict: an accepted one sets the invoice's status, a refused one does not.
 */
export async function settleStatusMessages(
  deps: Pick<Deps, "live" | "notifier">,
  tx: Db,
  flows: readonly Flow[],
): Promise<StatusChange[]> {
  const messages = await lockMessages(tx, flows);
  const changes: StatusChange[] = [];
  for (const message of messages) {
    const flow = flows.find((it) => it.trackingId === message.id || it.flowId === message.flowId);
    if (!flow || message.state === "taken" || message.state === "refused") continue;
    const change = await settle(tx, message, flow);
    if (change) changes.push(change);
  }
  const effects = await recordStatuses(deps, tx, changes);
  return changes.filter((_, at) => effects[at]?.record);
}

async function settle(tx: Db, message: MessageRow, flow: Flow): Promise<StatusChange | undefined> {
  const { flowId, trackingId, updatedAt, ack } = flow;
  const meta = { flowId, trackingId, updatedAt, ack, status: message.statusCode };
  await recordEvidence(tx, { invoiceId: message.invoiceId, kind: "acknowledgement", meta });
  if (ack.status !== "Ok") {
    const why = ack.details.map((it) => `${it.reasonCode}: ${it.reasonMessage}`).join("; ");
    await updateMessage(tx, message.id, {
      state: "refused",
      flowId,
      ...toColumns("lastError", why || say`Refused without a reason`),
    });
    return undefined;
  }
  await updateMessage(tx, message.id, { state: "taken", flowId, ...toColumns("lastError", null) });
  const invoice = await lockInvoiceById(tx, message.invoiceId);
  return invoice && { invoice, event: getEvent(message, flowId) };
}

function getEvent(
  { statusCode, occurredAt, createdBy, content }: MessageRow,
  flowId: string,
): StatusChange["event"] {
  const text = (name: string) => typeof content[name] === "string" ? content[name] : undefined;
  return {
    code: statusCode,
    at: occurredAt,
    source: `operator:${createdBy}`,
    message: text("comment") ?? text("reason") ?? "",
    reasonCode: text("reason"),
    actionCode: text("action"),
    data: { flowId, ...content },
    paEventId: `${flowId}#own`,
  };
}
