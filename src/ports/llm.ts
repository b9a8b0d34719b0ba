export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** A language model behind an OpenAI-compatible endpoint. */
export interface Llm {
  /** The models callers may choose, the first of them by default; empty where none is configured. */
  readonly models: readonly string[];
  /**
   * The answer in pieces as they come; ending the iteration or aborting closes the connection. Throws AppError
   * `upstream` or `throttled`.
   */
  chat(
    request: { model: string; messages: readonly ChatMessage[]; signal: AbortSignal },
  ): AsyncIterable<string>;
}
