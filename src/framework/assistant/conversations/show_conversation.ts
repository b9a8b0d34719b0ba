import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import {
  type CallPart,
  type ConversationMessage,
  type ConversationPart,
  isCall,
} from "./message.ts";
import { deleteConversation, lockConversation, readMessages, setTitle } from "./store.ts";
import { showSummary } from "./views.ts";

interface Named {
  readonly id: string;
  readonly owner: string;
}

/** A conversation and a page of its messages, as the API tells them. Throws AppError `not_found`. */
export async function showConversation(
  { db }: Pick<Deps, "db">,
  { page, ...named }: Named & {
    readonly page: { readonly limit: number; readonly offset: number };
  },
) {
  const summary = await showSummary(db, named);
  if (!summary) throw notFound("Conversation", named.id);
  const messages = await readMessages(db, named.id, page);
  return {
    ...summary,
    owner: named.owner,
    messages: messages.map((it) => messageView(it, summary.turn_under_way)),
    ...page,
  };
}

/** A message without a running turn was interrupted. */
function messageView({ seq: _, parts, ...message }: ConversationMessage, isBusy: boolean) {
  const isCut = message.role === "assistant" && message.finish_reason === null && !isBusy;
  return {
    ...message,
    parts: parts.map(partView),
    finish_reason: isCut ? "aborted" as const : message.finish_reason,
  };
}

export function partView(part: ConversationPart) {
  return isCall(part) ? callView(part) : part;
}

/** Returns a call as the user sees it, without internal fields. */
export function callView({ tag: _, grounds: __, ...call }: CallPart) {
  return call;
}

/** The tag of a title, for `If-Match`. */
export function titleTag(title: string): string {
  return toEtag(computeSha256(title).slice(0, 16));
}

/** Throws AppError `not_found`, `stale`. */
export async function renameConversation(
  { clock, db }: Pick<Deps, "clock" | "db">,
  { id, actor, title, ifMatch }: {
    id: string;
    actor: Actor;
    title: string;
    ifMatch: string | undefined;
  },
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockConversation(tx, { id, owner: actor.username });
    if (!found) throw notFound("Conversation", id);
    checkCurrent(ifMatch, { current: titleTag(found.title), what: say`The conversation` });
    await setTitle(tx, { id, title });
    await recordAudit({ clock, db: tx }, {
      actor,
      event: "conversation.changed",
      target: `conversation:${id}`,
      before: { title: found.title },
      after: { title },
    });
  });
}

/** Deletes a conversation with its messages and its link; a running turn ends. Throws AppError `not_found`. */
export async function removeConversation(
  { clock, db }: Pick<Deps, "clock" | "db">,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await lockConversation(tx, { id, owner: actor.username });
    if (!found) throw notFound("Conversation", id);
    await deleteConversation(tx, id);
    await recordAudit({ clock, db: tx }, {
      actor,
      event: "conversation.deleted",
      target: `conversation:${id}`,
      before: { messages: found.messageCount }, // its messages are deleted
    });
  });
}
