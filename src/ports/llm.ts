/** Tool call that the model requests. */
export interface AskedCall {
  /** Id that the model gave the call; ids of one answer may be equal. */
  readonly id: string;
  readonly tool: string;
  /** JSON as the model wrote it, which may be invalid. */
  readonly arguments: string;
}

/** One message of a conversation. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | {
    readonly role: "assistant";
    readonly content: string;
    readonly calls?: readonly AskedCall[] | undefined;
  }
  | { readonly role: "tool"; readonly callId: string; readonly content: string };

/** Tool offered to a model. */
export interface OfferedTool {
  /** Letters, digits, `_` and `-`, at most 64. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Tokens of one answer, as the endpoint counts them. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export type LlmEnd = "stop" | "tool_calls" | "length";

/** Part of an answer: text in pieces, then the requested calls, and last its end. */
export type LlmPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly call: AskedCall }
  | { readonly kind: "end"; readonly reason: LlmEnd; readonly usage: Usage | undefined };

export interface LlmRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly OfferedTool[];
  readonly signal: AbortSignal;
}

/** A language model behind an OpenAI-compatible endpoint. */
export interface Llm {
  /** Models that callers may choose, the default first; empty if none is configured. */
  readonly models: readonly string[];
  /**
   * Returns the answer in pieces; ending the iteration or aborting closes the connection. Throws AppError
   * `upstream` or `throttled`.
   */
  chat(request: LlmRequest): AsyncIterable<LlmPiece>;
}
