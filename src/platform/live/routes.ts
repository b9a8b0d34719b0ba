import { z } from "@hono/zod-openapi";
import { streamSSE } from "hono/streaming";
import type { Deps } from "#src/deps.ts";
import { failing, json, newRouter, route } from "#src/http/router.ts";
import { LIVE_EVENTS, type LiveRecord } from "#src/ports/live_bus.ts";
import { followEvents, PERMISSION } from "./follow.ts";
import { countConnection } from "./places.ts";
import { issueTicket, redeemTicket, TICKET_SECONDS } from "./tickets.ts";

const TOPICS = [...new Set(Object.values(LIVE_EVENTS).map((it) => it.topic))];

const LiveQuery = z.object({
  topics: z.string().max(500).optional().openapi({
    example: "invoices,runs",
    description: `Topics, separated by commas; default: all (${TOPICS.join(", ")})`,
  }),
  ticket: z.string().max(100).optional().openapi({
    description: "Ticket from `POST /api/live/ticket`, instead of a token in the header",
    example: "q83vEjRWeJCrze8SNFZ4kA",
  }),
});
const Ticket = z.object({
  success: z.literal(true).openapi({ description: "True when the call succeeded" }),
  ticket: z.string().openapi({
    description: "Ticket for the parameter `ticket` of `GET /api/live`; it works once",
    example: "q83vEjRWeJCrze8SNFZ4kA",
  }),
  expires_in: z.int().openapi({ description: "Validity of the ticket in seconds", example: 30 }),
}).openapi("LiveTicket", { description: "Ticket for one live stream" });
const LiveHeaders = z.object({
  "last-event-id": z.string().max(64).optional().openapi({
    description: "Identifier of the last received event; the stream continues after it",
    example: "731-42",
  }),
});

const live = route({
  method: "get",
  operationId: "followEvents",
  path: "/api/live",
  "x-permission": PERMISSION,
  tags: ["Live"],
  summary: "Follow live events",
  description:
    "For consoles and integrations. Events arrive as server-sent events; `resync` tells a client that it missed some and must read the data again.",
  request: { query: LiveQuery, headers: LiveHeaders },
  responses: {
    200: {
      description: "Stream of events",
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
  summary: "Create a ticket for the live stream",
  description: "For browsers, which cannot send a header with a stream.",
  responses: { 200: json(Ticket, "Ticket for the parameter `ticket`; it works once") },
});

export function liveRoutes(deps: Pick<Deps, "clock" | "db" | "live" | "log" | "vault">) {
  const router = newRouter("invoicing");
  const framesOf = sharedFrames();
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
    const leave = countConnection(access, c.var.actor);
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
          send: async (events) => void await stream.write(framesOf(events)),
          resync: () => stream.writeSSE({ event: "resync", data: "{}" }),
          idle: async () => void await stream.write(": still here\n\n"),
        });
      } finally {
        leave();
      }
    });
  });
}

/** The bytes of events in the stream; made once for clients that receive the same events. */
function sharedFrames(): (events: readonly LiveRecord[]) => Uint8Array {
  const made = new WeakMap<LiveRecord, string>();
  let last: { readonly events: readonly LiveRecord[]; readonly bytes: Uint8Array } | undefined;
  const formatFrame = (event: LiveRecord) => {
    const known = made.get(event);
    if (known !== undefined) return known;
    const { id, topic, type, data } = event;
    const text = JSON.stringify({ topic, ...data as object });
    const frame = `event: ${type}\ndata: ${text}\nid: ${id}\n\n`;
    made.set(event, frame);
    return frame;
  };
  return (events) => {
    const isSame = last?.events.length === events.length &&
      last.events.every((it, at) => it === events[at]);
    if (!last || !isSame) {
      last = { events, bytes: new TextEncoder().encode(events.map(formatFrame).join("")) };
    }
    return last.bytes;
  };
}
