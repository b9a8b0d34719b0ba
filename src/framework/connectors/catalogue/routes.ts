import type { Deps } from "#src/deps.ts";
import { createReader } from "#src/http/reader.ts";
import { json, newRouter, route } from "#src/http/router.ts";
import { wire } from "../routes.ts";
import { ConnectorPath, ConnectorShown } from "../schemas.ts";
import { showWithColumns } from "./show_with_columns.ts";

const show = route({
  method: "get",
  operationId: "showConnector",
  path: "/api/connectors/{name}",
  "x-permission": "connectors:read",
  tags: ["Connectors"],
  summary: "Read a connector",
  description:
    "For users of connectors. The answer contains the status of the connector and its calls, with the columns that the database reports.",
  request: { params: ConnectorPath },
  responses: { 200: json(ConnectorShown, "Connector with its calls") },
});

/** Document 2's call, in the envelope of its family. */
export function connectorCatalogueRoutes(deps: Deps) {
  return newRouter("framework").openapi(show, async (c) => {
    const { name } = c.req.valid("param");
    return c.json(wire(await showWithColumns(deps, name, createReader(c))), 200);
  });
}
