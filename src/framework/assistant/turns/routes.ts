import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { streamSSE } from "hono/streaming";
import { modelFor } from "#src/framework/chat/mod.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { STATUS_OF, translateFor } from "#src/http/errors.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { MB } from "#src/http/intake.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { beginTurn, type ConversationTurn, partView } from "../conversations/mod.ts";
import { presentCaller } from "../tools/routes.ts";
import { runTurn, type TurnDeps } from "./run_turn.ts";
import { Models, TurnAnswer, TurnBody, TurnQuery } from "./schemas.ts";
import type { TurnContext, TurnEnd } from "./turn_log.ts";

const post = route({
  method: "post",
  operationId: "sendTurn",
  path: "/ai/chat",
  "x-audit": false, // questions are private; changes by a call are recorded by its own verb
  "x-permission": "ai:chat",
  tags: ["Assistant"],
  summary: "Send a message to the assistant",
  description:
    "For users of the assistant. The call continues a conversation or decides about tool calls that wait for an approval.",
  request: { query: TurnQuery, body: body(TurnBody, { limit: MB }) },
  responses: {
    200: {
      description:
        "Events `message.start`, `ai.chat.delta`, `tool.call`, `tool.result`, `message.end`, and `error` (`status` and `detail`) when the turn fails; one JSON document with `stream=false`",
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
  summary: "List the language models",
  description: "For users of the assistant.",
  responses: {
    200: json(
      Models,
      "Configured models; the first one is the default",
    ),
  },
});

export function turnRoutes(deps: TurnDeps) {
  const listing = newRouter("framework")
    .openapi(models, (c) => c.json({ models: [...deps.llm.models] }, 200));
  return listing.openapi(post, async (c) => {
    const turn = await beginRequest(deps, c, c.req.valid("json"));
    if (c.req.valid("query").stream === "true") return streamTurn(deps, c, turn) as never;
    const end = await runTurn(deps, turn, readContext(c, { signal: c.req.raw.signal }));
    const isHeard = end.finish_reason !== "aborted"; // otherwise no client listens
    if (end.error !== undefined && isHeard) throw withConversation(end.error, turn);
    return c.json(getAnswer(turn, end) as never, 200);
  });
}

async function beginRequest(
  deps: TurnDeps,
  c: Context<HttpEnv>,
  { conversation_id, message, model, app, approvals = [] }: z.infer<typeof TurnBody>,
): Promise<ConversationTurn> {
  if (message === undefined && !approvals.length) {
    throw new AppError("invalid", say`A message is needed, or a decision about calls that wait`);
  }
  if (conversation_id === undefined && approvals.length) {
    throw new AppError(
      "invalid",
      say`Decisions are about calls of a conversation: conversation_id is missing`,
    );
  }
  const { models } = deps.llm;
  modelFor(deps, model); // before anything is kept
  return await beginTurn(deps, {
    conversationId: conversation_id,
    owner: c.var.actor.username,
    language: c.var.language,
    message,
    app,
    approvals,
    modelOf: (kept) => modelFor(deps, model ?? models.find((it) => it === kept)),
  });
}

function readContext(
  c: Context<HttpEnv>,
  { signal, emit = () => Promise.resolve() }: Pick<TurnContext, "signal"> & Partial<TurnContext>,
): TurnContext {
  return { signal, emit, errorId: c.var.requestId, present: () => presentCaller(c) };
}

/** The client leaving ends the turn. */
function streamTurn(deps: TurnDeps, c: Context<HttpEnv>, turn: ConversationTurn): Response {
  c.header("Cache-Control", "no-store");
  c.header("X-Accel-Buffering", "no");
  return streamSSE(c, async (stream) => {
    const gone = new AbortController();
    stream.onAbort(() => gone.abort());
    const context = readContext(c, {
      signal: AbortSignal.any([gone.signal, c.req.raw.signal]),
      emit: ({ event, data }) => stream.writeSSE({ event, data: JSON.stringify(data) }),
    });
    const { error } = await runTurn(deps, turn, context);
    if (error === undefined || context.signal.aborted) return;
    const status = error instanceof AppError ? STATUS_OF[error.code] : 500;
    const data = JSON.stringify({ status, detail: getDetail(error, c) });
    await stream.writeSSE({ event: "error", data });
  });
}

function getDetail(error: unknown, c: Context<HttpEnv>): string {
  if (error instanceof AppError) return translateFor(error.sentence, c);
  c.var.log.error("assistant.turn.failed", { requestId: c.var.requestId, error });
  return translateFor(say`Internal error (request ${c.var.requestId})`, c);
}

/** Adds the conversation to the error, because its messages are stored and it can continue. */
function withConversation(error: unknown, { conversationId }: ConversationTurn): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, sentence, details, retryAfter } = error;
  return new AppError(code, sentence, {
    cause: error,
    details: { ...details, conversation_id: conversationId },
    ...retryAfter !== undefined && { retryAfter },
  });
}

function getAnswer(
  { conversationId }: ConversationTurn,
  { text, calls, error: _, ...end }: TurnEnd,
) {
  return {
    ...end,
    conversation_id: conversationId,
    message: text,
    tool_calls: calls.map(partView),
  };
}
