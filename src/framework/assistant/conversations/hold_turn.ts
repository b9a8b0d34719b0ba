import type { Deps } from "#src/deps.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { say, type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import { truncateText } from "#src/kernel/text.ts";
import { uuidV7 } from "#src/kernel/uuid.ts";
import {
  type CallPart,
  type ConversationMessage,
  type ConversationPart,
  type Decision,
  getCalls,
  isCall,
} from "./message.ts";
import {
  claimConversation,
  countRunningTurns,
  extendConversationLease,
  insertConversation,
  lastMessages,
  lockConversation,
  releaseConversation,
  writeMessage,
} from "./store.ts";

type HoldTurnDeps = Pick<Deps, "clock" | "db">;

/** Limits: messages sent to a model, and messages in a conversation. */
const MAX_REPORTED = 60;
const MAX_MESSAGES = 1_000;
const MAX_TITLE = 80;
/** Limit of concurrent turns per user. */
const AT_ONCE = 4;

export interface TurnRequest {
  /** Undefined begins one. */
  readonly conversationId: string | undefined;
  readonly owner: string;
  /** Language of the stored calls. */
  readonly language: Language;
  readonly message: string | undefined;
  readonly app: string | undefined;
  readonly approvals: readonly { readonly tool_call_id: string; readonly decision: Decision }[];
  /** Returns the model the caller names, else that of the conversation, after validation. */
  readonly modelOf: (kept: string | undefined) => string;
}

/** Turn with exclusive access to its conversation. */
export interface ConversationTurn {
  readonly id: string;
  readonly conversationId: string;
  readonly owner: string;
  readonly language: Language;
  readonly app: string | null;
  readonly model: string;
  /** Messages of the conversation, oldest first, including the new one. */
  readonly messages: readonly ConversationMessage[];
  /** Decisions by id of the call. */
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly nextSeq: number;
  /** True when any call ran in the conversation, even one in a message that the model no longer receives. */
  readonly hasRead: boolean;
}

/**
 * Locks a conversation for one turn and records the user's message. Settles unfinished calls of an interrupted turn.
 * Denies a waiting call when the user writes something else. Throws AppError `not_found`, and `throttled` when the user
 * has too many running turns. Throws `conflict` while another turn runs, or for a decision about a call that does not
 * wait.
 */
export function beginTurn(deps: HoldTurnDeps, request: TurnRequest): Promise<ConversationTurn> {
  return deps.db.transaction(async (db) => {
    const tx = { ...deps, db };
    const turn = uuidV7(deps.clock.now());
    if (await countRunningTurns(db, request.owner) >= AT_ONCE) {
      throw new AppError(
        "throttled",
        say`${request.owner} has ${AT_ONCE} turns under way; try again`,
      );
    }
    const begun = request.conversationId === undefined
      ? await newConversation(tx, turn, request)
      : await continueTurn(tx, turn, { ...request, conversationId: request.conversationId });
    const { messages, ...conversation } = begun;
    const decisions = decisionsOn(messages, request.approvals);
    const settled = messages.map((it) =>
      settledMessage(it, { ...request, deps, isOver: request.message !== undefined, decisions })
    );
    const held = { id: conversation.conversationId, turn };
    for (const [at, message] of settled.entries()) {
      if (message !== messages[at]) await writeMessage(db, held, message);
    }
    const said = request.message === undefined ? [] : [userMessage(deps, {
      seq: (messages.at(-1)?.seq ?? 0) + 1,
      text: request.message,
    })];
    for (const message of said) await writeMessage(db, held, message);
    const all = [...settled, ...said];
    return {
      id: turn,
      owner: request.owner,
      language: request.language,
      ...conversation,
      messages: all,
      decisions,
      nextSeq: (all.at(-1)?.seq ?? 0) + 1,
    };
  });
}

type Begun = Pick<ConversationTurn, "conversationId" | "app" | "model" | "messages" | "hasRead">;

async function newConversation(
  { clock, db }: HoldTurnDeps,
  turn: string,
  { owner, message = "", app, modelOf }: TurnRequest,
): Promise<Begun> {
  const id = uuidV7(clock.now());
  const begun = { app: app ?? null, model: modelOf(undefined) };
  await insertConversation(db, { ...begun, id, owner, title: formatTitle(message), turn });
  return { ...begun, conversationId: id, messages: [], hasRead: false };
}

async function continueTurn(
  { db }: HoldTurnDeps,
  turn: string,
  { conversationId: id, owner, modelOf }: TurnRequest & { readonly conversationId: string },
): Promise<Begun> {
  const found = await lockConversation(db, { id, owner });
  if (!found) throw notFound("Conversation", id);
  if (found.isBusy) {
    throw new AppError("conflict", say`A turn of this conversation is under way`, {
      retryAfter: 5,
    });
  }
  if (found.messageCount >= MAX_MESSAGES) {
    throw new AppError(
      "conflict",
      say`The conversation has ${found.messageCount} messages; begin another one`,
    );
  }
  const model = modelOf(found.model);
  await claimConversation(db, { id, turn, model });
  return {
    conversationId: id,
    app: found.app,
    model,
    messages: await lastMessages(db, id, MAX_REPORTED),
    hasRead: found.hasRead,
  };
}

/** Each decision concerns one waiting call, and each waiting call gets one decision. */
function decisionsOn(
  messages: readonly ConversationMessage[],
  approvals: TurnRequest["approvals"],
): ReadonlyMap<string, Decision> {
  const waiting = new Set(
    getCalls(messages).filter((it) => it.state === "pending_approval").map((it) => it.id),
  );
  const decisions = new Map<string, Decision>();
  for (const { tool_call_id: id, decision } of approvals) {
    if (!waiting.has(id) || decisions.has(id)) {
      throw new AppError("conflict", say`No call ${id.slice(0, 64)} waits for a decision`);
    }
    decisions.set(id, decision);
  }
  return decisions;
}

interface Settling {
  readonly deps: Pick<HoldTurnDeps, "clock">;
  readonly owner: string;
  readonly language: Language;
  /** True when the user wrote something else, which denies waiting calls. */
  readonly isOver: boolean;
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** Why a call failed that was under way when its turn was cut off. */
export const CUT_OFF = say`It was cut off; whether it took effect is not known`;

/** Returns the message itself when no part of it is open. */
function settledMessage(message: ConversationMessage, settling: Settling): ConversationMessage {
  const { deps, owner, language, isOver, decisions } = settling;
  const isOpen = (it: ConversationPart): it is CallPart =>
    isCall(it) && (it.state === "running" ||
      it.state === "pending_approval" && isOver && !decisions.has(it.id));
  const isUnfinished = message.role === "assistant" && message.finish_reason === null;
  if (!isUnfinished && !message.parts.some(isOpen)) return message;
  return {
    ...message,
    parts: message.parts.map((it) => {
      if (!isOpen(it)) return it;
      if (it.state === "running") {
        return { ...it, state: "failed", error: translate(CUT_OFF, language) };
      }
      const at = deps.clock.now().toISOString();
      return { ...it, state: "denied", approval: { by: owner, at, decision: "deny" } };
    }),
    finish_reason: isUnfinished ? "aborted" : message.finish_reason,
  };
}

function userMessage(
  { clock }: Pick<HoldTurnDeps, "clock">,
  { seq, text }: { seq: number; text: string },
): ConversationMessage {
  const now = clock.now();
  return {
    id: uuidV7(now),
    seq,
    role: "user",
    parts: [{ type: "text", text }],
    usage: null,
    finish_reason: null,
    created_at: now.toISOString(),
  };
}

function formatTitle(message: string): string {
  return truncateText(message.trim().split("\n")[0] ?? "", MAX_TITLE);
}

/**
 * Stores the present state of a message. Throws AppError `conflict` when the conversation was deleted, or another turn
 * owns it.
 */
export async function saveMessage(
  { db }: Pick<Deps, "db">,
  { conversationId: id, id: turn }: ConversationTurn,
  message: ConversationMessage,
): Promise<void> {
  if (!await writeMessage(db, { id, turn }, message)) throw new AppError("conflict", TAKEN);
}

const TAKEN: Sentence = say`The conversation was deleted, or another turn of it has begun`;
const KEEP_MS = 5_000;

/** Renews the turn's lease until the turn ends; calls `lost` when another turn owns the conversation. */
export function keepTurnAlive(
  { db }: Pick<Deps, "db">,
  { conversationId: id, id: turn }: ConversationTurn,
  lost: (why: AppError) => void,
): { end(): Promise<void> } {
  const timer = setInterval(() => {
    extendConversationLease(db, { id, turn }).then((held) =>
      held || lost(new AppError("conflict", TAKEN))
    )
      .catch(() => {}); // the next write tells that the database is away
  }, KEEP_MS);
  return {
    async end() {
      clearInterval(timer);
      await releaseConversation(db, { id, turn });
    },
  };
}
