import { computeSha256 } from "#src/kernel/sha256.ts";
import { randomBytes } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import {
  type CallPart,
  type ConversationPart,
  getCalls,
  isCall,
  readMessages,
  showConversation,
} from "../conversations/mod.ts";
import { findLack, type Grounds } from "../tools/mod.ts";
import { deleteShare, findShare, putShare } from "./store.ts";

type ShareConversationDeps = Pick<Deps, "accounts" | "clock" | "db">;

export const MAX_DAYS = 365;
export const DEFAULT_DAYS = 30;
/** Bytes of a token, and of a snapshot. */
const TOKEN_BYTES = 32;
const MAX_SNAPSHOT = 2_000_000;
const PAGE = 100;
const MAX_SHARED = 1_000;

/** Shared conversation as readers of the link see it. */
export interface SharedConversation {
  readonly title: string;
  readonly created_at: string;
  readonly messages: readonly SharedMessage[];
  /** Grounds of the answers in it. The model's words reveal the results of calls even if those are not shared. */
  readonly grounds: readonly Grounds[];
}

interface SharedMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly SharedPart[];
  readonly created_at: string;
}

/** Part of a shared conversation. Calls appear, with arguments and result, only when results are shared. */
type SharedPart =
  | { readonly type: "text"; readonly text: string }
  | Pick<
    Extract<ConversationPart, { type: "tool_call" }>,
    "type" | "tool" | "arguments" | "state" | "result"
  >;

interface Wanted {
  readonly id: string;
  readonly actor: Actor;
  readonly includeResults: boolean;
  readonly days: number;
}

/**
 * Shares the current state of a conversation by a link, which replaces its earlier link. The token is returned once and
 * stored as a hash. Throws AppError `not_found` and `too_large`, and `forbidden` when an answer rests on rights the
 * owner no longer has.
 */
export async function shareConversation(
  { accounts, clock, db }: ShareConversationDeps,
  { id, actor, includeResults, days }: Wanted,
) {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const owner = actor.username;
  const roles = await accounts.rolesOf(owner); // before the transaction, because an embedded database has only one connection
  const row = await db.transaction(async (tx) => {
    const snapshot = await readSnapshot({ db: tx }, { id, owner, includeResults });
    const lack = lackIn(snapshot, { actor, roles });
    if (lack !== undefined) {
      throw new AppError(
        "forbidden",
        say`The conversation rests on ${lack}, which you do not have any more, or have otherwise`,
      );
    }
    const tokenHash = computeSha256(token);
    const put = await putShare(tx, {
      conversationId: id,
      tokenHash,
      owner,
      snapshot,
      includeResults,
      days,
    });
    await recordAudit({ clock, db: tx }, {
      actor,
      event: "conversation.shared",
      target: `conversation:${id}`,
      after: { include_results: includeResults, expires_at: put.expiresAt.toISOString() },
    });
    return put;
  });
  return {
    token,
    path: `/shared#${token}`,
    include_results: row.includeResults,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}

function lackIn(
  { grounds }: SharedConversation,
  holder: Parameters<typeof findLack>[1],
): string | undefined {
  return grounds.map((it) => findLack(it, holder)).find((it) => it !== undefined);
}

async function readSnapshot(
  deps: Pick<Deps, "db">,
  { id, owner, includeResults }: { id: string; owner: string; includeResults: boolean },
): Promise<SharedConversation> {
  const shown = await showConversation(deps, { id, owner, page: { limit: 1, offset: 0 } });
  const messages: SharedMessage[] = [];
  const grounds = new Map<string, Grounds>();
  for (let offset = 0; offset < MAX_SHARED; offset += PAGE) {
    const page = await readMessages(deps.db, id, { limit: PAGE, offset });
    for (const { role, parts, created_at } of page) {
      messages.push({ role, created_at, parts: sharedParts(parts, includeResults) });
    }
    for (const call of getCalls(page)) {
      const rests = getGrounds(call);
      if (rests) grounds.set(JSON.stringify(rests), rests);
    }
    if (JSON.stringify(messages).length > MAX_SNAPSHOT) {
      throw new AppError("too_large", say`The conversation is too long to be shared`);
    }
    if (page.length < PAGE) break;
  }
  const { title, created_at } = shown;
  return { title, created_at, messages, grounds: [...grounds.values()] };
}

/**
 * Returns the grounds of a call, even of a failed one, because its error may reveal data. Throws AppError `conflict`
 * for a call stored without grounds.
 */
function getGrounds({ grounds, started_at }: CallPart): Grounds | null {
  if (grounds === undefined && started_at !== null) {
    throw new AppError(
      "conflict",
      say`The conversation has calls of an earlier version, which cannot be shared; start a new conversation`,
    );
  }
  return grounds ?? null;
}

function sharedParts(parts: readonly ConversationPart[], includeResults: boolean): SharedPart[] {
  return parts.flatMap((it): SharedPart[] => {
    if (!isCall(it)) return [it];
    if (!includeResults) return [];
    const { type, tool, arguments: given, state, result } = it;
    return [{ type, tool, arguments: given, state, result }];
  });
}

/** Removes the link. Throws AppError `not_found` when it does not exist. */
export async function endShare(
  { clock, db }: Omit<ShareConversationDeps, "accounts">,
  { id, actor }: { id: string; actor: Actor },
): Promise<void> {
  await db.transaction(async (tx) => {
    await showConversation({ db: tx }, {
      id,
      owner: actor.username,
      page: { limit: 1, offset: 0 },
    });
    if (!await deleteShare(tx, id)) throw notFound("Link", id);
    await recordAudit({ clock, db: tx }, {
      actor,
      event: "conversation.unshared",
      target: `conversation:${id}`,
    });
  });
}

/**
 * Returns the shared conversation of a link, as long as its owner may share and has all rights its answers rest on.
 * Throws AppError `not_found` for an invalid token, whatever the reason.
 */
export async function openShare({ accounts, db }: Pick<Deps, "accounts" | "db">, token: string) {
  const row = await findShare(db, computeSha256(token));
  const owner = row?.owner ?? "";
  const [actor, roles] = await Promise.all([accounts.actorOf(owner), accounts.rolesOf(owner)]);
  const snapshot = row?.snapshot as Partial<SharedConversation> | undefined; // one of an earlier version has no grounds
  if (
    !row || !isWhole(snapshot) || actor?.permissions.grantOf("ai:share") === undefined ||
    lackIn(snapshot, { actor, roles }) !== undefined
  ) {
    throw new AppError("not_found", say`The link leads nowhere, or no longer`);
  }
  const { title, created_at, messages } = snapshot;
  return {
    title,
    created_at,
    messages,
    shared_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  };
}

function isWhole(
  snapshot: Partial<SharedConversation> | undefined,
): snapshot is SharedConversation {
  return snapshot?.grounds !== undefined;
}
