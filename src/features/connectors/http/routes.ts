import type { Context } from "hono";
import { Endpoint, type EndpointDefinition } from "#src/definitions/connectors.ts";
import { problemsOf } from "#src/definitions/words.ts";
import type { Deps } from "#src/deps.ts";
import { isSegment } from "#src/domain/permission/code.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { callEndpoint, type CallNeeds } from "./call_endpoint.ts";
import { findEndpoint, findHttpConnector, type FoundEndpoint } from "./open_connector.ts";
import { EndpointAnswer, EndpointParams, EndpointPath, EndpointTest } from "./schemas.ts";

const TAGS = { tags: ["HTTP connectors"] };
const FAILS = failing(404, 422, 502, 503, 504);

const call = route({
  ...TAGS,
  method: "post",
  operationId: "callEndpoint",
  path: "/api/http/{connector}/{endpoint}",
  "x-audit": false, // what is called is the peer's; each call is in the log
  "x-permission": "api:{connector}:{endpoint}",
  summary: "Call a named endpoint; the body is the map of its parameters",
  request: { params: EndpointPath, body: body(EndpointParams, { limit: MB }) },
  responses: { 200: json(EndpointAnswer, "What the peer answered, without secrets"), ...FAILS },
});
const test = route({
  ...TAGS,
  method: "post",
  operationId: "testEndpoint",
  path: "/admin/config/api/test",
  "x-audit": "endpoint.tested",
  "x-permission": "settings:connectors",
  summary:
    "Call an endpoint that is not stored, of a connector that is; only GET and HEAD unless `write`",
  request: { body: body(EndpointTest, { limit: MB }) },
  responses: { 200: json(EndpointAnswer, "What the peer answered, without secrets"), ...FAILS },
});

function readEndpoint(given: unknown): EndpointDefinition {
  const { data, error } = Endpoint.safeParse(given);
  if (data) return data;
  throw new AppError("refused", say`${problemsOf(error, given, "endpoint")}`);
}

export function httpConnectorRoutes(deps: CallNeeds & Pick<Deps, "configuration">) {
  const answered = async (
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
    });
    return {
      ...answer,
      ...items && { items: [...items] },
      duration_ms: Math.round(performance.now() - started),
    };
  };
  return newRouter("framework")
    .openapi(call, async (c) => {
      const found = findEndpoint(deps.configuration.current(), c.req.valid("param"));
      return c.json(await answered(c, found, c.req.valid("json")), 200);
    })
    .openapi(test, async (c) => {
      const { connector, endpoint: given, params, write } = c.req.valid("json");
      const snapshot = deps.configuration.current();
      const definition = isSegment(connector) && findHttpConnector(snapshot, connector);
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
      return c.json(await answered(c, found, params), 200);
    });
}
