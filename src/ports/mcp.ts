/** A tool as a client of the Model Context Protocol sees it. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** It reaches systems outside. */
  readonly isOpenWorld: boolean;
  /** It changes nothing. */
  readonly isReadOnly: boolean;
}

export interface McpTemplate {
  /** RFC 6570. */
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly mimeType: string;
}

/** What a resource holds: text, or bytes. */
export type McpContent =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly bytes: Uint8Array };

/** Why something was not done, as its reader is told. */
export interface McpRefusal {
  readonly refusal: string;
}

/** What a client said of itself when its session began. */
export interface McpClient {
  /** It asks its user what the product wants to know, by a form (elicitation). */
  readonly canAsk: boolean;
}

/** Whether the user of a client wants a call. Throws AppError `overdue` where nobody says. */
export type McpAsk = (asked: {
  readonly question: string;
  /** Label of the box that says yes. */
  readonly yes: string;
}) => Promise<boolean>;

/** Questions to users of clients. Their answers come by calls of their own, to whichever process. */
export interface McpQuestions {
  /** Resolves to the id the answer will come under. Throws AppError `throttled` where too many of the caller wait. */
  open(): Promise<string>;
  /** Tells whoever waits for it; nothing where the caller was not asked this. Throws AppError `too_large`. */
  answer(id: string, answer: object): Promise<void>;
  /** Resolves to the answer. Rejects once the signal aborts, or its time is over. */
  answered(id: string, signal: AbortSignal): Promise<object>;
}

interface McpCall {
  readonly name: string;
  readonly given: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Undefined where the client cannot ask its user. */
  readonly ask: McpAsk | undefined;
}

/** What one caller may do by the protocol. */
export interface McpDoor {
  readonly version: string;
  readonly instructions: string;
  readonly questions: McpQuestions;
  /** What the client shows with each message of its session: what it said of itself, sealed for the caller. */
  begin(client: McpClient): string;
  /** Undefined for a session that is not the caller's. */
  resume(session: string): McpClient | undefined;
  /** Those that need an approval only for a client that can ask for it. */
  tools(client: McpClient): readonly McpTool[];
  call(call: McpCall): Promise<{ readonly text: string; readonly result: object } | McpRefusal>;
  templates(): readonly McpTemplate[];
  read(uri: string): Promise<McpContent | McpRefusal>;
}

/** The Model Context Protocol over streamable HTTP. No process keeps a session: any of them answers any message. */
export interface Mcp {
  /**
   * `message` is the body of the request, read already. Throws AppError `not_found` for a session that is not the caller's: a client
   * that is told 404 begins another (MCP 2025-11-25, Transports, Session Management).
   */
  answer(request: Request, message: object, door: McpDoor): Promise<Response>;
}
