import type { McpQuestions } from "#src/ports/mcp.ts";

/** A message of JSON-RPC 2.0, as the SDK has checked it. */
interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** Transport interface of the SDK. */
interface Transport {
  start(): Promise<void>;
  send(message: Message, options?: object): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: Message, extra?: object) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
}

/** A transport of one message of a session. */
export interface Relayed extends Transport {
  /** Passes the client's declared capabilities to the server. */
  greet(): Promise<void>;
}

const GREETING: Message = {
  jsonrpc: "2.0",
  id: "greeting",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: "client", version: "1" },
  },
};

/**
 * Wraps a transport so that its server can ask the client questions. Each question has an id that is unique among
 * all processes. The answer arrives in a separate call, at any process, and is fetched from there.
 */
export function relayQuestions(
  inner: Transport,
  { questions, signal }: { questions: McpQuestions; signal: AbortSignal },
): Relayed {
  let greeted: (() => void) | undefined;
  const asked = new Map<unknown, string>();
  const outer: Relayed = {
    async start() {
      inner.onmessage = (message, extra) => outer.onmessage?.(message, extra);
      inner.onerror = (error) => outer.onerror?.(error);
      inner.onclose = () => outer.onclose?.();
      await inner.start();
    },
    close: () => inner.close(),
    greet: () =>
      new Promise((resolve) => {
        greeted = () => {
          greeted = undefined;
          resolve();
        };
        outer.onmessage?.(GREETING);
      }),
    async send(message, options) {
      if (greeted && message.id === GREETING.id) return greeted();
      if (message.method === undefined || message.id === undefined) {
        return await inner.send(cancelQuestion(message, asked), options);
      }
      const id = await questions.open();
      asked.set(message.id, id);
      await inner.send({ ...message, id }, options);
      const hear = (answer: object) =>
        outer.onmessage?.({ ...answer, jsonrpc: "2.0", id: message.id as string });
      questions.answered(id, signal).then(hear, () => {}); // its call has ended, so the answer is not needed
    },
  };
  return outer;
}

/** Cancels a question under the id with which it was sent. */
function cancelQuestion(message: Message, asked: ReadonlyMap<unknown, string>): Message {
  if (message.method !== "notifications/cancelled") return message;
  const id = asked.get(message.params?.["requestId"]);
  return id === undefined ? message : { ...message, params: { ...message.params, requestId: id } };
}
