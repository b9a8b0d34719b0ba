import type { QueryClient } from "@tanstack/react-query";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { useSyncExternalStore } from "react";
import { fetchFile } from "../../api/client.ts";
import { Problem } from "../../api/problem.ts";
import { readAgain } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { onLeft } from "../../api/session.ts";

export type Call = components["schemas"]["AiToolCall"];
export type Message = Pick<components["schemas"]["AiMessage"], "id" | "role" | "parts">;
type Decision = components["schemas"]["AiDecision"];

/** A turn as this page knows it so far; it goes on while another page or conversation is shown. */
export interface Turn {
  /** What was asked, until it is read with the conversation. */
  readonly asked: string | undefined;
  /** Ids of the messages the conversation had before. */
  readonly known: ReadonlySet<string>;
  /** What came since. */
  readonly messages: readonly Message[];
  /** Calls of earlier messages that went on. */
  readonly changed: ReadonlyMap<string, Call>;
  readonly isOver: boolean;
  readonly problem: unknown;
  /** The question that was taken and not answered. */
  readonly unanswered?: string | undefined;
  readonly stop: () => void;
}

/** By conversation; under `NEW` one that has no id yet. */
const turns = new Map<string, Turn>();
const drafts = new Map<string, string>();
const listeners = new Set<() => void>();
export const NEW = "";

function tell(): void {
  clearTimeout(telling);
  telling = undefined;
  for (const it of listeners) it();
}

let telling: ReturnType<typeof setTimeout> | undefined;
/** A model may say a hundred words a second, and whatever it said before is drawn with each. */
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

export function useTurn(conversation: string): Turn | undefined {
  return useSyncExternalStore(subscribe, () => turns.get(conversation));
}

/** What is typed, kept while other conversations are looked at. */
export function useDraft(conversation: string): [string, (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => drafts.get(conversation) ?? "");
  return [text, (it) => {
    drafts.set(conversation, it);
    tell();
  }];
}

let begun: string | undefined;

/** Once, of a conversation that was begun here just now: its page is another one, and whoever typed goes on typing. */
export function wasJustBegun(conversation: string): boolean {
  const isIt = begun === conversation;
  if (isIt) begun = undefined;
  return isIt;
}

interface Asked {
  readonly conversation: string;
  readonly message?: string;
  readonly approvals?: readonly Decision[];
  /** Undefined: the one the conversation has, or the first. */
  readonly model?: string | undefined;
  readonly known: readonly string[];
  /** A conversation was begun: its id. */
  readonly onBegun: (id: string) => void;
}

/** Sends a turn and follows it to its end. What was asked is a draft again where the product did not take it. */
export async function sendTurn(
  client: QueryClient,
  { conversation, message, approvals, model, known, onBegun }: Asked,
): Promise<void> {
  const leave = new AbortController();
  let at = conversation;
  let isTaken = false;
  const stop = () => leave.abort();
  /** Not where somebody signed out, nor once the next turn has begun while this one is read with the conversation. */
  const own = () => {
    const turn = turns.get(at);
    return turn?.stop === stop ? turn : undefined;
  };
  const change = (by: (turn: Turn) => Partial<Turn>) => {
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
    const body = {
      ...at !== NEW && { conversation_id: at },
      ...message !== undefined && { message },
      ...approvals && { approvals },
      ...model !== undefined && { model },
    };
    for await (const { event, data, headers } of eventsOf(body, leave.signal)) {
      isTaken = true;
      if (event === "message.start" && at === NEW) {
        const id = String(data["conversation_id"]);
        turns.set(id, turns.get(NEW) as Turn);
        turns.delete(NEW);
        at = id;
        begun = id;
        onBegun(id);
      }
      if (event === "error") {
        throw new Problem(String(data["detail"]), {
          status: Number(data["status"]),
          body: { isTaken },
          headers,
        });
      }
      change((turn) => withEvent(turn, event, data));
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
  await new Promise((resume) => setTimeout(resume)); // until it is over on the page too, nothing is read there
  await client.invalidateQueries({ queryKey: [CONVERSATION, at] });
  void readAgain(client, ["/ai/conversations"]);
  // From here on it is read with the conversation; why it ended stays to be seen.
  const ended = own();
  if (ended && ended.problem === undefined) turns.delete(at);
  else change(() => ({ asked: undefined, messages: [], changed: new Map() }));
  tell();
}

/** Key of what is read of one conversation. */
export const CONVERSATION = "/ai/conversations/{id}";

/** Forgets why the last turn ended. */
export function dismiss(conversation: string): void {
  if (turns.get(conversation)?.isOver) turns.delete(conversation);
  tell();
}

interface TurnEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Of the answer it came in. */
  readonly headers: Headers;
}

async function* eventsOf(body: object, signal: AbortSignal): AsyncGenerator<TurnEvent> {
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

/** The turn with one event more. */
function withEvent(turn: Turn, event: string, data: TurnEvent["data"]): Partial<Turn> {
  const id = String(data["message_id"]);
  const isEarlier = turn.known.has(id);
  if (event === "tool.call" || event === "tool.result") {
    const { conversation_id: _, message_id: __, ...rest } = data;
    const call = { type: "tool_call", ...rest } as unknown as Call;
    return isEarlier
      ? { changed: new Map(turn.changed).set(call.id, call) }
      : { messages: withPart(turn.messages, id, call) };
  }
  if (event !== "ai.chat.delta" || isEarlier) return {};
  return { messages: withText(turn.messages, id, String(data["text"])) };
}

function messageOf(messages: readonly Message[], id: string): Message {
  return messages.find((it) => it.id === id) ?? { id, role: "assistant", parts: [] };
}

function withMessage(messages: readonly Message[], changed: Message): readonly Message[] {
  return messages.some((it) => it.id === changed.id)
    ? messages.map((it) => it.id === changed.id ? changed : it)
    : [...messages, changed];
}

function withText(messages: readonly Message[], id: string, more: string): readonly Message[] {
  const message = messageOf(messages, id);
  const [first, ...others] = message.parts;
  const parts = first?.type === "text"
    ? [{ ...first, text: first.text + more }, ...others]
    : [{ type: "text" as const, text: more }, ...message.parts];
  return withMessage(messages, { ...message, parts });
}

function withPart(messages: readonly Message[], id: string, call: Call): readonly Message[] {
  const message = messageOf(messages, id);
  const isThere = message.parts.some((it) => it.type === "tool_call" && it.id === call.id);
  const parts = isThere
    ? message.parts.map((it) => it.type === "tool_call" && it.id === call.id ? call : it)
    : [...message.parts, call];
  return withMessage(messages, { ...message, parts });
}
