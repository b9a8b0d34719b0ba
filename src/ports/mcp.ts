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

/** Content of a resource: text or bytes. */
export type McpContent =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly bytes: Uint8Array };

/** Reason of a refusal, as its reader sees it. */
export interface McpRefusal {
  readonly refusal: string;
}

/** Capabilities that a client declared at the start of its session. */
export interface McpClient {
  /** The client can ask its user questions in a form (elicitation). */
  readonly canAsk: boolean;
}

/** Asks the user of a client to approve a call. Throws AppError `overdue` without an answer in time. */
export type McpAsk = (asked: {
  readonly question: string;
  /** Label of the checkbox for approval. */
  readonly yes: string;
}) => Promise<boolean>;

/** Questions to users of clients. Their answers come by calls of their own, to whichever process. */
export interface McpQuestions {
  /** Resolves to the id the answer will come under. Throws AppError `throttled` where too many of the caller wait. */
  open(): Promise<string>;
  /**
   * Passes the answer to the waiting call; has no effect if the caller was not asked this question. Throws
   * AppError `too_large`.
   */
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

/** Capabilities of one caller over the protocol. */
export interface McpDoor {
  readonly version: string;
  readonly instructions: string;
  readonly questions: McpQuestions;
  /** Returns the session token of a client: its declared capabilities, sealed for the caller. */
  begin(client: McpClient): string;
  /** Resumes a session; undefined if it belongs to another caller. */
  resume(session: string): McpClient | undefined;
  /** Returns the tools; those that need an approval only for a client that can ask for it. */
  tools(client: McpClient): readonly McpTool[];
  call(call: McpCall): Promise<{ readonly text: string; readonly result: object } | McpRefusal>;
  templates(): readonly McpTemplate[];
  read(uri: string): Promise<McpContent | McpRefusal>;
}

/** The Model Context Protocol over streamable HTTP. No process keeps a session: any of them answers any message. */
export interface Mcp {
  /**
   * Answers a request; `message` is its parsed body. Throws AppError `not_found` for a session of another caller:
   * after a 404 a client begins a new one (MCP 2025-11-25, Transports, Session Management).
   */
  answer(request: Request, message: object, door: McpDoor): Promise<Response>;
}
