import type { CallPart, FinishReason, MessageUsage } from "../conversations/mod.ts";

/** Events that a turn emits. */
export type TurnEvent =
  | { readonly event: "message.start"; readonly data: MessageStart }
  | { readonly event: "ai.chat.delta"; readonly data: ChatDelta }
  | { readonly event: "tool.call" | "tool.result"; readonly data: ToolEvent }
  | { readonly event: "message.end"; readonly data: MessageEnd };

interface MessageStart {
  readonly conversation_id: string;
  readonly message_id: string;
}
interface ChatDelta extends MessageStart {
  /** Index from 0 in each message. */
  readonly index: number;
  readonly text: string;
}
type ToolEvent = MessageStart & Omit<CallPart, "grounds" | "tag" | "type">;
interface MessageEnd extends MessageStart {
  readonly usage: MessageUsage | null;
  readonly finish_reason: FinishReason;
}

export type Emit = (event: TurnEvent) => Promise<void>;
