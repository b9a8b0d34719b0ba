import type { QueryClient } from "@tanstack/react-query";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { useSyncExternalStore } from "react";
import { fetchFile } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { readAgain } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { onLeft } from "../../api/session.ts";

export type AssistantToolCall = components["schemas"]["AiToolCall"];
export type AssistantMessage = Pick<components["schemas"]["AiMessage"], "id" | "role" | "parts">;
type Decision = components["schemas"]["AiDecision"];

/** Running turn as this page knows it; it continues while another page or conversation is open. */
export interface RunningTurn {
  /** Question, until it is read with the conversation. */
  readonly asked: string | undefined;
  /** Ids of the messages that the conversation already had. */
  readonly known: ReadonlySet<string>;
  /** New messages. */
  readonly messages: readonly AssistantMessage[];
  /** Calls of earlier messages that continued. */
  readonly changed: ReadonlyMap<string, AssistantToolCall>;
  readonly isOver: boolean;
  readonly problem: unknown;
  /** Question that was accepted but not answered. */
  readonly unanswered?: string | undefined;
  readonly stop: () => void;
}

/** Turns by conversation; a new one without id is under `NEW`. */
const turns = new Map<string, RunningTurn>();
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();
export const NEW = "";

function tell(): void {
  clearTimeout(telling);
  telling = undefined;
  for (const it of listeners) it();
}

let telling: ReturnType<typeof setTimeout> | undefined;
/**
 * Interval of redraws: models send up to a hundred words a second, and each redraw renders the whole answer.
 */
const TELL_MS = 50;

function tellSoon(): void {
  telling ??= setTimeout(tell, TELL_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

onLeft(() => {
  for (const it of turns.values()) it.stop();
  turns.clear();
  drafts.clear();
});

export function useTurn(conversation: string): RunningTurn | undefined {
  return useSyncExternalStore(subscribe, () => turns.get(conversation));
}

/** Holds the draft of a conversation while others are open. */
export function useDraft(conversation: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => drafts.get(conversation) ?? "");
  return [text, (it) => {
    drafts.set(conversation, it);
    tell();
  }];
}

let begun: string | undefined;

/**
 * Returns true once for a conversation that was just started here: its page is new, and the reader's focus
 * must stay in the field.
 */
export function wasJustBegun(conversation: string): boolean {
  const isIt = begun === conversation;
  if (isIt) begun = undefined;
  return isIt;
}

interface Question {
  readonly conversation: string;
  readonly message?: string | undefined;
  readonly approvals?: readonly Decision[] | undefined;
  /** Undefined for the model of the conversation, or the first model. */
  readonly model?: string | undefined;
}

interface Asked extends Question {
  readonly known: readonly string[];
  /** Receives the id of a new conversation. */
  readonly onBegun: (id: string) => void;
}

/** Sends a turn and follows it to its end. The question becomes a draft again if the API rejected it. */
export async function sendTurn(
  client: QueryClient,
  { conversation, message, approvals, model, known, onBegun }: Asked,
): Promise<void> {
  const leave = new AbortController();
  let at = conversation;
  let isTaken = false;
  const stop = () => leave.abort();
  /** Returns the turn, unless the reader signed out or the next turn has started since. */
  const own = () => {
    const turn = turns.get(at);
    return turn?.stop === stop ? turn : undefined;
  };
  const change = (by: (turn: RunningTurn) => Partial<RunningTurn>) => {
    const turn = own();
    if (turn) turns.set(at, { ...turn, ...by(turn) });
  };
  turns.set(at, {
    asked: message,
    known: new Set(known),
    messages: [],
    changed: new Map(),
    isOver: false,
    problem: undefined,
    stop,
  });
  if (message !== undefined) drafts.delete(at);
  tell();
  try {
    const sent = { conversation, message, approvals, model };
    for await (const it of getEvents(sent, leave.signal)) {
      isTaken = true;
      if (it.event === "message.start" && at === NEW) {
        at = nameTurn(String(it.data["conversation_id"]));
        onBegun(at);
      }
      if (it.event === "error") throw toProblem(it);
      change((turn) => withEvent(turn, it));
      tellSoon();
    }
    change(() => ({ isOver: true }));
  } catch (problem) {
    const isStopped = leave.signal.aborted;
    if (own() && !isTaken && message !== undefined && !drafts.get(at)) drafts.set(at, message);
    const unanswered = isTaken ? message : undefined;
    change(() => ({ isOver: true, problem: isStopped ? undefined : problem, unanswered }));
  }
  tell();
  await new Promise((resume) => setTimeout(resume)); // nothing is read until the page shows the turn as over
  await client.invalidateQueries({ queryKey: [CONVERSATION, at] });
  void readAgain(client, ["/ai/conversations"]);
  // From here the turn is read with the conversation; only its error is kept.
  const ended = own();
  if (ended && ended.problem === undefined) turns.delete(at);
  else change(() => ({ asked: undefined, messages: [], changed: new Map() }));
  tell();
}

/** Gives the turn of a new conversation its id. */
function nameTurn(id: string): string {
  turns.set(id, turns.get(NEW) as RunningTurn);
  turns.delete(NEW);
  begun = id;
  return id;
}

/** Query key of a conversation. */
export const CONVERSATION = "/ai/conversations/{id}";

/** Discards the error of the last turn. */
export function dismiss(conversation: string): void {
  if (turns.get(conversation)?.isOver) turns.delete(conversation);
  tell();
}

interface TurnEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Headers of the streamed answer. */
  readonly headers: Headers;
}

async function* getEvents(
  { conversation, message, approvals, model }: Question,
  signal: AbortSignal,
): AsyncGenerator<TurnEvent> {
  const body = {
    ...conversation !== NEW && { conversation_id: conversation },
    ...message !== undefined && { message },
    ...approvals && { approvals },
    ...model !== undefined && { model },
  };
  const response = await fetchFile("/ai/chat", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
  const events = response.body?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream()).getReader();
  for (let it = await events?.read(); it && !it.done; it = await events?.read()) {
    const { event = "", data } = it.value;
    yield { event, data: JSON.parse(data), headers: response.headers };
  }
}

/** Converts the event of a turn that failed after the API had accepted it. */
function toProblem({ data, headers }: TurnEvent): ApiProblem {
  const status = Number(data["status"]);
  return new ApiProblem(String(data["detail"]), { status, body: { isTaken: true }, headers });
}

/** Applies one event to the turn. */
function withEvent(turn: RunningTurn, { event, data }: TurnEvent): Partial<RunningTurn> {
  const id = String(data["message_id"]);
  const isEarlier = turn.known.has(id);
  if (event === "tool.call" || event === "tool.result") {
    const { conversation_id: _, message_id: __, ...rest } = data;
    const call = { type: "tool_call", ...rest } as unknown as AssistantToolCall;
    return isEarlier
      ? { changed: new Map(turn.changed).set(call.id, call) }
      : { messages: withPart(turn.messages, id, call) };
  }
  if (event !== "ai.chat.delta" || isEarlier) return {};
  return { messages: withText(turn.messages, id, String(data["text"])) };
}

function getMessage(messages: readonly AssistantMessage[], id: string): AssistantMessage {
  return messages.find((it) => it.id === id) ?? { id, role: "assistant", parts: [] };
}

function withMessage(
  messages: readonly AssistantMessage[],
  changed: AssistantMessage,
): readonly AssistantMessage[] {
  return messages.some((it) => it.id === changed.id)
    ? messages.map((it) => it.id === changed.id ? changed : it)
    : [...messages, changed];
}

function withText(
  messages: readonly AssistantMessage[],
  id: string,
  more: string,
): readonly AssistantMessage[] {
  const message = getMessage(messages, id);
  const [first, ...others] = message.parts;
  const parts = first?.type === "text"
    ? [{ ...first, text: first.text + more }, ...others]
    : [{ type: "text" as const, text: more }, ...message.parts];
  return withMessage(messages, { ...message, parts });
}

function withPart(
  messages: readonly AssistantMessage[],
  id: string,
  call: AssistantToolCall,
): readonly AssistantMessage[] {
  const message = getMessage(messages, id);
  const isThere = message.parts.some((it) => it.type === "tool_call" && it.id === call.id);
  const parts = isThere
    ? message.parts.map((it) => it.type === "tool_call" && it.id === call.id ? call : it)
    : [...message.parts, call];
  return withMessage(messages, { ...message, parts });
}
