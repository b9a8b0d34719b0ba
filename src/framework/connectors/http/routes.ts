import type { Context } from "hono";
import { Endpoint, type EndpointDefinition } from "#src/definitions/connectors.ts";
import { getProblems } from "#src/definitions/words.ts";
import type { Deps } from "#src/deps.ts";
import { coversCode, isSegment } from "#src/domain/permission/code.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { callEndpoint, type EndpointCallDeps, RefusedAnswer } from "./call_endpoint.ts";
import { type FoundEndpoint, requireEndpoint, requireHttpConnector } from "./open_connector.ts";
import { EndpointAnswer, EndpointParams, EndpointPath, EndpointTest } from "./schemas.ts";

const TAGS = { tags: ["HTTP connectors"] };
const FAILS = failing(404, 422, 502, 503, 504);

const call = route({
  ...TAGS,
  method: "post",
  operationId: "callEndpoint",
  path: "/api/http/{connector}/{endpoint}",
  "x-audit": false, // the call changes only the peer's data; the log has each call
  "x-once": true, // a peer may write
  "x-permission": "api:{connector}:{endpoint}",
  summary: "Call an endpoint",
  description: "For applications. The body contains the parameters of the endpoint by name.",
  request: { params: EndpointPath, body: body(EndpointParams, { limit: MB }) },
  responses: { 200: json(EndpointAnswer, "Answer of the service, without secrets"), ...FAILS },
});
const test = route({
  ...TAGS,
  method: "post",
  operationId: "testEndpoint",
  path: "/admin/config/api/test",
  "x-audit": "endpoint.tested",
  "x-permission": "settings:connectors",
  summary: "Test an endpoint",
  description:
    "For authors of connectors. The endpoint need not be stored, but its connector must be. The call requires `api:<connector>:*`, and `write` for methods other than GET and HEAD.",
  request: { body: body(EndpointTest, { limit: MB }) },
  responses: { 200: json(EndpointAnswer, "Answer of the service, without secrets"), ...FAILS },
});

function readEndpoint(given: unknown): EndpointDefinition {
  const { data, error } = Endpoint.safeParse(given);
  if (data) return data;
  throw new AppError("refused", say`${getProblems(error, given, "endpoint")}`);
}

export function httpConnectorRoutes(deps: EndpointCallDeps & Pick<Deps, "configuration">) {
  const answer = async (
    c: Context<HttpEnv>,
    found: FoundEndpoint,
    params: Readonly<Record<string, unknown>>,
  ) => {
    const started = performance.now();
    const { actor } = c.var;
    const { items, ...answer } = await callEndpoint(deps, {
      found,
      params,
      actor,
      signal: c.req.raw.signal,
    }).catch((error: unknown) => {
      if (!(error instanceof RefusedAnswer)) throw error;
      if (!c.var.access.allows(actor, "settings:connectors")) throw error;
      const { code, sentence, details, body: answer } = error;
      const duration_ms = Math.round(performance.now() - started);
      throw new AppError(code, sentence, { details: { ...details, duration_ms, answer } });
    });
    return {
      ...answer,
      ...items && { items: [...items] },
      duration_ms: Math.round(performance.now() - started),
    };
  };
  return newRouter("framework")
    .openapi(call, async (c) => {
      const found = requireEndpoint(deps.configuration.current(), c.req.valid("param"));
      return c.json(await answer(c, found, c.req.valid("json")), 200);
    })
    .openapi(test, async (c) => {
      const { connector, endpoint: given, params, write } = c.req.valid("json");
      const snapshot = deps.configuration.current();
      const code = `api:${connector}:*`; // the endpoint can be any
      if (!c.var.actor.permissions.codes.some((it) => coversCode(it, code))) {
        await checkPermission(c, code);
      }
      const definition = isSegment(connector) && requireHttpConnector(snapshot, connector);
      if (!definition) throw notFound("Connector", connector);
      const endpoint = readEndpoint(given);
      const { method = "GET" } = endpoint;
      if (!write && method !== "GET" && method !== "HEAD") {
        throw new AppError(
          "invalid",
          say`${method} may have an effect: it is called with write alone`,
        );
      }
      const found = { name: `${connector}:test`, connector, definition, endpoint, snapshot };
      return c.json(await answer(c, found, params), 200);
    });
}
