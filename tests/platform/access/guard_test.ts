import { z } from "@hono/zod-openapi";
import { assert, assertEquals } from "@std/assert";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { done, newRouter, route } from "#src/http/router.ts";
import { must, startAccess } from "#tests/support/access.ts";

const Names = z.object({ connector: z.string(), query: z.string() });
const answers = {
  200: {
    description: "What the handler got",
    content: { "application/json": { schema: z.any() } },
  },
};
const read = route({
  operationId: "tried1",
  method: "get",
  path: "/api/sql/{connector}/{query}",
  "x-permission": "sql:{connector}:{query}",
  request: { params: Names },
  responses: answers,
});
const write = route({
  operationId: "tried2",
  method: "post",
  "x-audit": false,
  path: "/api/sql/{connector}/{query}/write",
  "x-permission": "sql:{connector}:{query}:write",
  request: { params: Names },
  responses: answers,
});
const invoicing = route({
  operationId: "tried3",
  method: "get",
  path: "/api/invoices",
  "x-permission": "invoices:read",
  responses: answers,
});
const database = route({
  operationId: "tried4",
  method: "get",
  path: "/api/db/query",
  "x-permission": "queries:read",
  responses: answers,
});
const count = route({
  operationId: "tried5",
  method: "post",
  "x-audit": false,
  "x-once": true,
  path: "/admin/count",
  "x-permission": "jobs:read",
  responses: answers,
});

let calls = 0;
const routes = () => [
  newRouter("framework")
    .openapi(read, (c) => c.json(c.req.valid("param"), 200))
    .openapi(write, (c) => c.json(c.req.valid("param"), 200))
    .openapi(count, (c) => c.json({ calls: ++calls }, 200)),
  newRouter("invoicing").openapi(invoicing, (c) => c.json(done, 200)),
  newRouter("database").openapi(database, (c) => c.json(done, 200)),
];

Deno.test("Z3 the required code uses the handler's parameters; no spelling reaches write without it", async () => {
  await using it = await startAccess({ routes });
  const { token } = await it.userWith("viewer", ["sql:*:*"]);
  assertEquals((await must(it.call("GET", "/api/sql/crm/list", { token }), 200)).body, {
    connector: "crm",
    query: "list",
  });
  const refused = await it.call("POST", "/api/sql/crm/list/write", { token });
  assertEquals([refused.status, refused.body.permission], [403, "sql:crm:list:write"]);
  for (
    const query of [
      "q%3Awrite",
      "q%253Awrite",
      "q:write",
      "*",
      "c:d",
      "..%2fx",
      "%00",
      "q%00",
      "__proto__",
      "a".repeat(300),
      "😀",
      ":key",
    ]
  ) {
    assertEquals((await it.call("GET", `/api/sql/crm/${query}`, { token })).status, 404, query);
    assertEquals(
      (await it.call("GET", `/api/sql/${query}/list`, { token: it.admin })).status,
      404,
      query,
    );
  }
  assertEquals((await it.call("GET", "/api/sql/crm/q:WRITE", { token })).status, 404);
  assertEquals((await must(it.call("GET", "/%61pi/sql/crm/list", { token }), 200)).status, 200);
});

Deno.test("Z4 names that are special to the language are names like others", async () => {
  await using it = await startAccess({ routes });
  const { token } = await it.userWith("reader", ["sql:crm:list"]);
  for (const name of ["constructor", "toString", "hasOwnProperty"]) {
    const { status, body } = await it.call("GET", `/api/sql/crm/${name}`, { token });
    assertEquals([status, body.permission], [403, `sql:crm:${name}`]);
  }
});

Deno.test("each family refuses in its own envelope and names the missing code", async () => {
  await using it = await startAccess({ routes });
  const { token } = await it.userWith("nobody", []);
  const refuse = async (path: string) => {
    const { status, body, headers } = await it.call("GET", path, { token });
    return { status, body, challenge: headers.get("www-authenticate") };
  };
  const message = (code: string) => `The permission ${code} is missing`;
  const challenge = (code: string) => `Bearer error="insufficient_scope", scope="${code}"`;
  assertEquals(await refuse("/api/invoices"), {
    status: 403,
    body: { success: false, error: message("invoices:read"), permission: "invoices:read" },
    challenge: challenge("invoices:read"),
  });
  assertEquals(await refuse("/admin/users"), {
    status: 403,
    body: { detail: message("users:read"), permission: "users:read" },
    challenge: challenge("users:read"),
  });
  assertEquals(await refuse("/api/db/query"), {
    status: 403,
    body: { status: "failed", message: message("queries:read"), permission: "queries:read" },
    challenge: challenge("queries:read"),
  });
  const anonymous = await it.call("GET", "/api/db/query");
  assertEquals([anonymous.status, anonymous.body], [401, {
    status: "failed",
    message: "A bearer token is needed",
  }]);
});

Deno.test("at DEBUG each gated call logs the required permission and the matching grant, and no secret", async () => {
  const lines: string[] = [];
  const log = jsonLinesLog({
    level: "DEBUG",
    write: (line) => lines.push(line),
    now: systemClock.now,
  });
  await using it = await startAccess({ routes, log });
  const { token, refresh } = await it.userWith("viewer", ["sql:*:*"]);
  await must(it.call("GET", "/api/sql/crm/list", { token }), 200);
  const granted = lines.map((line) => JSON.parse(line)).find((it) =>
    it.permission === "sql:crm:list"
  );
  assertEquals([granted.event, granted.user, granted.grant], [
    "access.granted",
    "viewer",
    "sql:*:*",
  ]);
  assert(
    !lines.some((line) =>
      line.includes(token) || line.includes(refresh) || line.includes("192.0.2.1")
    ),
  );
});

Deno.test("a repeated Idempotency-Key answers only the same caller with the same rights", async () => {
  await using it = await startAccess({ routes });
  const alice = await it.userWith("alice", ["jobs:read"]);
  const bob = await it.userWith("bob", ["jobs:read"]);
  const ask = (token: string) =>
    it.call("POST", "/admin/count", { token, headers: { "idempotency-key": "the-same-key" } });
  const first = await must(ask(alice.token), 200);
  const again = await must(ask((await it.login("alice")).token), 200);
  assertEquals([again.body.calls, again.headers.get("idempotency-replayed")], [
    first.body.calls,
    "true",
  ]);
  assertEquals((await must(ask(bob.token), 200)).body.calls, first.body.calls + 1);
  await must(it.call("PUT", "/admin/users/alice", { token: it.admin, body: { roles: [] } }), 200);
  assertEquals((await ask(alice.token)).status, 403);
  await must(it.call("POST", "/auth/logout", { token: alice.token }), 200);
  assertEquals((await ask(alice.token)).status, 401);
  const keys = { "idempotency-key": "sign-in" };
  const body = { username: "bob", password: "a quiet evening at sea" };
  const one = await must(it.call("POST", "/auth/login", { body, headers: keys }), 200);
  const two = await must(it.call("POST", "/auth/login", { body, headers: keys }), 200);
  assert(one.body.refresh_token !== two.body.refresh_token, "tokens are never kept for repetition");
});
