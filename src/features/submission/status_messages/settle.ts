import { kept } from "#src/kernel/sentences/kept.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { recordEvidence } from "#src/features/evidence/mod.ts";
import { lockInvoiceById, recordStatuses, type StatusChange } from "#src/features/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Flow } from "#src/ports/pa.ts";
import { lockMessagesOf, type MessageRow, updateMessage } from "./store.ts";

/**
 * Settles our status messages by the PA's verdict: one it took moves the invoice to its status, one it refused does
 * not.
 */
export async function settleStatusMessages(
  needs: Pick<Deps, "live" | "notifier">,
  tx: Db,
  flows: readonly Flow[],
): Promise<StatusChange[]> {
  const messages = await lockMessagesOf(tx, flows);
  const changes: StatusChange[] = [];
  for (const message of messages) {
    const flow = flows.find((it) => it.trackingId === message.id || it.flowId === message.flowId);
    if (!flow || message.state === "taken" || message.state === "refused") continue;
    const change = await settle(tx, message, flow);
    if (change) changes.push(change);
  }
  const effects = await recordStatuses(needs, tx, changes);
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
      ...kept("lastError", why || say`Refused without a reason`),
    });
    return undefined;
  }
  await updateMessage(tx, message.id, { state: "taken", flowId, ...kept("lastError", null) });
  const invoice = await lockInvoiceById(tx, message.invoiceId);
  return invoice && { invoice, event: eventOf(message, flowId) };
}

function eventOf(
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
