import { createHash, randomBytes } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Actor } from "#src/ports/access.ts";
import {
  type CallPart,
  callsOf,
  isCall,
  messagesOf,
  type Part,
  showConversation,
} from "../conversations/mod.ts";
import { type Grounds, lackOf } from "../tools/mod.ts";
import { deleteShare, findShare, putShare } from "./store.ts";

type Needs = Pick<Deps, "accounts" | "clock" | "db">;

export const MOST_DAYS = 365;
export const DEFAULT_DAYS = 30;
/** Bytes of a token, and of a snapshot. */
const TOKEN_BYTES = 32;
const MAX_SNAPSHOT = 2_000_000;
const PAGE = 100;
const MOST_SHARED = 1_000;

/** What whoever has the link reads. */
export interface Snapshot {
  readonly title: string;
  readonly created_at: string;
  readonly messages: readonly SharedMessage[];
  /** What the answers in it rest on: words of a model tell what calls answered, whether their results are shared or not. */
  readonly grounds: readonly Grounds[];
}

interface SharedMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly SharedPart[];
  readonly created_at: string;
}

/** A call only where results are shared: what it was given, and what it answered. */
type SharedPart =
  | { readonly type: "text"; readonly text: string }
  | Pick<
    Extract<Part, { type: "tool_call" }>,
    "type" | "tool" | "arguments" | "state" | "result"
  >;

interface Wanted {
  readonly id: string;
  readonly actor: Actor;
  readonly includeResults: boolean;
  readonly days: number;
}

/**
 * Makes a conversation as it is now readable for whoever has the link, in place of the link it had. The token is told once and kept
 * as a hash. Throws AppError `not_found`, `too_large`, and `forbidden` where an answer in it rests on what its owner has no more.
 */
export async function shareConversation(
  { accounts, clock, db }: Needs,
  { id, actor, includeResults, days }: Wanted,
) {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  const owner = actor.username;
  const roles = await accounts.rolesOf(owner); // before the transaction: embedded there is one connection, and it would be asked for twice
  const row = await db.transaction(async (tx) => {
    const snapshot = await snapshotOf({ db: tx }, { id, owner, includeResults });
    const lack = lackIn(snapshot, { actor, roles });
    if (lack !== undefined) {
      throw new AppError(
        "forbidden",
        say`The conversation rests on ${lack}, which you do not have any more, or have otherwise`,
      );
    }
    const tokenHash = hashOf(token);
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

function lackIn({ grounds }: Snapshot, holder: Parameters<typeof lackOf>[1]): string | undefined {
  return grounds.map((it) => lackOf(it, holder)).find((it) => it !== undefined);
}

async function snapshotOf(
  needs: Pick<Deps, "db">,
  { id, owner, includeResults }: { id: string; owner: string; includeResults: boolean },
): Promise<Snapshot> {
  const shown = await showConversation(needs, { id, owner, page: { limit: 1, offset: 0 } });
  const messages: SharedMessage[] = [];
  const grounds = new Map<string, Grounds>();
  for (let offset = 0; offset < MOST_SHARED; offset += PAGE) {
    const page = await messagesOf(needs.db, id, { limit: PAGE, offset });
    for (const { role, parts, created_at } of page) {
      messages.push({ role, created_at, parts: sharedParts(parts, includeResults) });
    }
    for (const call of callsOf(page)) {
      const rests = groundsOf(call);
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

/** Also of a call that failed: why it did may tell of the data. Throws AppError `conflict` for one that was kept without. */
function groundsOf({ grounds, started_at }: CallPart): Grounds | null {
  if (grounds === undefined && started_at !== null) {
    throw new AppError(
      "conflict",
      say`The conversation has calls of an earlier version, which did not keep what they rest on; begin another one`,
    );
  }
  return grounds ?? null;
}

function sharedParts(parts: readonly Part[], includeResults: boolean): SharedPart[] {
  return parts.flatMap((it): SharedPart[] => {
    if (!isCall(it)) return [it];
    if (!includeResults) return [];
    const { type, tool, arguments: given, state, result } = it;
    return [{ type, tool, arguments: given, state, result }];
  });
}

/** Ends the link. Throws AppError `not_found` where there is none. */
export async function endShare(
  { clock, db }: Omit<Needs, "accounts">,
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
 * What a link leads to, as long as its owner may share and has all that the answers in it rest on. Throws AppError `not_found`
 * for any token that leads nowhere, whatever the reason.
 */
export async function openShare({ accounts, db }: Pick<Deps, "accounts" | "db">, token: string) {
  const row = await findShare(db, hashOf(token));
  const owner = row?.owner ?? "";
  const [actor, roles] = await Promise.all([accounts.actorOf(owner), accounts.rolesOf(owner)]);
  const snapshot = row?.snapshot as Partial<Snapshot> | undefined; // one of an earlier version has no grounds
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

function isWhole(snapshot: Partial<Snapshot> | undefined): snapshot is Snapshot {
  return snapshot?.grounds !== undefined;
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
