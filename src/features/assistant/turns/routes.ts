import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { modelFor } from "#src/features/chat/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { STATUS_OF, translated } from "#src/http/errors.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { MB } from "#src/http/intake.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { beginTurn, partView, type Turn } from "../conversations/mod.ts";
import { presentCaller } from "../tools/routes.ts";
import { runTurn, type TurnNeeds } from "./run_turn.ts";
import { Models, TurnAnswer, TurnBody, TurnQuery } from "./schemas.ts";
import type { TurnContext, TurnEnd } from "./turn_log.ts";

const post = route({
  method: "post",
  operationId: "sendTurn",
  path: "/ai/chat",
  "x-audit": false, // what people ask is theirs; what a call changes is recorded by its verb
  "x-permission": "ai:chat",
  tags: ["Assistant"],
  summary: "Send a turn of a conversation, or decide about calls that wait for an approval",
  request: { query: TurnQuery, body: body(TurnBody, { limit: MB }) },
  responses: {
    200: {
      description:
        "Events `message.start`, `ai.chat.delta`, `tool.call`, `tool.result`, `message.end`, and `error` where the turn could not go on (`status`, as of an answer, and `detail`); or one JSON with `stream=false`",
      content: {
        "text/event-stream": { schema: { type: "string" as const } },
        "application/json": { schema: TurnAnswer },
      },
    },
    ...failing(404, 409, 429, 502, 503, 504),
  },
});

const models = route({
  method: "get",
  operationId: "listModels",
  path: "/ai/models",
  "x-permission": "ai:chat",
  tags: ["Assistant"],
  summary: "The language models a caller may choose",
  responses: {
    200: json(
      Models,
      "The first is the one that answers by default; none is configured where it is empty",
    ),
  },
});

export function turnRoutes(needs: TurnNeeds) {
  const listing = newRouter("framework")
    .openapi(models, (c) => c.json({ models: [...needs.llm.models] }, 200));
  return listing.openapi(post, async (c) => {
    const turn = await begun(needs, c, c.req.valid("json"));
    if (c.req.valid("query").stream === "true") return streamed(needs, c, turn) as never;
    const end = await runTurn(needs, turn, contextOf(c, { signal: c.req.raw.signal }));
    const isHeard = end.finish_reason !== "aborted"; // else nobody is there to be told
    if (end.error !== undefined && isHeard) throw withConversation(end.error, turn);
    return c.json(answerOf(turn, end) as never, 200);
  });
}

async function begun(
  needs: TurnNeeds,
  c: Context<HttpEnv>,
  { conversation_id, message, model, app, approvals = [] }: z.infer<typeof TurnBody>,
): Promise<Turn> {
  if (message === undefined && !approvals.length) {
    throw new AppError("invalid", say`A message is needed, or a decision about calls that wait`);
  }
  if (conversation_id === undefined && approvals.length) {
    throw new AppError(
      "invalid",
      say`Decisions are about calls of a conversation: conversation_id is missing`,
    );
  }
  const { models } = needs.llm;
  modelFor(needs, model); // before anything is kept
  return await beginTurn(needs, {
    conversationId: conversation_id,
    owner: c.var.actor.username,
    language: c.var.language,
    message,
    app,
    approvals,
    modelOf: (kept) => modelFor(needs, model ?? models.find((it) => it === kept)),
  });
}

function contextOf(
  c: Context<HttpEnv>,
  { signal, emit = () => Promise.resolve() }: Pick<TurnContext, "signal"> & Partial<TurnContext>,
): TurnContext {
  return { signal, emit, errorId: c.var.requestId, present: () => presentCaller(c) };
}

/** The client leaving ends the turn. */
function streamed(needs: TurnNeeds, c: Context<HttpEnv>, turn: Turn): Response {
  c.header("Cache-Control", "no-store");
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const context = contextOf(c, {
      signal: AbortSignal.any([gone.signal, c.req.raw.signal]),
      emit: ({ event, data }) => stream.writeSSE({ event, data: JSON.stringify(data) }),
    });
    const { error } = await runTurn(needs, turn, context);
    if (error === undefined || context.signal.aborted) return;
    const status = error instanceof AppError ? STATUS_OF[error.code] : 500;
    const data = JSON.stringify({ status, detail: detailOf(error, c) });
    await stream.writeSSE({ event: "error", data });
  });
}

function detailOf(error: unknown, c: Context<HttpEnv>): string {
  if (error instanceof AppError) return translated(error.sentence, c);
  c.var.log.error("assistant.turn.failed", { requestId: c.var.requestId, error });
  return translated(say`Internal error (request ${c.var.requestId})`, c);
}

/** What was said is kept, and can be gone on with. */
function withConversation(error: unknown, { conversationId }: Turn): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, sentence, details, retryAfter } = error;
  return new AppError(code, sentence, {
    cause: error,
    details: { ...details, conversation_id: conversationId },
    ...retryAfter !== undefined && { retryAfter },
  });
}

function answerOf({ conversationId }: Turn, { text, calls, error: _, ...end }: TurnEnd) {
  return {
    ...end,
    conversation_id: conversationId,
    message: text,
    tool_calls: calls.map(partView),
  };
}
