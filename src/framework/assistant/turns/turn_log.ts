import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { uuidV7 } from "#src/kernel/uuid.ts";
import type { Usage } from "#src/ports/llm.ts";
import {
  type CallPart,
  callView,
  type ConversationMessage,
  type ConversationTurn,
  CUT_OFF,
  type FinishReason,
  getCalls,
  hasRunCall,
  isCall,
  type MessageUsage,
  saveMessage,
} from "../conversations/mod.ts";
import type { ToolCaller } from "../tools/mod.ts";
import { failedCall } from "./call_tool.ts";
import type { Emit, TurnEvent } from "./events.ts";

const MAX_TEXT = 100_000;
/** Shortest interval between saves of a growing text. */
const SAVE_MS = 1_000;

export interface TurnContext {
  /** Returns the user with the current rights. Throws AppError `unauthenticated` once the session has ended. */
  readonly present: () => Promise<ToolCaller>;
  readonly emit: Emit;
  /** Its client has left, or the turn has to end. */
  readonly signal: AbortSignal;
  readonly errorId: string;
}

/** End of a turn. */
export interface TurnEnd {
  readonly message_id: string | null;
  /** All that was said in it. */
  readonly text: string;
  readonly calls: readonly CallPart[];
  readonly usage: MessageUsage;
  readonly finish_reason: FinishReason;
  /** Why it could not go on. */
  readonly error?: unknown;
}

/** Messages of a turn as they arise: stored first, then emitted. */
export interface TurnLog {
  readonly deps: Pick<Deps, "clock" | "db" | "live" | "log">;
  readonly turn: ConversationTurn;
  readonly context: TurnContext;
  messages: readonly ConversationMessage[];
  /** The message that is being made, or gone on with. */
  current: ConversationMessage | undefined;
  nextSeq: number;
  /** Number of text chunks of the message that were emitted. */
  pieces: number;
  savedAt: number;
  text: string;
  usage: MessageUsage;
}

export function newTurnLog(
  deps: TurnLog["deps"],
  turn: ConversationTurn,
  context: TurnContext,
): TurnLog {
  return {
    deps,
    turn,
    context,
    messages: turn.messages,
    current: undefined,
    nextSeq: turn.nextSeq,
    pieces: 0,
    savedAt: 0,
    text: "",
    usage: { input_tokens: 0, output_tokens: 0 },
  };
}

/** Returns true when texts written by others may be part of the conversation. */
export function hasRead({ messages, turn }: TurnLog): boolean {
  return turn.hasRead || hasRunCall(messages);
}

/** Returns true when a call of the message waits for the user. */
export function waits(log: TurnLog): boolean {
  return getCalls([getOpenMessage(log)]).some((it) => it.state === "pending_approval");
}

export async function beginMessage(log: TurnLog): Promise<void> {
  log.context.signal.throwIfAborted();
  const now = log.deps.clock.now();
  log.pieces = 0;
  await save(log, {
    id: uuidV7(now),
    seq: log.nextSeq++,
    role: "assistant",
    parts: [],
    usage: null,
    finish_reason: null,
    created_at: now.toISOString(),
  });
  await tell(log, { event: "message.start", data: getIds(log) });
}

/** Continues a message of an earlier turn. */
export async function resumeMessage(log: TurnLog, message: ConversationMessage): Promise<void> {
  log.current = message;
  await tell(log, { event: "message.start", data: getIds(log) });
}

/**
 * Emits text to the caller and to the owner's live clients. Returns false once the message has reached its length
 * limit.
 */
export async function sayMore(log: TurnLog, more: string): Promise<boolean> {
  const { deps: { db, live }, turn } = log;
  const message = getOpenMessage(log);
  const before = message.parts.find((it) => it.type === "text")?.text ?? "";
  log.text += more;
  log.current = { ...message, parts: [{ type: "text", text: before + more }] };
  if (performance.now() - log.savedAt > SAVE_MS) await save(log, log.current);
  const event = {
    event: "ai.chat.delta" as const,
    data: { ...getIds(log), index: log.pieces++, text: more },
  };
  const { event: type, data } = event;
  const audience = turn.owner;
  await Promise.all([
    tell(log, event),
    live.publish(db, { topic: "ai", type, data, permission: "ai:chat", audience }),
  ]);
  return before.length + more.length < MAX_TEXT;
}

export function countUsage(log: TurnLog, counted: Usage | undefined): void {
  if (!counted) return;
  const { inputTokens: input_tokens, outputTokens: output_tokens } = counted;
  log.usage = {
    input_tokens: log.usage.input_tokens + input_tokens,
    output_tokens: log.usage.output_tokens + output_tokens,
  };
  log.current = { ...getOpenMessage(log), usage: { input_tokens, output_tokens } };
}

export async function addCall(log: TurnLog, call: CallPart): Promise<void> {
  await save(log, { ...getOpenMessage(log), parts: [...getOpenMessage(log).parts, call] });
  await tellCall(log, "tool.call", call);
  if (call.state === "failed") await tellCall(log, "tool.result", call);
}

/** Stores the outcome of a call. */
export async function changeCall(log: TurnLog, call: CallPart): Promise<void> {
  const message = getOpenMessage(log);
  const parts = message.parts.map((it) => isCall(it) && it.id === call.id ? call : it);
  await save(log, { ...message, parts });
  await tellCall(log, call.state === "running" ? "tool.call" : "tool.result", call);
}

export async function finishMessage(
  log: TurnLog,
  finish_reason: FinishReason,
): Promise<FinishReason> {
  await save(log, { ...getOpenMessage(log), finish_reason });
  await tell(log, endOfMessage(log, finish_reason));
  return finish_reason;
}

/** Stores the existing part of a message that ends too early, if possible. */
export async function breakOff(
  log: TurnLog,
  finish_reason: "aborted" | "error",
): Promise<FinishReason> {
  const { current, deps, turn } = log;
  if (!current) return finish_reason;
  const parts = current.parts.map((it) =>
    isCall(it) && it.state === "running"
      ? failedCall(it, new AppError("conflict", CUT_OFF), turn)
      : it
  );
  await save(log, { ...current, parts, finish_reason })
    .catch((error) => deps.log.warn("assistant.message.not_kept", { error }));
  await log.context.emit(endOfMessage(log, finish_reason)).catch(() => {}); // the client may have left
  return finish_reason;
}

export function createTurnEnd(log: TurnLog, finish_reason: FinishReason): TurnEnd {
  const { turn, messages, current, text, usage } = log;
  const isOfTurn = (it: ConversationMessage) =>
    it.seq >= turn.nextSeq || getCalls([it]).some((call) => turn.decisions.has(call.id));
  const calls = getCalls(messages.filter(isOfTurn));
  return { message_id: current?.id ?? null, text, calls, usage, finish_reason };
}

function getOpenMessage({ current }: TurnLog): ConversationMessage {
  if (!current) throw new Error("no message of the turn is open");
  return current;
}

function getIds(log: TurnLog) {
  return { conversation_id: log.turn.conversationId, message_id: getOpenMessage(log).id };
}

function endOfMessage(log: TurnLog, finish_reason: FinishReason): TurnEvent {
  return {
    event: "message.end",
    data: { ...getIds(log), usage: getOpenMessage(log).usage, finish_reason },
  };
}

async function save(log: TurnLog, message: ConversationMessage): Promise<void> {
  const { messages } = log;
  log.current = message;
  log.messages = messages.some((it) => it.id === message.id)
    ? messages.map((it) => it.id === message.id ? message : it)
    : [...messages, message];
  await saveMessage(log.deps, log.turn, message);
  log.savedAt = performance.now();
}

async function tellCall(
  log: TurnLog,
  event: "tool.call" | "tool.result",
  call: CallPart,
): Promise<void> {
  const { type: _, ...shown } = callView(call);
  await tell(log, { event, data: { ...getIds(log), ...shown } });
}

/** A caller who stopped reading must not delay a turn that has to end. */
function tell({ context: { emit, signal } }: TurnLog, event: TurnEvent): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    emit(event).then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", leave));
  });
}
