/** A tool the model wants called. */
export interface AskedCall {
  /** As the model named the call; no two of an answer need to differ. */
  readonly id: string;
  readonly tool: string;
  /** JSON as the model wrote it, which may be none. */
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

/** A tool as it is offered to a model. */
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

/** A piece of an answer: text as it comes, then the calls it asks for, and last how it ended. */
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
  /** The models callers may choose, the first of them by default; empty where none is configured. */
  readonly models: readonly string[];
  /**
   * The answer in pieces as they come; ending the iteration or aborting closes the connection. Throws AppError
   * `upstream` or `throttled`.
   */
  chat(request: LlmRequest): AsyncIterable<LlmPiece>;
}
