import { assertEquals } from "@std/assert";
import { describeCalls } from "#src/framework/connectors/describe_calls.ts";
import { docsRoutes } from "#src/http/docs.ts";
import { must } from "#tests/support/access.ts";
import { DICTIONARY, POOLS, startSettings } from "#tests/support/settings.ts";

const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: main
    queries:
      orders:
        label: { en: Orders, fr: Commandes }
        sql: select order_no, amount from orders where company = :company and day >= :since
        params:
          since: { type: date, required: true, description: From this day on }
          status: { type: array<string> }
          company: { type: string, from: claims.company }
        columns:
          order_no: { type: string, label: Number }
          amount: { type: decimal }
          internal: { hidden: true }
      close:
        mode: write
        sql: update orders set open = false where order_no = :order_no
        params: { order_no: { type: string, required: true, max_length: 20 } }
  fx:
    type: http
    base_url: https://api.example.test
    endpoints:
      latest:
        path: /latest/{base}
        params: { base: { type: string, required: true, pattern: "^[A-Z]{3}$" } }
`;

const DOCUMENT = {
  openapi: "3.1.0",
  paths: {
    "/api/healthz": { get: { "x-permission": "public" } },
    "/auth/me": { get: { "x-permission": "authenticated" } },
    "/admin/users": {
      get: { "x-permission": "users:read" },
      post: { "x-permission": "users:write" },
    },
    "/api/sql/{connector}/{query}": {
      get: {
        "x-permission": "sql:{connector}:{query}",
        parameters: [
          { name: "query", in: "path" },
          { $ref: "#/components/parameters/Language" },
          { name: "if-none-match", in: "header" },
        ],
        responses: { 200: { description: "Rows" }, 403: { description: "Not allowed" } },
      },
    },
    "/api/http/{connector}/{endpoint}": { post: { "x-permission": "api:{connector}:{endpoint}" } },
  },
};

async function started() {
  const settings = await startSettings({
    routes: ({ configuration }) =>
      docsRoutes({
        assets: { read: () => Promise.resolve(undefined) },
        document: () => Promise.resolve(DOCUMENT),
        named: (reader) => describeCalls(configuration.current(), reader),
      }),
  });
  await must(settings.write("dictionary", DICTIONARY, { query: "?force=true" }), 200);
  await must(settings.write("pools", POOLS), 200);
  await must(settings.write("connectors", CONNECTORS), 200);
  return settings;
}

Deno.test("the API document read with a token contains the calls allowed to its holder, and no more", async () => {
  await using settings = await started();
  const { token } = await settings.userWith("berta", ["users:read", "sql:erp:orders"]);
  const { body } = await settings.get("/openapi.json", token);
  const calls = Object.entries(body.paths as Record<string, object>)
    .flatMap(([path, methods]) => Object.keys(methods).map((it) => `${it} ${path}`));
  assertEquals(calls, [
    "get /api/healthz",
    "get /auth/me",
    "get /admin/users",
    "get /api/sql/{connector}/{query}",
    "get /api/sql/erp/orders",
    "post /api/sql/erp/orders",
  ]);
});

Deno.test("without a token the document is whole and names nothing of the settings; a bad token is refused", async () => {
  await using settings = await started();
  const { body } = await settings.call("GET", "/openapi.json");
  assertEquals(body, DOCUMENT);
  assertEquals((await settings.call("GET", "/openapi.json", { token: "a.b.c" })).status, 401);
});

Deno.test("a named query is an operation with its own parameters and rows", async () => {
  await using settings = await started();
  const { body } = await settings.get("/openapi.json", settings.admin, { "x-service-lang": "fr" });
  const { get, post } = body.paths["/api/sql/erp/orders"];
  assertEquals([get.summary, get["x-permission"], get.operationId, post.operationId], [
    "Commandes",
    "sql:erp:orders",
    "sql:erp:orders:get",
    "sql:erp:orders",
  ]);
  assertEquals(Object.keys(get.responses), ["200", "403"]);
  assertEquals(get.responses[200].description, "The rows");
  assertEquals(get.parameters.slice(-2), [
    { $ref: "#/components/parameters/Language" },
    { name: "if-none-match", in: "header" },
  ]);
  assertEquals(get.parameters.slice(0, 2), [
    {
      name: "since",
      in: "query",
      required: true,
      description: "From this day on",
      schema: { type: "string", format: "date" },
    },
    {
      name: "status",
      in: "query",
      required: false,
      description: "status",
      schema: { type: "array", items: { type: "string" } },
    },
  ]);
  const page = ["limit", "offset", "count"];
  assertEquals(get.parameters.slice(2, -2).map((it: { name: string }) => it.name), page);
  const { properties } = post.requestBody.content["application/json"].schema;
  assertEquals(Object.keys(properties), ["since", "status", ...page]);
  const { items } = get.responses[200].content["application/json"].schema.properties;
  assertEquals(items.items.properties, {
    order_no: { type: "string", description: "Number" },
    amount: { type: "string", pattern: "^-?\\d+(\\.\\d+)?$", description: "amount" },
  });
  const { post: close } = body.paths["/api/sql/erp/close:write"];
  assertEquals(close["x-permission"], "sql:erp:close:write");
  assertEquals(close.requestBody.content["application/json"].schema, {
    type: "object",
    properties: { order_no: { type: "string", maxLength: 20, description: "order_no" } },
    required: ["order_no"],
    additionalProperties: false,
  });
  assertEquals(body.paths["/api/sql/erp/close"], undefined);
  const { post: latest } = body.paths["/api/http/fx/latest"];
  assertEquals(latest["x-permission"], "api:fx:latest");
});
