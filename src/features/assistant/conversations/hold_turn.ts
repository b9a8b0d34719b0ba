import type { Deps } from "#src/deps.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { say, type Sentence, translate } from "#src/kernel/sentences/sentence.ts";
import { beginningOf } from "#src/kernel/text.ts";
import { uuidV7 } from "#src/kernel/uuid.ts";
import {
  type CallPart,
  callsOf,
  type Decision,
  isCall,
  type Message,
  type Part,
} from "./message.ts";
import {
  endTurn,
  insertConversation,
  keepTurn,
  lastMessages,
  lockConversation,
  lockedTurnsUnderWay,
  takeTurn,
  writeMessage,
} from "./store.ts";

type Needs = Pick<Deps, "clock" | "db">;

/** What a model is told of the past at most, and what a conversation holds at most. */
const MOST_TOLD = 60;
const MOST_MESSAGES = 1_000;
const MAX_TITLE = 80;
/** Turns one user has under way. */
const AT_ONCE = 4;

export interface TurnRequest {
  /** Undefined begins one. */
  readonly conversationId: string | undefined;
  readonly owner: string;
  /** Of what is kept of calls. */
  readonly language: Language;
  readonly message: string | undefined;
  readonly app: string | undefined;
  readonly approvals: readonly { readonly tool_call_id: string; readonly decision: Decision }[];
  /** The model the caller names, else the one of the conversation; checked. */
  readonly modelOf: (kept: string | undefined) => string;
}

/** A turn that has its conversation to itself. */
export interface Turn {
  readonly id: string;
  readonly conversationId: string;
  readonly owner: string;
  readonly language: Language;
  readonly app: string | null;
  readonly model: string;
  /** The past, oldest first, with what was just said. */
  readonly messages: readonly Message[];
  /** By the id of the call it is about. */
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly nextSeq: number;
}

/**
 * Takes a conversation for one turn and records what its user said. What an earlier turn left unfinished when it was cut off is
 * settled as such first; a call that waits is denied where its user says something else instead. Throws AppError `not_found`,
 * `throttled` where the user has too many turns under way, `conflict` while another turn is under way, or for a decision about a call that does not wait.
 */
export function beginTurn(needs: Needs, request: TurnRequest): Promise<Turn> {
  return needs.db.transaction(async (db) => {
    const tx = { ...needs, db };
    const turn = uuidV7(needs.clock.now());
    if (await lockedTurnsUnderWay(db, request.owner) >= AT_ONCE) {
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
      settledMessage(it, { ...request, needs, isOver: request.message !== undefined, decisions })
    );
    const held = { id: conversation.conversationId, turn };
    for (const [at, message] of settled.entries()) {
      if (message !== messages[at]) await writeMessage(db, held, message);
    }
    const said = request.message === undefined ? [] : [userMessage(needs, {
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

type Begun = Pick<Turn, "conversationId" | "app" | "model" | "messages">;

async function newConversation(
  { clock, db }: Needs,
  turn: string,
  { owner, message = "", app, modelOf }: TurnRequest,
): Promise<Begun> {
  const id = uuidV7(clock.now());
  const begun = { app: app ?? null, model: modelOf(undefined) };
  await insertConversation(db, { ...begun, id, owner, title: titleOf(message), turn });
  return { ...begun, conversationId: id, messages: [] };
}

async function continueTurn(
  { db }: Needs,
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
  if (found.messageCount >= MOST_MESSAGES) {
    throw new AppError(
      "conflict",
      say`The conversation has ${found.messageCount} messages; begin another one`,
    );
  }
  const model = modelOf(found.model);
  await takeTurn(db, { id, turn, model });
  return {
    conversationId: id,
    app: found.app,
    model,
    messages: await lastMessages(db, id, MOST_TOLD),
  };
}

/** Each decision is about one call that waits, and each such call is decided on once. */
function decisionsOn(
  messages: readonly Message[],
  approvals: TurnRequest["approvals"],
): ReadonlyMap<string, Decision> {
  const waiting = new Set(
    callsOf(messages).filter((it) => it.state === "pending_approval").map((it) => it.id),
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
  readonly needs: Pick<Needs, "clock">;
  readonly owner: string;
  readonly language: Language;
  /** Its user says something else. */
  readonly isOver: boolean;
  readonly decisions: ReadonlyMap<string, Decision>;
}

/** Why a call failed that was under way when its turn was cut off. */
export const CUT_OFF = say`It was cut off; whether it took effect is not known`;

/** The message itself where nothing of it was left open. */
function settledMessage(message: Message, settling: Settling): Message {
  const { needs, owner, language, isOver, decisions } = settling;
  const isOpen = (it: Part): it is CallPart =>
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
      const at = needs.clock.now().toISOString();
      return { ...it, state: "denied", approval: { by: owner, at, decision: "deny" } };
    }),
    finish_reason: isUnfinished ? "aborted" : message.finish_reason,
  };
}

function userMessage(
  { clock }: Pick<Needs, "clock">,
  { seq, text }: { seq: number; text: string },
): Message {
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

function titleOf(message: string): string {
  return beginningOf(message.trim().split("\n")[0] ?? "", MAX_TITLE);
}

/** Records a message as it is by now. Throws AppError `conflict` where the conversation was deleted, or taken by another turn. */
export async function saveMessage(
  { db }: Pick<Deps, "db">,
  { conversationId: id, id: turn }: Turn,
  message: Message,
): Promise<void> {
  if (!await writeMessage(db, { id, turn }, message)) throw new AppError("conflict", TAKEN);
}

const TAKEN: Sentence = say`The conversation was deleted, or another turn of it has begun`;
const KEEP_MS = 5_000;

/** Keeps the conversation for the turn until it is ended; `lost` is called where it is not the turn's any more. */
export function keepTurnAlive(
  { db }: Pick<Deps, "db">,
  { conversationId: id, id: turn }: Turn,
  lost: (why: AppError) => void,
): { end(): Promise<void> } {
  const timer = setInterval(() => {
    keepTurn(db, { id, turn }).then((held) => held || lost(new AppError("conflict", TAKEN)))
      .catch(() => {}); // the next write tells that the database is away
  }, KEEP_MS);
  return {
    async end() {
      clearInterval(timer);
      await endTurn(db, { id, turn });
    },
  };
}
