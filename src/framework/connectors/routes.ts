import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Deps } from "#src/deps.ts";
import { getPermission } from "#src/domain/connector/mod.ts";
import { isSegment } from "#src/domain/permission/code.ts";
import { translateFor } from "#src/http/errors.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { checkPermission } from "#src/http/guard.ts";
import { createReader } from "#src/http/reader.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { callForPeople } from "./call_connector.ts";
import { requireConnector } from "./require_connector.ts";
import {
  CallAnswer,
  CallBody,
  CallQuery,
  ConnectorQuery,
  Connectors,
  Endpoints,
} from "./schemas.ts";
import { listConnectors, type ShownConnector } from "./catalogue.ts";
import { shownEndpoints } from "./show_connector.ts";

const list = route({
  method: "get",
  operationId: "getConnector",
  path: "/api/connectors",
  "x-permission": "authenticated",
  tags: ["Connectors"],
  summary: "List connectors",
  description:
    "For users of connectors. Without `name` the answer lists the connectors of the settings, which requires `connectors:read`. With `name` it lists the endpoints of a connector template.",
  request: { query: ConnectorQuery },
  responses: {
    200: json(
      z.union([Connectors, Endpoints]),
      "Calls that the caller may make, with masked secrets",
    ),
    ...failing(404, 422),
  },
});
const call = route({
  method: "post",
  operationId: "callConnector",
  path: "/api/connectors",
  "x-audit": false,
  "x-once": true, // a peer may write
  "x-permission":
    "api:<connector>:<endpoint> | sql:<connector>:<query> | sql:<connector>:<query>:write",
  tags: ["Connectors"],
  summary: "Call a connector",
  description:
    "For applications. `name` is a connector and `endpoint` one of its endpoints or queries; the body contains the parameters.",
  request: { query: CallQuery, body: body(CallBody, { limit: 2 * MB }) },
  responses: {
    200: json(CallAnswer, "Answer of the service, including its errors"),
    ...failing(404, 502, 503),
  },
});

/** A connector as it goes over the wire. */
export function wire({ calls, ...it }: ShownConnector) {
  return {
    ...it,
    calls: calls.map(({ params, columns, ...call }) => ({
      ...call,
      params: [...params],
      columns: [...columns],
    })),
  };
}

export function connectorRoutes(deps: Deps) {
  return newRouter("invoicing")
    .openapi(list, async (c) => {
      const { name } = c.req.valid("query");
      if (name === undefined) {
        await checkPermission(c, "connectors:read");
        return c.json({ connectors: (await listConnectors(deps, createReader(c))).map(wire) }, 200);
      }
      const { access, actor } = c.var;
      const reader = access.allows(actor, "templates:read");
      const found = await requireConnector(deps, name).catch((error) => {
        throw reader ? error : createNotFound(name);
      });
      const endpoints = shownEndpoints(
        found.connector,
        (code) => reader || access.allows(actor, code),
      );
      if (!endpoints.length && !reader) throw createNotFound(name);
      return c.json({ success: true as const, endpoints }, 200);
    })
    .openapi(call, async (c) => {
      const { name, endpoint: target } = c.req.valid("query");
      const found = await allowedConnector(deps, c, { name, target });
      const { params } = c.req.valid("json");
      const { error, ...shown } = await callForPeople(deps, found, {
        target,
        params,
        user: c.var.actor.username,
        signal: c.req.raw.signal,
      });
      return c.json({ ...shown, ...error && { error: translateFor(error, c) } }, 200);
    });
}

/** Checks the permission first, so that callers without it learn nothing about existing connectors. */
async function allowedConnector(
  deps: Deps,
  c: Context<HttpEnv>,
  { name, target }: { name: string; target: string },
) {
  if (!isSegment(name) || !isSegment(target)) {
    throw notFound("Connector", `${name}/${target}`.slice(0, 100));
  }
  const found = await requireConnector(deps, name).catch(async (error) => {
    await checkPermission(c, `api:${name}:${target}`);
    throw error;
  });
  await checkPermission(c, getPermission(found.connector, target));
  return found;
}

function createNotFound(name: string): AppError {
  return new AppError("not_found", say`There is no connector ${name.slice(0, 100)} you may call`);
}
