import { z } from "@hono/zod-openapi";
import { streamSSE } from "hono/streaming";
import type { Deps } from "#src/deps.ts";
import { concerns } from "#src/features/access/mod.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import type { Actor } from "#src/ports/access.ts";
import type { LiveBus, LiveRecord } from "#src/ports/live_bus.ts";
import { eventQueue } from "./event_queue.ts";
import { issueTicket, redeemTicket, TICKET_SECONDS } from "./tickets.ts";

const HEARTBEAT_MS = 15_000;
const RESUME_LIMIT = 5_000;
const PERMISSION = "live:read";
const NEVER = new Date(8.64e15);

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
    const chosen = (event: LiveRecord) => !topics.size || topics.has(event.topic);
    let caller: Actor | undefined = c.var.actor;
    const msLeft = () => (caller?.expiresAt ?? NEVER).getTime() - deps.clock.now().getTime();
    const wanted = (event: LiveRecord) =>
      chosen(event) && caller !== undefined && access.allows(caller, event.permission);
    // Once rights or sessions have changed nothing more is sent before this was asked.
    const mayGoOn = async () => {
      caller = caller && await access.current(caller);
      return caller !== undefined && access.allows(caller, PERMISSION);
    };
    const resumeAfter = c.req.valid("header")["last-event-id"];
    c.header("X-Accel-Buffering", "no");
    return streamSSE(c, async (stream) => {
      const queue = eventQueue<LiveRecord>();
      const { username } = c.var.actor;
      const unsubscribe = deps.live.subscribe((event) =>
        (concerns(event, username) || chosen(event)) && queue.push(event)
      );
      stream.onAbort(() => queue.close());
      try {
        await stream.writeSSE({ event: "hello", data: "{}" });
        const seen = resumeAfter === undefined
          ? new Set<string>()
          : await replay(deps.live, resumeAfter, { wanted, stream });
        while (!stream.aborted) {
          const event = await queue.next(Math.min(HEARTBEAT_MS, Math.max(0, msLeft())));
          if (event === "closed" || msLeft() <= 0) return;
          if (event === "overflow") return await stream.writeSSE({ event: "resync", data: "{}" });
          if ((event === "idle" || concerns(event, username)) && !await mayGoOn()) return;
          if (event === "idle") await stream.write(": still here\n\n");
          else if (!seen.delete(event.id) && wanted(event)) await stream.writeSSE(frame(event));
        }
      } finally {
        unsubscribe();
      }
    });
  });
}

type Frame = { id: string; event: string; data: string };

/** Sends what was missed; resolves to the ids sent, for the same events may also arrive live. */
async function replay(
  bus: LiveBus,
  after: string,
  { wanted, stream }: {
    wanted: (event: LiveRecord) => boolean;
    stream: { writeSSE(message: { id?: string; event: string; data: string }): Promise<void> };
  },
): Promise<Set<string>> {
  const missed = await bus.since(after, RESUME_LIMIT);
  if (!missed || missed.length === RESUME_LIMIT) {
    await stream.writeSSE({ event: "resync", data: "{}" });
    return new Set();
  }
  for (const event of missed) if (wanted(event)) await stream.writeSSE(frame(event));
  return new Set(missed.map((it) => it.id));
}

function frame({ id, topic, type, data }: LiveRecord): Frame {
  return { id, event: type, data: JSON.stringify({ topic, ...data as object }) };
}
