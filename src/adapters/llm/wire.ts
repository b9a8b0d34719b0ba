import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type {
  AskedCall,
  ChatMessage,
  LlmEnd,
  LlmPiece,
  OfferedTool,
  Usage,
} from "#src/ports/llm.ts";

/** As the Chat Completions API of OpenAI spells messages and tools. */
export function wireMessage(message: ChatMessage): object {
  if (message.role === "tool") {
    return { role: "tool", tool_call_id: message.callId, content: message.content };
  }
  if (message.role !== "assistant" || !message.calls?.length) {
    return { role: message.role, content: message.content };
  }
  const tool_calls = message.calls.map(({ id, tool, arguments: text }) => ({
    id,
    type: "function",
    function: { name: tool, arguments: text },
  }));
  return { role: "assistant", content: message.content || null, tool_calls };
}

export function wireTool({ name, description, schema }: OfferedTool): object {
  return { type: "function", function: { name, description, parameters: schema } };
}

/** Calls of one answer, and characters of the arguments of one. */
const MOST_CALLS = 64;
const MAX_ARGUMENTS = 100_000;

interface Chunk {
  readonly error?: unknown;
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown; readonly tool_calls?: unknown };
    readonly finish_reason?: unknown;
  }[];
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown };
}

interface CallPart {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown };
}

/** Puts together what the chunks of one answer say. */
export function newAnswer() {
  const calls = new Map<unknown, { id: string; tool: string; arguments: string }>();
  let reason: LlmEnd = "stop";
  let usage: Usage | undefined;
  return {
    /** The text of one chunk; what is no chunk says nothing. Throws AppError `upstream` for one that tells a failure. */
    read(data: string): string {
      const chunk = chunkOf(data);
      if (chunk.error !== undefined && chunk.error !== null) {
        throw new AppError("upstream", say`The language model broke off`);
      }
      usage = usageOf(chunk) ?? usage;
      const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
      const { content, tool_calls: parts } = choice?.delta ?? {};
      if (Array.isArray(parts)) parts.forEach((part, at) => add(part, at));
      const ended = choice?.finish_reason;
      if (ended === "length" || ended === "tool_calls" || ended === "stop") reason = ended;
      return typeof content === "string" ? content : "";
    },
    /** What is told once the answer has ended. */
    *rest(): Generator<LlmPiece> {
      const asked: AskedCall[] = [...calls.values()].filter((it) => it.tool);
      for (const call of asked) yield { kind: "call", call };
      yield {
        kind: "end",
        reason: asked.length ? "tool_calls" : reason === "tool_calls" ? "stop" : reason,
        usage,
      };
    },
  };

  function add(part: CallPart | null, at: number): void {
    const key = part?.index ?? at;
    const call = calls.get(key) ?? { id: "", tool: "", arguments: "" };
    calls.set(key, call);
    call.id += textOf(part?.id);
    call.tool += textOf(part?.function?.name);
    call.arguments += textOf(part?.function?.arguments);
    if (
      calls.size > MOST_CALLS || call.arguments.length > MAX_ARGUMENTS || call.tool.length > 200
    ) {
      throw new AppError("upstream", say`The language model asks for more than can be called`);
    }
  }
}

function chunkOf(data: string): Chunk {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function usageOf({ usage }: Chunk): Usage | undefined {
  const [inputTokens, outputTokens] = [usage?.prompt_tokens, usage?.completion_tokens];
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
