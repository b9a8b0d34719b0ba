import { Hono } from "hono";
import { z } from "zod";
import { parseObject, readAs } from "./input.ts";
import {
  bodyText,
  isRefusal,
  type SandboxContext,
  type SandboxEnv,
  type Services,
} from "./http_context.ts";
import { getViewName } from "./journal.ts";
import { receive, wholeFlow } from "./pa.ts";
import { searchFlows } from "./search.ts";
import { errorJson, fail, flowJson, receiptJson } from "./wire.ts";

const ReadQuery = z.looseObject({
  docType: z.enum(["Metadata", "Original", "Converted", "ReadableView"]).default("Metadata"),
});

/** Serves Flow Service: flows and health. */
export function flowRoutes(services: Services): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  app.post("/v1/flows", (context) => submit(services, context));
  app.post("/v1/flows/search", (context) => search(services, context));
  app.get(
    "/v1/flows/:flowId",
    (context) => readFlow(services, context, context.req.param("flowId")),
  );
  app.get("/v1/healthcheck", (context) => context.body(null, 200));
  return app;
}

async function submit(services: Services, context: SandboxContext): Promise<Response> {
  const submission = context.get("submission");
  if (!submission) return fail(context, 400, { message: "Invalid request format" });
  if (isRefusal(submission)) return fail(context, submission.status, submission);
  const script = context.req.header("x-sandbox-script");
  const received = await receive(services.pa, { ...submission, script });
  if (received.kind !== "conflict") return context.json(receiptJson(received.flow), 202);
  const { flowId } = received.flow;
  const message = `A flow with trackingId ${submission.trackingId} exists already`;
  return context.json({ ...errorJson(409, message, { details: flowId }), flowId }, 409);
}

async function search(services: Services, context: SandboxContext): Promise<Response> {
  let body = parseObject(bodyText(context));
  if (!body) return fail(context, 400, { message: "The body is no JSON object" });
  const { apiVersion, trackingSearch } = services.pa.personality;
  const { where } = body as { where?: { trackingId?: unknown } };
  if (trackingSearch !== "yes" && where?.trackingId !== undefined) {
    if (trackingSearch === "refused") {
      return fail(context, 400, { message: "trackingId is no search criterion" });
    }
    const { trackingId: _ignored, ...rest } = where;
    // An empty search is invalid, so a criterion is added that matches all flows.
    body = {
      ...body,
      where: Object.keys(rest).length ? rest : { updatedAfter: "1970-01-01T00:00:00Z" },
    };
  }
  const result = searchFlows(services.pa.state.flows.values(), body);
  if (typeof result === "string") return fail(context, 400, { message: result });
  const { limit, filters, nextCursor } = result;
  const flows = await Promise.all(result.flows.map((it) => wholeFlow(services.pa, it)));
  return context.json({
    limit,
    filters,
    ...(nextCursor !== undefined && apiVersion === "1.3" ? { nextCursor } : {}),
    results: flows.map((flow) =>
      flowJson(trackingSearch === "hidden" ? { ...flow, trackingId: undefined } : flow, apiVersion)
    ),
  });
}

async function readFlow(
  services: Services,
  context: SandboxContext,
  flowId: string,
): Promise<Response> {
  const { state, journal, personality } = services.pa;
  const known = state.flows.get(flowId);
  if (!known) return fail(context, 404, { message: "Requested resource is Not Found" });
  const query = readAs(ReadQuery, context.req.query(), "the query");
  if (typeof query === "string") return fail(context, 400, { message: query });
  const { docType } = query;
  const flow = await wholeFlow(services.pa, known);
  if (docType === "Metadata") return context.json(flowJson(flow, personality.apiVersion));
  const bytes = await journal.loadFile(docType === "ReadableView" ? getViewName(flowId) : flowId);
  if (!bytes) return fail(context, 404, { message: `This flow has no ${docType}` });
  const fileName = flow.fileName.replaceAll(/[^\w.-]/g, "_");
  return context.body(new Uint8Array(bytes), 200, {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment;filename=${fileName}`, // in the form of Flow Service 1.3.0
  });
}
