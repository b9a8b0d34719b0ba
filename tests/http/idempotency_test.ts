import { z } from "@hono/zod-openapi";
import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { count, sql } from "drizzle-orm";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { dailyUsage, idempotencyKeys } from "#drizzle/schema/mod.ts";
import { checkPermission } from "#src/http/guard.ts";
import { newRouter, route } from "#src/http/router.ts";
import type { Db } from "#src/ports/db.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { startProduct } from "#tests/support/product.ts";

const Size = z.object({ size: z.coerce.number().default(1) });
const answers = {
  200: { description: "An answer", content: { "application/json": { schema: z.any() } } },
};
const writing = route({
  operationId: "tried1",
  method: "post",
  "x-audit": "tests.written",
  path: "/admin/writing",
  "x-permission": "jobs:read",
  request: { query: Size },
  responses: answers,
});
const reading = route({
  operationId: "tried2",
  method: "post",
  "x-audit": false,
  path: "/admin/reading",
  "x-permission": "jobs:read",
  request: { query: Size },
  responses: answers,
});
const asking = route({
  operationId: "tried3",
  method: "post",
  "x-audit": "tests.asked",
  path: "/admin/asking",
  "x-permission": "authenticated",
  responses: answers,
});
const packed = route({
  operationId: "tried4",
  method: "post",
  "x-audit": "tests.packed",
  path: "/admin/packed",
  "x-permission": "jobs:read",
  responses: {
    200: {
      description: "Bytes",
      content: { "application/zip": { schema: { type: "string" as const, format: "binary" } } },
    },
  },
});

function start() {
  let calls = 0;
  const answer = (size: number) => ({ calls: ++calls, text: "x".repeat(size) });
  const routes = () => [
    newRouter("framework")
      .openapi(writing, (c) => c.json(answer(c.req.valid("query").size), 200))
      .openapi(reading, (c) => c.json(answer(c.req.valid("query").size), 200))
      .openapi(asking, async (c) => {
        await checkPermission(c, "sql:erp:orders");
        return c.json(answer(1), 200);
      })
      .openapi(
        packed,
        (c) => c.body(`bytes ${++calls}`, 200, { "content-type": "application/zip" }),
      ),
  ];
  return startAccess({ routes });
}

const key = (name: string) => ({ "idempotency-key": name });

async function rowsIn(db: Db): Promise<number> {
  const [row] = await db.select({ rows: count() }).from(idempotencyKeys);
  return row?.rows ?? 0;
}

Deno.test("a route that only reads accepts the key, is done again and stores nothing", async () => {
  await using it = await start();
  const { token } = await it.userWith("reader", ["jobs:read"]);
  const call = () => it.call("POST", "/admin/reading?size=1000", { token, headers: key("same") });
  const [first, second] = [await must(call(), 200), await must(call(), 200)];
  assertEquals(second.body.calls, first.body.calls + 1);
  assertEquals(await rowsIn(it.database.db), 0);
});

Deno.test("an answer beyond 64 kB, or of bytes, is stored by its status, and nothing is done twice", async () => {
  await using it = await start();
  const { token } = await it.userWith("writer", ["jobs:read"]);
  for (const path of ["/admin/writing?size=70000", "/admin/packed"]) {
    const call = () => it.call("POST", path, { token, headers: key("long") });
    await must(call(), 200);
    const again = await must(call(), 200);
    assertEquals(again.headers.get("idempotency-replayed"), "true");
    assertEquals(again.body, {
      success: true,
      message: "Already done: the call with Idempotency-Key long was answered with 200",
    });
  }
  const short = () =>
    it.call("POST", "/admin/writing?size=60000", { token, headers: key("short") });
  const first = await must(short(), 200);
  assertEquals((await must(short(), 200)).body, first.body);
  const { db } = it.database;
  const [{ bytes } = { bytes: 0 }] = await db.select({
    bytes: sql<number>`max(octet_length(body))::int`,
  }).from(idempotencyKeys);
  assertEquals(bytes < 65_536, true);
});

Deno.test("a stored answer needs the rights that the first call needed, and the same roles and claims", async () => {
  await using it = await start();
  const { token } = await it.userWith("asker", ["sql:erp:orders"]);
  const call = () => it.call("POST", "/admin/asking", { token, headers: key("rights") });
  const change = (path: string, body: object) =>
    must(it.call("PUT", path, { token: it.admin, body }), 200);
  const first = await must(call(), 200);
  assertEquals((await must(call(), 200)).body, first.body);

  await change("/admin/users/asker", { claims: { company: "00200" } });
  const withheld = await must(call(), 200);
  assertStringIncludes(withheld.body.message, "Already done");

  await change("/admin/roles/role%20of%20asker", { permissions: ["jobs:read"] });
  const refused = await must(call(), 403);
  assertStringIncludes(refused.body.detail, "The permission sql:erp:orders is missing");
});

Deno.test("over the quota of the day a call with a key is refused before anything is done; others go on", async () => {
  await using it = await start();
  const { token } = await it.userWith("busy", ["jobs:read"]);
  const other = await it.userWith("other", ["jobs:read"]);
  const call = (name: string, by = token) =>
    it.call("POST", "/admin/writing?size=1", { token: by, headers: key(name) });
  const first = await must(call("one"), 200);
  const { db } = it.database;
  await db.update(dailyUsage).set({ bytes: 64 * 1024 * 1024 });
  const rows = await rowsIn(db);
  const refused = await must(call("two"), 429);
  assertMatch(refused.body.detail, /^The calls of busy with Idempotency-Key exceed \d+ bytes/);
  assertMatch(refused.headers.get("retry-after") ?? "", /^\d+$/);
  assertEquals(await rowsIn(db), rows);
  assertEquals((await must(call("one"), 200)).body, first.body, "what is stored is answered");
  assertEquals((await must(call("three", other.token), 200)).body.calls, first.body.calls + 1);

  await db.update(dailyUsage).set({ day: sql`${dailyUsage.day} - 1` });
  await must(call("two"), 200);
  const days = await db.select().from(dailyUsage);
  assertEquals(days.map((it) => [it.username, it.bytes]), [["busy", 1024]]);
});

Deno.test("an upload under a key is stored once: the same bytes get the same answer, other bytes are refused", async () => {
  await using product = await startProduct();
  const upload = (content: string, filename = "once.xml") =>
    product.request(`/api/upload?template=R42565&filename=${filename}&existing=keep`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream", ...key("upload") },
      body: content,
    });
  const first = await upload("<a/>");
  const second = await upload("<a/>");
  assertEquals([first.status, second.status], [200, 200]);
  assertEquals(second.headers.get("idempotency-replayed"), "true");
  assertEquals(await second.json(), await first.json());
  const other = await upload("<b/>");
  assertEquals(other.status, 422);
  assertStringIncludes((await other.json()).error, "upload was used with another body");
  const refused = await upload("<a/>", "once.sh");
  assertEquals(refused.status, 422);
  await refused.body?.cancel();
  assertEquals(await readdir(join(product.dataDir, "input")), ["once.xml"]);

  const { paths } = (await product.get("/openapi.json")).body;
  const posts = Object.entries(paths as Record<string, { post?: Post }>)
    .flatMap(([path, { post }]) =>
      post && post["x-permission"] !== "public" ? [{ path, post }] : []
    );
  const without = posts.filter(({ post }) => !JSON.stringify(post.parameters).includes("Idempot"));
  assertEquals(without.map((it) => it.path), [], "every POST accepts the key");
  const exceptions = posts.filter(({ post }) => post["x-once"] !== undefined)
    .map(({ path, post }) => [path, post["x-once"]]);
  assertEquals(exceptions.sort(), EXCEPTIONS, "all others store what they wrote, by their x-audit");
});

interface Post {
  readonly parameters: unknown;
  readonly "x-permission": string;
  readonly "x-once"?: boolean;
}

/** Routes whose `x-audit` does not say whether they write. */
const EXCEPTIONS = [
  ["/admin/config/connectors/{name}/test-sql", false],
  ["/admin/users/{username}/invitation", false],
  ["/api/connections/{kind}/test", false],
  ["/api/connectors", true],
  ["/api/http/{connector}/{endpoint}", true],
  ["/api/invoices/bulk-download", false],
  ["/api/invoices/export", false],
  ["/api/screens/{app}/{screen_id}/export", false],
];
