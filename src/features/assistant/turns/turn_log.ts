import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { uuidV7 } from "#src/kernel/uuid.ts";
import type { Usage } from "#src/ports/llm.ts";
import {
  type CallPart,
  callsOf,
  callView,
  CUT_OFF,
  type FinishReason,
  isCall,
  type Message,
  type MessageUsage,
  saveMessage,
  type Turn,
} from "../conversations/mod.ts";
import type { ToolCaller } from "../tools/mod.ts";
import { failedCall } from "./call_tool.ts";
import type { Emit, TurnEvent } from "./events.ts";

const MAX_TEXT = 100_000;
/** Text is kept at most so often while it comes. */
const SAVE_MS = 1_000;

export interface TurnContext {
  /** Who it is for with the rights of this moment. Throws AppError `unauthenticated` once they are signed in no more. */
  readonly present: () => Promise<ToolCaller>;
  readonly emit: Emit;
  /** Its client has left, or the turn has to end. */
  readonly signal: AbortSignal;
  readonly errorId: string;
}

/** How a turn ended. */
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

/** The messages of a turn as they come to be: kept first, then told. */
export interface TurnLog {
  readonly needs: Pick<Deps, "clock" | "db" | "live" | "log">;
  readonly turn: Turn;
  readonly context: TurnContext;
  messages: readonly Message[];
  /** The message that is being made, or gone on with. */
  current: Message | undefined;
  nextSeq: number;
  /** Pieces of text of the message that were told. */
  pieces: number;
  savedAt: number;
  text: string;
  usage: MessageUsage;
}

export function newTurnLog(
  needs: TurnLog["needs"],
  turn: Turn,
  context: TurnContext,
): TurnLog {
  return {
    needs,
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

/** Whether words of others stand in the conversation: what a call failed with may be a peer's own. */
export function hasRead({ messages }: TurnLog): boolean {
  return callsOf(messages).some((it) => it.started_at !== null);
}

/** Whether a call of the message waits for the user. */
export function waits(log: TurnLog): boolean {
  return callsOf([open(log)]).some((it) => it.state === "pending_approval");
}

export async function beginMessage(log: TurnLog): Promise<void> {
  log.context.signal.throwIfAborted();
  const now = log.needs.clock.now();
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
  await tell(log, { event: "message.start", data: idsOf(log) });
}

/** Goes on with a message of an earlier turn. */
export async function resumeMessage(log: TurnLog, message: Message): Promise<void> {
  log.current = message;
  await tell(log, { event: "message.start", data: idsOf(log) });
}

/** To the caller, and to whoever follows live as the owner. False once the message is as long as one may be. */
export async function sayMore(log: TurnLog, more: string): Promise<boolean> {
  const { needs: { db, live }, turn } = log;
  const message = open(log);
  const before = message.parts.find((it) => it.type === "text")?.text ?? "";
  log.text += more;
  log.current = { ...message, parts: [{ type: "text", text: before + more }] };
  if (performance.now() - log.savedAt > SAVE_MS) await save(log, log.current);
  const event = {
    event: "ai.chat.delta" as const,
    data: { ...idsOf(log), index: log.pieces++, text: more },
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
  log.current = { ...open(log), usage: { input_tokens, output_tokens } };
}

export async function addCall(log: TurnLog, call: CallPart): Promise<void> {
  await save(log, { ...open(log), parts: [...open(log).parts, call] });
  await tellCall(log, "tool.call", call);
  if (call.state === "failed") await tellCall(log, "tool.result", call);
}

/** What came of a call. */
export async function changeCall(log: TurnLog, call: CallPart): Promise<void> {
  const message = open(log);
  const parts = message.parts.map((it) => isCall(it) && it.id === call.id ? call : it);
  await save(log, { ...message, parts });
  await tellCall(log, call.state === "running" ? "tool.call" : "tool.result", call);
}

export async function finishMessage(
  log: TurnLog,
  finish_reason: FinishReason,
): Promise<FinishReason> {
  await save(log, { ...open(log), finish_reason });
  await tell(log, endOfMessage(log, finish_reason));
  return finish_reason;
}

/** Keeps what there is of a message that ends too early, as far as that is possible. */
export async function breakOff(
  log: TurnLog,
  finish_reason: "aborted" | "error",
): Promise<FinishReason> {
  const { current, needs, turn } = log;
  if (!current) return finish_reason;
  const parts = current.parts.map((it) =>
    isCall(it) && it.state === "running"
      ? failedCall(it, new AppError("conflict", CUT_OFF), turn)
      : it
  );
  await save(log, { ...current, parts, finish_reason })
    .catch((error) => needs.log.warn("assistant.message.not_kept", { error }));
  await log.context.emit(endOfMessage(log, finish_reason)).catch(() => {}); // nobody is there to be told
  return finish_reason;
}

export function endOf(log: TurnLog, finish_reason: FinishReason): TurnEnd {
  const { turn, messages, current, text, usage } = log;
  const isOfTurn = (it: Message) =>
    it.seq >= turn.nextSeq || callsOf([it]).some((call) => turn.decisions.has(call.id));
  const calls = callsOf(messages.filter(isOfTurn));
  return { message_id: current?.id ?? null, text, calls, usage, finish_reason };
}

function open({ current }: TurnLog): Message {
  if (!current) throw new Error("no message of the turn is open");
  return current;
}

function idsOf(log: TurnLog) {
  return { conversation_id: log.turn.conversationId, message_id: open(log).id };
}

function endOfMessage(log: TurnLog, finish_reason: FinishReason): TurnEvent {
  return { event: "message.end", data: { ...idsOf(log), usage: open(log).usage, finish_reason } };
}

async function save(log: TurnLog, message: Message): Promise<void> {
  const { messages } = log;
  log.current = message;
  log.messages = messages.some((it) => it.id === message.id)
    ? messages.map((it) => it.id === message.id ? message : it)
    : [...messages, message];
  await saveMessage(log.needs, log.turn, message);
  log.savedAt = performance.now();
}

async function tellCall(
  log: TurnLog,
  event: "tool.call" | "tool.result",
  call: CallPart,
): Promise<void> {
  const { type: _, ...shown } = callView(call);
  await tell(log, { event, data: { ...idsOf(log), ...shown } });
}

/** A caller who reads nothing any more does not keep a turn that has to end. */
function tell({ context: { emit, signal } }: TurnLog, event: TurnEvent): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) return leave();
    signal.addEventListener("abort", leave, { once: true });
    emit(event).then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", leave));
  });
}
