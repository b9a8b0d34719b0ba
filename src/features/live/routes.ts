import { z } from "@hono/zod-openapi";
import { streamSSE } from "hono/streaming";
import type { Deps } from "#src/deps.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import type { LiveRecord } from "#src/ports/live_bus.ts";
import { followEvents, PERMISSION } from "./follow.ts";
import { takePlace } from "./places.ts";
import { issueTicket, redeemTicket, TICKET_SECONDS } from "./tickets.ts";

const LiveQuery = z.object({
  topics: z.string().max(500).optional().openapi({ example: "invoices,runs" }),
  ticket: z.string().max(100).optional().openapi({
    description: "From `POST /api/live/ticket`, in place of a token in the header",
  }),
});
const Ticket = z.object({
  success: z.literal(true),
  ticket: z.string(),
  expires_in: z.int().openapi({ description: "Seconds" }),
}).openapi("LiveTicket");
const LiveHeaders = z.object({
  "last-event-id": z.string().max(64).optional().openapi({
    description: "Resumes after this event",
  }),
});

const live = route({
  method: "get",
  operationId: "followEvents",
  path: "/api/live",
  "x-permission": PERMISSION,
  tags: ["Live"],
  summary:
    "What happens, as server-sent events; `resync` tells a client that it missed some and must read again",
  request: { query: LiveQuery, headers: LiveHeaders },
  responses: {
    200: {
      description: "The stream",
      content: { "text/event-stream": { schema: { type: "string" as const } } },
    },
    ...failing(429),
  },
});

const ticket = route({
  method: "post",
  operationId: "createLiveTicket",
  path: "/api/live/ticket",
  "x-audit": false,
  "x-permission": PERMISSION,
  tags: ["Live"],
  summary: "A ticket that opens one stream, for browsers, which cannot send a header with it",
  responses: { 200: json(Ticket, "To be used once, as `?ticket=`") },
});

export function liveRoutes(deps: Pick<Deps, "clock" | "db" | "live" | "log" | "vault">) {
  const router = newRouter("invoicing");
  const frameOf = sharedFrames();
  router.use("/api/live", async (c, next) => {
    const given = c.req.query("ticket");
    if (given && c.req.header("authorization") === undefined) {
      c.set("authorization", await redeemTicket(deps, given) ?? "Bearer ");
    }
    await next();
  });
  return router.openapi(ticket, async (c) => {
    const issued = await issueTicket(deps, c.req.header("authorization") ?? "");
    return c.json({ success: true as const, ticket: issued, expires_in: TICKET_SECONDS }, 200);
  }).openapi(live, (c) => {
    const { access } = c.var;
    const topics = new Set(
      (c.req.valid("query").topics ?? "").split(",").map((it) => it.trim()).filter(Boolean),
    );
    const resumeAfter = c.req.valid("header")["last-event-id"];
    c.header("X-Accel-Buffering", "no");
    const leave = takePlace(access, c.var.actor);
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      try {
        await followEvents(deps, {
          access,
          caller: c.var.actor,
          topics,
          after: resumeAfter,
          signal: gone.signal,
          begun: () => stream.writeSSE({ event: "hello", data: "{}" }),
          send: async (event) => void await stream.write(frameOf(event)),
          resync: () => stream.writeSSE({ event: "resync", data: "{}" }),
          idle: async () => void await stream.write(": still here\n\n"),
        });
      } finally {
        leave();
      }
    });
  });
}

/** The bytes of an event in the stream, made once for all who hear it. */
function sharedFrames(): (event: LiveRecord) => Uint8Array {
  const made = new WeakMap<LiveRecord, Uint8Array>();
  return (event) => {
    const known = made.get(event);
    if (known) return known;
    const { id, topic, type, data } = event;
    const text = `event: ${type}\ndata: ${
      JSON.stringify({ topic, ...data as object })
    }\nid: ${id}\n\n`;
    const bytes = new TextEncoder().encode(text);
    made.set(event, bytes);
    return bytes;
  };
}
