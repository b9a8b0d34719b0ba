import type { Db } from "#src/ports/db.ts";
import { messagesOf } from "./store.ts";

export async function showMessages(db: Db, invoiceId: number) {
  return (await messagesOf(db, invoiceId)).map((it) => ({
    id: it.id,
    status: it.statusCode,
    state: it.state,
    flowId: it.flowId,
    attempts: it.attempts,
    lastError: it.lastError,
    createdBy: it.createdBy,
    occurredAt: it.occurredAt.toISOString().slice(0, 19),
    createdAt: it.createdAt.toISOString(),
  }));
}
