import type { IncomingMessage } from "node:http";
import { createParser } from "eventsource-parser";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Llm, LlmPiece, LlmRequest } from "#src/ports/llm.ts";
import { connect } from "../http/connect.ts";
import { readRetryAfter } from "../http/retry_after.ts";
import { newAnswer, wireMessage, wireTool } from "./wire.ts";

interface LlmSettings {
  /** Up to `/chat/completions`, e.g. `https://api.example.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly models: readonly string[];
  /** The longest silence before and within an answer. */
  readonly silenceMs?: number;
  /** The longest that one answer may take, however steadily something comes. */
  readonly answerMs?: number;
}

const MAX_EVENT = 1_000_000;
/** Maximum bytes of one answer on the wire; about a fiftieth of them are text. */
const MAX_ANSWER = 16 * 1024 * 1024;
const MAX_ERROR = 4_000;
/** Pause when the endpoint requests one without a duration. */
const DEFAULT_PAUSE_S = 10;

/** Creates the model client; without settings no model is available. */
export function openAiLlm(settings: LlmSettings | undefined): Llm {
  return {
    models: settings?.models ?? [],
    async *chat({ signal, ...request }) {
      if (!settings) throw new AppError("unavailable", say`No language model is configured`);
      const { silenceMs = 60_000, answerMs = 10 * 60_000 } = settings;
      const silence = abortsAfter(silenceMs);
      const late = abortsAfter(answerMs);
      const stop = AbortSignal.any([signal, silence.signal, late.signal]);
      let isReached = false;
      try {
        const response = await ask(settings, { ...request, signal: stop });
        isReached = true;
        try {
          yield* readPieces(response, silence.again);
        } finally {
          response.destroy();
        }
      } catch (error) {
        if (error instanceof AppError) throw error;
        const why = late.signal.aborted
          ? ENDLESS
          : describeFailure({ isSilent: silence.signal.aborted, isReached });
        throw new AppError("upstream", why, { cause: error });
      } finally {
        silence.end();
        late.end();
      }
    },
  };
}

const ENDLESS = say`The language model's answer has no end`;

function describeFailure(
  { isSilent, isReached }: { isSilent: boolean; isReached: boolean },
): Sentence {
  if (isSilent) return say`The language model does not answer any more`;
  return isReached ? say`The language model broke off` : say`The language model cannot be reached`;
}

async function ask(
  { baseUrl, apiKey }: LlmSettings,
  { model, messages, tools = [], signal }: LlmRequest,
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
    body: JSON.stringify({
      model,
      messages: messages.map(wireMessage),
      ...tools.length && { tools: tools.map(wireTool) },
      stream: true,
      stream_options: { include_usage: true },
    }),
    signal,
  });
  if (response.statusCode === 200) return response;
  throw await toRefusal(response, apiKey);
}

async function toRefusal(response: IncomingMessage, apiKey: string | undefined): Promise<AppError> {
  let text = "";
  for await (const chunk of response) {
    text += chunk;
    if (text.length > MAX_ERROR) break;
  }
  response.destroy();
  const status = response.statusCode ?? 0;
  if (status === 429) {
    const headers = { get: (name: string) => response.headers[name]?.toString() };
    const retryAfter = readRetryAfter(headers) || DEFAULT_PAUSE_S;
    return new AppError("throttled", say`The language model asks for a pause`, { retryAfter });
  }
  const said = /"message"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1] ?? "no reason given";
  const why = apiKey ? said.replaceAll(apiKey, "***") : said;
  return new AppError("upstream", say`The language model answered HTTP ${status}: ${why}`);
}

/** Reads the pieces of a stream of chat completion chunks; other events are skipped. */
async function* readPieces(response: IncomingMessage, heard: () => void): AsyncGenerator<LlmPiece> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => void events.push(data) });
  const answer = newAnswer();
  let unread = 0;
  let received = 0;
  for await (const chunk of response) {
    heard();
    unread += chunk.length;
    received += chunk.length;
    if (received > MAX_ANSWER) throw new AppError("upstream", ENDLESS);
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (!events.length && unread > MAX_EVENT) {
      throw new AppError("upstream", say`The language model sends no end of an event`);
    }
    if (events.length) unread = 0;
    for (const data of events.splice(0)) {
      if (data === "[DONE]") return yield* answer.rest();
      const text = answer.read(data);
      if (text) yield { kind: "text", text };
    }
  }
  if (!response.complete) throw new AppError("upstream", say`The language model broke off`);
  yield* answer.rest();
}

/** Returns a timer that aborts after this time, and that `again` restarts. */
function abortsAfter(ms: number) {
  const controller = new AbortController();
  let timer = setTimeout(() => controller.abort(), ms);
  return {
    signal: controller.signal,
    again() {
      clearTimeout(timer);
      timer = setTimeout(() => controller.abort(), ms);
    },
    end: () => clearTimeout(timer),
  };
}
