import { Hono } from "hono";
import { readEntry } from "./directory.ts";
import { FAULT_KINDS, readFault } from "./faults.ts";
import { injectIncoming } from "./incoming.ts";
import { parseObject } from "./input.ts";
import { bodyText, type SandboxContext, type SandboxEnv, type Services } from "./http_context.ts";
import { getViewName } from "./journal.ts";
import { now, wholeFlow, write } from "./pa.ts";
import { readPersonality, readScript } from "./settings.ts";
import { SCRIPTS } from "./scripts.ts";
import { fail, flowJson } from "./wire.ts";

/** Builds the simulator's own API. It needs no token, because it is for tests on the same machine. */
export function adminRoutes(services: Services): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  readRoutes(app, services);
  app.post(
    "/faults",
    (context) => change(context, readFault, (fault) => services.faults.arm(fault)),
  );
  app.delete("/faults", (context) => {
    services.faults.clear();
    return context.body(null, 204);
  });
  app.post(
    "/scripts",
    (context) => change(context, readScript, (rule) => void services.pa.rules.push(rule)),
  );
  app.post(
    "/personality",
    (context) =>
      change(context, (body) => readPersonality(body, services.pa.personality), (personality) => {
        services.pa.personality = personality;
      }),
  );
  app.post(
    "/directory",
    (context) => change(context, readEntry, (entry) => services.directory.put(entry)),
  );
  app.post("/incoming", (context) => incoming(services, context));
  app.put("/flows/:flowId/readable-view", async (context) => {
    const flowId = context.req.param("flowId");
    if (!services.pa.state.flows.has(flowId)) {
      return fail(context, 404, { message: "Requested resource is Not Found" });
    }
    await services.pa.journal.saveFile(getViewName(flowId), context.get("body"));
    return context.body(null, 204);
  });
  app.post("/reset", (context) => {
    services.faults.clear();
    services.pa.rules.splice(0);
    write(services.pa, { kind: "reset", at: now(services.pa) });
    return context.body(null, 204);
  });
  return app;
}

function readRoutes(app: Hono<SandboxEnv>, services: Services): void {
  const { pa } = services;
  app.get("/info", (context) =>
    context.json({
      ...services.urls,
      personality: pa.personality,
      scripts: Object.keys(SCRIPTS),
      faults: FAULT_KINDS,
    }));
  app.get("/faults", (context) => context.json({ faults: services.faults.list() }));
  app.get("/journal", async (context) => {
    const kind = context.req.query("kind");
    const entries = (await pa.journal.recent()).filter((entry) =>
      kind === undefined || entry.kind === kind
    );
    return context.json({
      entries: entries.map((one) => one.kind === "webhook" ? removeSigningKey(one) : one),
    });
  });
  app.get("/flows", async (context) => {
    const flows = [];
    for (const known of [...pa.state.flows.values()]) {
      const flow = await wholeFlow(pa, known);
      const { sha256, size, invoice, status, about, script } = flow;
      flows.push({ ...flowJson(flow, "1.3"), sha256, size, invoice, status, about, script });
    }
    return context.json({ flows });
  });
  app.get("/flows/:flowId/file", async (context) => {
    const bytes = await pa.journal.loadFile(context.req.param("flowId"));
    if (!bytes) return fail(context, 404, { message: "Requested resource is Not Found" });
    return context.body(new Uint8Array(bytes), 200, {
      "content-type": "text/plain; charset=utf-8",
    });
  });
}

function removeSigningKey(entry: { readonly webhook: { readonly signingKey: string } }): object {
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

async function incoming(services: Services, context: SandboxContext): Promise<Response> {
  const flows = await injectIncoming(services.pa, {
    bytes: context.get("body"),
    contentType: context.req.header("content-type") ?? "",
    processingRule: context.req.query("processingRule"),
  });
  if (typeof flows === "string") return fail(context, 400, { message: flows });
  return context.json({ flows: flows.map((flow) => flowJson(flow, "1.3")) }, 201);
}
