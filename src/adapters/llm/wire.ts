import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type {
  AskedCall,
  ChatMessage,
  LlmEnd,
  LlmPiece,
  OfferedTool,
  Usage,
} from "#src/ports/llm.ts";

/** Converts a message to the format of OpenAI's Chat Completions API. */
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
const MAX_CALLS = 64;
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

/** Assembles an answer from its chunks. */
export function newAnswer() {
  const calls = new Map<unknown, { id: string; tool: string; arguments: string }>();
  let reason: LlmEnd = "stop";
  let usage: Usage | undefined;
  return {
    /**
     * Returns the text of one chunk; other events have none. Throws AppError `upstream` for a chunk that reports
     * an error.
     */
    read(data: string): string {
      const chunk = getChunk(data);
      if (chunk.error !== undefined && chunk.error !== null) {
        throw new AppError("upstream", say`The language model broke off`);
      }
      usage = findUsage(chunk) ?? usage;
      const choice = Array.isArray(chunk.choices) ? chunk.choices[0] : undefined;
      const { content, tool_calls: parts } = choice?.delta ?? {};
      if (Array.isArray(parts)) parts.forEach((part, at) => add(part, at));
      const ended = choice?.finish_reason;
      if (ended === "length" || ended === "tool_calls" || ended === "stop") reason = ended;
      return typeof content === "string" ? content : "";
    },
    /** Yields the calls and the end of the answer. */
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
    call.id += formatText(part?.id);
    call.tool += formatText(part?.function?.name);
    call.arguments += formatText(part?.function?.arguments);
    if (
      calls.size > MAX_CALLS || call.arguments.length > MAX_ARGUMENTS || call.tool.length > 200
    ) {
      throw new AppError("upstream", say`The language model asks for more than can be called`);
    }
  }
}

function getChunk(data: string): Chunk {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function findUsage({ usage }: Chunk): Usage | undefined {
  const [inputTokens, outputTokens] = [usage?.prompt_tokens, usage?.completion_tokens];
  return isCount(inputTokens) && isCount(outputTokens) ? { inputTokens, outputTokens } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function formatText(value: unknown): string {
  return typeof value === "string" ? value : "";
}
