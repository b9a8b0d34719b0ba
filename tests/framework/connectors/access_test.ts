import { assertEquals } from "@std/assert";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import type { Deps } from "#src/deps.ts";
import { connectorRoutes } from "#src/framework/connectors/routes.ts";
import { startAccess } from "#tests/support/access.ts";

const api = {
  name: "fx",
  type: "connector",
  properties: {
    URL: "http://127.0.0.1:1",
    "endpoint.rate": JSON.stringify({ url: "/rate" }),
    "endpoint.pay": JSON.stringify({ url: "/pay", method: "POST" }),
  },
};
const sql = {
  name: "crm",
  type: "connector",
  properties: {
    kind: "sql",
    pool: "erp",
    "query.list": JSON.stringify({ sql: "select 1" }),
    "query.close": JSON.stringify({ sql: "delete from t", write: true }),
  },
};

Deno.test("a connector is called by who holds the code of its endpoint or query, and shown no further", async (t) => {
  await using it = await startAccess({
    routes: (
      deps,
    ) => [
      connectorRoutes({ ...deps, egress: httpEgress() } as Deps),
    ],
  });
  for (const body of [api, sql]) {
    assertEquals((await it.call("POST", "/api/templates", { token: it.admin, body })).status, 200);
  }
  const call = async (token: string | undefined, name: string, endpoint: string) => {
    const path = `/api/connectors?name=${name}&endpoint=${encodeURIComponent(endpoint)}`;
    const { status, body } = await it.call("POST", path, { token, body: { params: {} } });
    return [status, body.permission];
  };
  const list = async (token: string, name: string) => {
    const { status, body } = await it.call("GET", `/api/connectors?name=${name}`, { token });
    return [status, body.endpoints?.map((one: { name: string }) => one.name)];
  };

  await t.step("without a token: 401", async () => {
    assertEquals((await call(undefined, "fx", "rate"))[0], 401);
  });
  await t.step("one endpoint", async () => {
    const { token } = await it.userWith("clerk", ["api:fx:rate"]);
    // allowed, but blocked by the egress check: a private address
    assertEquals((await call(token, "fx", "rate"))[0], 502);
    assertEquals(await call(token, "fx", "pay"), [403, "api:fx:pay"]);
    assertEquals(await call(token, "crm", "list"), [403, "sql:crm:list"]);
    assertEquals(await list(token, "fx"), [200, ["rate"]]);
    assertEquals(await list(token, "crm"), [404, undefined]);
  });
  await t.step("Z3 reading does not give writing, however the name is spelled", async () => {
    const { token } = await it.userWith("viewer", ["sql:*:*", "api:*:*"]);
    assertEquals((await call(token, "crm", "list"))[0], 503); // allowed, but the peer does not exist
    assertEquals(await call(token, "crm", "close"), [403, "sql:crm:close:write"]);
    for (
      const name of [
        "close:write",
        "close%3Awrite",
        "CLOSE",
        "*",
        "close\0",
        "__proto__",
        "constructor",
      ]
    ) {
      assertEquals([400, 403, 404].includes((await call(token, "crm", name))[0]), true, name);
    }
    assertEquals(await list(token, "crm"), [200, ["list"]]);
  });
  await t.step("callers without any permission do not learn which connectors exist", async () => {
    const { token } = await it.userWith("stranger", ["invoices:read"]);
    for (const name of ["fx", "crm", "none", "global"]) {
      assertEquals(await list(token, name), [404, undefined]);
    }
    assertEquals(await call(token, "none", "x"), [403, "api:none:x"]);
  });
  await t.step(
    "who reads templates sees the endpoints, and may not call them for that",
    async () => {
      const { token } = await it.userWith("author", ["templates:read"]);
      assertEquals(await list(token, "crm"), [200, ["close", "list"]]);
      assertEquals((await call(token, "crm", "list"))[0], 403);
    },
  );
});
