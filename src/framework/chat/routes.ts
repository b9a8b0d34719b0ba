import type { Language } from "#src/kernel/language.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, newRouter, route } from "#src/http/router.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import type { ModelDeps } from "./ask_model.ts";
import { chat, newChats } from "./chat.ts";

const ChatBody = z.object({
  messages: z.array(
    z.object({
      role: z.enum(["system", "user", "assistant"]).openapi({
        description: "Author of the message",
        example: "user",
      }),
      content: z.string().min(1).max(100_000).openapi({
        description: "Text of the message",
        example: "Why was this invoice rejected?",
      }),
    }).strict().openapi({ description: "Message of a conversation" }),
  ).min(1).max(100).openapi({ description: "Messages so far, oldest first" }),
  model: z.string().max(200).optional().openapi({
    description: "Configured model; default: the first one",
    example: "small",
  }),
  context: z.string().max(200_000).optional().openapi({
    description: "Data that the question is about",
    example: "Invoice 100000-RI-00001: total 1200 EUR",
  }),
}).strict().openapi("Chat", { description: "Conversation to continue" });

const post = route({
  method: "post",
  operationId: "chat",
  path: "/api/ai/chat",
  "x-audit": false,
  "x-permission": "ai:chat",
  tags: ["Chat"],
  summary: "Ask the language model",
  description: "For applications. The answer is streamed while the model produces it.",
  request: { body: body(ChatBody, { limit: MB }) },
  responses: {
    200: {
      description:
        'Events `data: {"token": …}`, then `data: [DONE]`; an error of the model is sent before it as `data: {"error": …}`',
      content: { "text/event-stream": { schema: { type: "string" as const } } },
    },
    ...failing(429, 502, 503),
  },
});

export function chatRoutes(deps: ModelDeps) {
  const chats = newChats();
  return newRouter("invoicing").openapi(post, async (c) => {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, c.req.raw.signal]);
    const { username } = c.var.actor;
    const end = await chats.acquire({ key: username });
    const tokens = await chat(deps, c.req.valid("json"), { username, signal }).catch((error) => {
      end();
      throw error;
    });
    return c.body(
      events(deps, tokens, {
        leave: () => gone.abort(),
        end,
        language: c.var.language,
      }),
      200,
      {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      },
    );
  });
}

/** Reads the next token after the client has read the one before; cancels the model when the client leaves. */
function events(
  { log }: Pick<Deps, "log">,
  tokens: AsyncGenerator<string>,
  { leave, end, language }: { leave: () => void; end: () => void; language: Language },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const event = (data: string) => encoder.encode(`data: ${data}\n\n`);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await tokens.next();
        if (!next.done) return controller.enqueue(event(JSON.stringify({ token: next.value })));
      } catch (error) {
        log.warn("chat.broke_off", { error: toMessage(error) });
        const why = error instanceof AppError ? error.sentence : say`The answer broke off`;
        controller.enqueue(event(JSON.stringify({ error: translate(why, language) })));
      }
      end();
      controller.enqueue(event("[DONE]"));
      controller.close();
    },
    async cancel() {
      leave();
      end();
      await tokens.return(undefined);
    },
  }, { highWaterMark: 0 });
}
