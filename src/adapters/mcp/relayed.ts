import type { McpQuestions } from "#src/ports/mcp.ts";

/** A message of JSON-RPC 2.0, as the SDK has checked it. */
interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What the SDK asks of a transport. */
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
  /** Tells the server what the client said of itself when the session began. */
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
 * A transport whose server asks its client something: each question goes out under an id no other question of any process has, and
 * its answer, which comes by a call of its own to whichever process, is fetched from there.
 */
export function relayed(
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
        return await inner.send(withdrawn(message, asked), options);
      }
      const id = await questions.open();
      asked.set(message.id, id);
      await inner.send({ ...message, id }, options);
      const hear = (answer: object) =>
        outer.onmessage?.({ ...answer, jsonrpc: "2.0", id: message.id as string });
      questions.answered(id, signal).then(hear, () => {}); // its call has ended: nobody waits for the answer
    },
  };
  return outer;
}

/** A question is taken back under the id it went out with. */
function withdrawn(message: Message, asked: ReadonlyMap<unknown, string>): Message {
  if (message.method !== "notifications/cancelled") return message;
  const id = asked.get(message.params?.["requestId"]);
  return id === undefined ? message : { ...message, params: { ...message.params, requestId: id } };
}
