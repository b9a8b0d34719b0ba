import { once } from "node:events";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** Request that a model received. */
export interface Asked {
  readonly headers: IncomingHttpHeaders;
  // deno-lint-ignore no-explicit-any -- what the model was sent is what the test asserts
  readonly body: any;
  /** Last message of the request. */
  readonly last: { role: string; content: string };
  /** Names of the offered tools. */
  readonly tools: readonly string[];
}

interface Call {
  readonly tool: string;
  /** Arguments of the call; a text is sent unchanged. */
  readonly with?: unknown;
}

/** Answer of a model to one request. */
export interface Reply {
  /** Text of the answer, or its parts. */
  readonly text?: string | readonly string[];
  readonly calls?: readonly Call[];
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  /** Bytes sent before everything else. */
  readonly raw?: string;
  /** Status of a refusal. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** End of the answer: `hang` sends nothing more, `drop` closes the connection. */
  readonly then?: "hang" | "drop";
  /** Finish reason of the answer. */
  readonly reason?: string;
}

/** OpenAI-compatible endpoint on loopback that sends the test's replies and records the requests. */
export interface LanguageModel extends AsyncDisposable {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** Number of answers whose connection the caller closed. */
  readonly closed: number;
  /** Sets the reply from now on. */
  answer(by: Reply | ((asked: Asked) => Reply)): void;
  /** Variables of a product that uses this model. */
  readonly environment: Readonly<Record<string, string>>;
}

export const MODEL_KEY = "sk-very-secret";

export async function startModel(first: Reply | ((asked: Asked) => Reply) = {}): Promise<
  LanguageModel
> {
  const state = { asked: [] as Asked[], closed: 0 };
  let reply = first;
  const server = createServer(async (request, response) => {
    const text = await formatText(request);
    if (text === undefined) return;
    const body = JSON.parse(text);
    const tools = (body.tools ?? []).map((it: { function: { name: string } }) => it.function.name);
    const asked = { headers: request.headers, body, last: body.messages.at(-1), tools };
    state.asked.push(asked);
    response.on("close", () => void (response.writableFinished || state.closed++));
    await send(response, typeof reply === "function" ? reply(asked) : reply);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return Object.assign(state, {
    url,
    answer: (by: Reply | ((asked: Asked) => Reply)) => void (reply = by),
    environment: { AI_BASE_URL: url, AI_API_KEY: MODEL_KEY, AI_MODELS: "small, large" },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

/** Returns undefined if the sender left before the end of the body. */
async function formatText(request: IncomingMessage): Promise<string | undefined> {
  let text = "";
  try {
    for await (const chunk of request) text += chunk;
    return text;
  } catch {
    return undefined;
  }
}

async function send(response: ServerResponse, reply: Reply): Promise<void> {
  if (reply.status !== undefined) {
    response.writeHead(reply.status, reply.headers).end(`{"error":{"message":"refused"}}`);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
  const chunk = (it: unknown) => response.write(`data: ${JSON.stringify(it)}\n\n`);
  const delta = (it: unknown) => chunk({ choices: [{ index: 0, delta: it }] });
  if (reply.raw) response.write(reply.raw);
  for (const content of [reply.text ?? []].flat()) {
    delta({ content });
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  for (const [index, { tool, with: given = {} }] of (reply.calls ?? []).entries()) {
    const text = typeof given === "string" ? given : JSON.stringify(given);
    const half = Math.ceil(text.length / 2);
    const named = { name: tool, arguments: text.slice(0, half) };
    delta({ tool_calls: [{ index, id: `call_${index}`, type: "function", function: named }] });
    delta({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] });
  }
  if (reply.then === "hang") return;
  if (reply.then === "drop") return void response.destroy();
  const finish_reason = reply.reason ?? (reply.calls ? "tool_calls" : "stop");
  chunk({ choices: [{ index: 0, delta: {}, finish_reason }] });
  if (reply.usage) chunk({ choices: [], usage: reply.usage });
  response.end("data: [DONE]\n\n");
}
