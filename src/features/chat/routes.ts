import type { Language } from "#src/kernel/language.ts";
import { say, translate } from "#src/kernel/sentences/sentence.ts";
import { z } from "@hono/zod-openapi";
import type { Deps } from "#src/deps.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, newRouter, route } from "#src/http/router.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import type { ModelNeeds } from "./ask_model.ts";
import { chat, newChats } from "./chat.ts";

const ChatBody = z.object({
  messages: z.array(
    z.object({
      role: z.enum(["system", "user", "assistant"]),
      content: z.string().min(1).max(100_000),
    }).strict(),
  ).min(1).max(100),
  model: z.string().max(200).optional().openapi({
    description: "One of those configured; the first by default",
  }),
  context: z.string().max(200_000).optional().openapi({
    description: "Data the question is about",
  }),
}).strict().openapi("Chat");

const post = route({
  method: "post",
  operationId: "chat",
  path: "/api/ai/chat",
  "x-audit": false,
  "x-permission": "ai:chat",
  tags: ["Chat"],
  summary: "Ask the language model; the answer comes as it is made",
  request: { body: body(ChatBody, { limit: MB }) },
  responses: {
    200: {
      description:
        'Events `data: {"token": …}`, at the end `data: [DONE]`; `data: {"error": …}` before it when the model broke off',
      content: { "text/event-stream": { schema: { type: "string" as const } } },
    },
    ...failing(429, 502, 503),
  },
});

export function chatRoutes(deps: ModelNeeds & Pick<Deps, "log">) {
  const chats = newChats();
  return newRouter("invoicing").openapi(post, async (c) => {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, c.req.raw.signal]);
    const { username } = c.var.actor;
    const end = chats.begin(username);
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

/** Takes the next token when the client has read the one before; the model is let go when the client leaves. */
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
        log.warn("chat.broke_off", { error: messageOf(error) });
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
