import type { IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { ChatMessage, Llm } from "#src/ports/llm.ts";
import { connect } from "../http/connect.ts";

export interface LlmSettings {
  /** Up to `/chat/completions`, e.g. `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly models: readonly string[];
  /** The longest silence before and within an answer. */
  readonly silenceMs?: number;
}

const MAX_EVENT = 1_000_000;
const MAX_ERROR = 4_000;

/** Undefined settings make a model that is not there. */
export function openAiLlm(settings: LlmSettings | undefined): Llm {
  return {
    models: settings?.models ?? [],
    async *chat({ model, messages, signal }) {
      if (!settings) throw new AppError("unavailable", say`No language model is configured`);
      const silence = silenceAfter(settings.silenceMs ?? 60_000);
      const stop = AbortSignal.any([signal, silence.signal]);
      try {
        const response = await ask(settings, { model, messages, signal: stop });
        try {
          yield* tokensOf(response, silence.heard);
        } finally {
          response.destroy();
        }
      } catch (error) {
        if (error instanceof AppError) throw error;
        const why = silence.signal.aborted ? "does not answer any more" : "cannot be reached";
        throw new AppError("upstream", say`The language model ${why}`, { cause: error });
      } finally {
        silence.end();
      }
    },
  };
}

async function ask(
  { baseUrl, apiKey }: LlmSettings,
  { model, messages, signal }: {
    model: string;
    messages: readonly ChatMessage[];
    signal: AbortSignal;
  },
): Promise<IncomingMessage> {
  const response = await connect({
    url: new URL(`${baseUrl.replace(/\/+$/, "")}/chat/completions`),
    method: "POST",
    headers: {
      accept: "text/event-stream",
      "content-type": "application/json",
      "user-agent": "Passerelle",
      ...apiKey && { authorization: `Bearer ${apiKey}` },
    },
    body: JSON.stringify({ model, messages, stream: true }),
    signal,
  });
  if (response.statusCode === 200) return response;
  throw await refusalOf(response, apiKey);
}

async function refusalOf(response: IncomingMessage, apiKey: string | undefined): Promise<AppError> {
  let text = "";
  for await (const chunk of response) {
    text += chunk;
    if (text.length > MAX_ERROR) break;
  }
  response.destroy();
  const status = response.statusCode ?? 0;
  if (status === 429) {
    const seconds = Number(response.headers["retry-after"]);
    const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : 10;
    return new AppError("throttled", say`The language model asks for a pause`, { retryAfter });
  }
  const said = /"message"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1] ?? "no reason given";
  const why = apiKey ? said.replaceAll(apiKey, "***") : said;
  return new AppError("upstream", say`The language model answered HTTP ${status}: ${why}`);
}

/** The tokens of a stream of chat completion chunks; events that are none are passed over. */
async function* tokensOf(response: IncomingMessage, heard: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  let unread = 0;
  for await (const chunk of response) {
    heard();
    unread += chunk.length;
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (!events.length && unread > MAX_EVENT) {
      throw new AppError("upstream", say`The language model sends no end of an event`);
    }
    if (events.length) unread = 0;
    for (const data of events.splice(0)) {
      if (data === "[DONE]") return;
      const token = tokenOf(data);
      if (token) yield token;
    }
  }
  if (!response.complete) throw new AppError("upstream", say`The language model broke off`);
}

function tokenOf(data: string): string {
  try {
    const content = JSON.parse(data)?.choices?.[0]?.delta?.content;
    return typeof content === "string" ? content : "";
  } catch {
    return "";
  }
}

/** Aborts after so long without a word. */
function silenceAfter(ms: number) {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), ms);
  return {
    signal: controller.signal,
    heard() {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), ms);
    },
    end: () => clearTimeout(timer),
  };
}
