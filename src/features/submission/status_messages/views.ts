import type { Language } from "#src/kernel/language.ts";
import { shown } from "#src/kernel/sentences/kept.ts";
import { paymentsIn } from "#src/features/invoices/mod.ts";
import type { MessageRow } from "./store.ts";

export function showMessages(messages: readonly MessageRow[], language: Language) {
  return messages.map((it) => ({
    id: it.id,
    status: it.statusCode,
    state: it.state,
    flowId: it.flowId,
    attempts: it.attempts,
    lastError: shown(language, it, "lastError"),
    createdBy: it.createdBy,
    amounts: [...paymentsIn(it.content)],
    occurredAt: it.occurredAt.toISOString().slice(0, 19),
    createdAt: it.createdAt.toISOString(),
  }));
}
