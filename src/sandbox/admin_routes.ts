import { Hono } from "hono";
import { readEntry } from "./directory.ts";
import { FAULT_KINDS, readFault } from "./faults.ts";
import { injectIncoming } from "./incoming.ts";
import { parseObject } from "./input.ts";
import { bodyText, type Env, type Room, type SandboxContext } from "./http_context.ts";
import { now, write } from "./platform.ts";
import { readPersonality, readScript } from "./settings.ts";
import { SCRIPTS } from "./scripts.ts";
import { fail, flowJson } from "./wire.ts";

/** The simulator's own API, without a token: it is for tests on the same machine. */
export function adminRoutes(room: Room): Hono<Env> {
  const app = new Hono<Env>();
  readRoutes(app, room);
  app.post("/faults", (context) => change(context, readFault, (fault) => room.faults.arm(fault)));
  app.delete("/faults", (context) => {
    room.faults.clear();
    return context.body(null, 204);
  });
  app.post(
    "/scripts",
    (context) => change(context, readScript, (rule) => void room.platform.rules.push(rule)),
  );
  app.post(
    "/personality",
    (context) =>
      change(context, (body) => readPersonality(body, room.platform.personality), (personality) => {
        room.platform.personality = personality;
      }),
  );
  app.post(
    "/directory",
    (context) => change(context, readEntry, (entry) => room.directory.put(entry)),
  );
  app.post("/incoming", (context) => incoming(room, context));
  app.post("/reset", (context) => {
    room.faults.clear();
    room.platform.rules.splice(0);
    write(room.platform, { kind: "reset", at: now(room.platform) });
    return context.body(null, 204);
  });
  return app;
}

function readRoutes(app: Hono<Env>, room: Room): void {
  const { platform } = room;
  app.get("/info", (context) =>
    context.json({
      ...room.urls,
      personality: platform.personality,
      scripts: Object.keys(SCRIPTS),
      faults: FAULT_KINDS,
    }));
  app.get("/faults", (context) => context.json({ faults: room.faults.list() }));
  app.get("/journal", (context) => {
    const kind = context.req.query("kind");
    const entries = platform.journal.recent().filter((entry) =>
      kind === undefined || entry.kind === kind
    );
    return context.json({
      entries: entries.map((one) => one.kind === "webhook" ? unsigned(one) : one),
    });
  });
  app.get("/flows", (context) =>
    context.json({
      flows: [...platform.state.flows.values()].map((flow) => ({
        ...flowJson(flow, "1.3"),
        sha256: flow.sha256,
        size: flow.size,
        invoice: flow.invoice,
        status: flow.status,
        about: flow.about,
        script: flow.script,
      })),
    }));
  app.get("/flows/:flowId/file", async (context) => {
    const bytes = await platform.journal.loadFile(context.req.param("flowId"));
    if (!bytes) return fail(context, 404, { message: "Requested resource is Not Found" });
    return context.body(new Uint8Array(bytes), 200, {
      "content-type": "text/plain; charset=utf-8",
    });
  });
}

function unsigned(entry: { readonly webhook: { readonly signingKey: string } }): object {
  return { ...entry, webhook: { ...entry.webhook, signingKey: "***" } };
}

function change<T extends object>(
  context: SandboxContext,
  read: (body: Readonly<Record<string, unknown>>) => T | string,
  act: (value: T) => void,
): Response {
  const body = parseObject(bodyText(context));
  if (!body) return fail(context, 400, { message: "The body is no JSON object" });
  const value = read(body);
  if (typeof value === "string") return fail(context, 400, { message: value });
  act(value);
  return context.json(value, 201);
}

async function incoming(room: Room, context: SandboxContext): Promise<Response> {
  const flows = await injectIncoming(room.platform, {
    bytes: context.get("body"),
    contentType: context.req.header("content-type") ?? "",
  });
  if (typeof flows === "string") return fail(context, 400, { message: flows });
  return context.json({ flows: flows.map((flow) => flowJson(flow, "1.3")) }, 201);
}
