import { Buffer } from "node:buffer";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Mcp, McpAsk, McpClient, McpDoor } from "#src/ports/mcp.ts";
import { relayQuestions } from "./relay_questions.ts";

/** Error code for a resource that does not exist or is forbidden (MCP 2025-06-18, Resources, Error Handling). */
const NOT_FOUND = -32002;
/** Maximum time for a user's answer. */
const ASK_MS = 300_000;
const SESSION = "mcp-session-id";

/** Request after validation by the SDK. */
interface ToolRequest {
  readonly params: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
  };
}
interface ResourceRequest {
  readonly params: { readonly uri: string };
}
interface Asked {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
}
/** Part of the SDK's server that asks the client's user. */
interface Elicitor {
  elicitInput(params: object, options: object): Promise<{
    readonly action: "accept" | "decline" | "cancel";
    readonly content?: Readonly<Record<string, unknown>>;
  }>;
}
/** A message as the route has checked it. */
interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly capabilities?: { readonly elicitation?: unknown } };
}

/** Implements MCP with the official SDK, which is loaded on first use. */
export function sdkMcp(): Mcp {
  return {
    async answer(request, message: Message, door) {
      const session = request.headers.get(SESSION);
      const client = session === null ? { canAsk: false } : door.resume(session);
      if (!client) throw new AppError("not_found", say`The session is not yours; begin another`);
      if (message.method === undefined && client.canAsk) {
        await door.questions.answer(String(message.id), message);
        return new Response(null, { status: 202 });
      }
      const answer = await answerMessage(request, message, { door, client });
      const greeted = message.method === "initialize" && canAsk(message);
      if (greeted) answer.headers.set(SESSION, door.begin({ canAsk: true }));
      return answer;
    },
  };
}

/**
 * Checks whether a client can ask in forms; a client that declares elicitation without details can (MCP
 * 2025-11-25, Elicitation, Capabilities).
 */
function canAsk({ params }: Message): boolean {
  const asks = params?.capabilities?.elicitation;
  if (typeof asks !== "object" || asks === null) return false;
  return "form" in asks || !Object.keys(asks).length;
}

/**
 * Answers a message with a new server, so that any process can answer any message. The server ends with its
 * answer, or when its client leaves.
 */
async function answerMessage(
  request: Request,
  message: Message,
  { door, client }: { door: McpDoor; client: McpClient },
): Promise<Response> {
  const { WebStandardStreamableHTTPServerTransport } = await import(
    "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
  );
  const isStream = client.canAsk && message.method === "tools/call";
  const inner = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream });
  const over = new AbortController();
  const { questions } = door;
  const transport = relayQuestions(inner, { questions, signal: over.signal });
  const server = await serverFor(door, client);
  await server.connect(transport);
  if (client.canAsk) await transport.greet();
  const end = () => {
    request.signal.removeEventListener("abort", end);
    over.abort();
    void server.close();
  };
  request.signal.addEventListener("abort", end, { once: true });
  try {
    const answer = await inner.handleRequest(request, { parsedBody: message });
    if (isStream && answer.body) return new Response(untilOver(answer.body, end), answer);
    end();
    return answer;
  } catch (error) {
    end();
    throw error;
  }
}

function untilOver(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (value) controller.enqueue(value);
      if (!done) return;
      controller.close();
      end();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

async function serverFor(door: McpDoor, client: McpClient) {
  const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
  const types = await import("@modelcontextprotocol/sdk/types.js");
  const server = new Server(
    { name: "passerelle", title: "Passerelle", version: door.version },
    { capabilities: { tools: {}, resources: {} }, instructions: door.instructions },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: door.tools(client).map(({ isOpenWorld, isReadOnly, inputSchema, ...tool }) => ({
      ...tool,
      inputSchema: { ...inputSchema, type: "object" as const },
      annotations: { readOnlyHint: isReadOnly, openWorldHint: isOpenWorld },
    })),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async (
    { params: { name, arguments: given = {} } }: ToolRequest,
    { requestId, signal }: Asked,
  ) => {
    const ask = client.canAsk ? asking(server, { requestId, signal }) : undefined;
    const answer = await door.call({ name, given, signal, ask });
    if ("refusal" in answer) {
      return { isError: true, content: [{ type: "text", text: answer.refusal }] };
    }
    return {
      content: [{ type: "text", text: answer.text }],
      structuredContent: { ...answer.result },
    };
  });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({ resources: [] }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...door.templates()],
  }));
  server.setRequestHandler(types.ReadResourceRequestSchema, async (
    { params: { uri } }: ResourceRequest,
  ) => {
    const content = await door.read(uri);
    if ("refusal" in content) throw Object.assign(new Error(content.refusal), { code: NOT_FOUND }); // the package's own error repeats its code in words
    const { mimeType } = content;
    return {
      contents: [
        "text" in content
          ? { uri, mimeType, text: content.text }
          : { uri, mimeType, blob: Buffer.from(content.bytes).toString("base64") },
      ],
    };
  });
  return server;
}

function asking(server: Elicitor, { requestId, signal }: Asked): McpAsk {
  return async ({ question, yes }) => {
    const approve = { type: "boolean" as const, title: yes };
    const requestedSchema = {
      type: "object" as const,
      properties: { approve },
      required: ["approve"],
    };
    try {
      const { action, content } = await server.elicitInput(
        { message: question, requestedSchema },
        { relatedRequestId: requestId, signal, timeout: ASK_MS },
      );
      return action === "accept" && content?.["approve"] === true;
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      throw new AppError("overdue", say`The client did not say whether its user wants the call`, {
        cause,
      });
    }
  };
}
