import type { Confirmation, Grounds, ToolResult } from "../tools/mod.ts";

/** `pending_approval` waits for its user · `denied` its user did not want it. */
export const CALL_STATES = [
  "pending_approval",
  "running",
  "succeeded",
  "failed",
  "denied",
] as const;
/** `pending_approval` calls wait for their user · `aborted` the user left, or the process ended. */
export const FINISH_REASONS = [
  "stop",
  "tool_calls",
  "pending_approval",
  "length",
  "aborted",
  "error",
] as const;
export type FinishReason = (typeof FINISH_REASONS)[number];
export const DECISIONS = ["allow", "deny"] as const;
export type Decision = (typeof DECISIONS)[number];

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

/** Tool call with its request and outcome. */
export interface CallPart {
  readonly type: "tool_call";
  /** Ours: models give the same one twice. */
  readonly id: string;
  readonly tool: string;
  /** The code it ran under; null for a tool the user may not call. */
  readonly permission: string | null;
  readonly confirm: Confirmation;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Fingerprint of the tool when the call was shown; another one voids the approval. */
  readonly tag: string;
  /** Rights and values on which its result rests; null when the call did not run. */
  readonly grounds: Grounds | null;
  readonly state: (typeof CALL_STATES)[number];
  readonly approval:
    | { readonly by: string; readonly at: string; readonly decision: Decision }
    | null;
  readonly started_at: string | null;
  readonly duration_ms: number | null;
  readonly result: ToolResult | null;
  readonly error: string | null;
}

export type ConversationPart = TextPart | CallPart;

export interface MessageUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface ConversationMessage {
  readonly id: string;
  /** Sequence number, from 1. */
  readonly seq: number;
  readonly role: "user" | "assistant";
  readonly parts: readonly ConversationPart[];
  readonly usage: MessageUsage | null;
  /** Null while it is being made. */
  readonly finish_reason: FinishReason | null;
  readonly created_at: string;
}

export function isCall(part: ConversationPart): part is CallPart {
  return part.type === "tool_call";
}

export function getCalls(messages: readonly Pick<ConversationMessage, "parts">[]): CallPart[] {
  return messages.flatMap((it) => it.parts.filter(isCall));
}

/** Returns true when a call ran. Its result or error may contain texts written by others. */
export function hasRunCall(messages: readonly Pick<ConversationMessage, "parts">[]): boolean {
  return getCalls(messages).some((it) => it.started_at !== null);
}
