import { assert, assertEquals, assertMatch } from "@std/assert";
import { asc, sql } from "drizzle-orm";
import { auditLog } from "#drizzle/schema/mod.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { startDatabaseFamily } from "#tests/support/database_family.ts";

const server = deps("PostgreSQL", postgresUrl);

Deno.test({
  name:
    "Z1 reading, writing and another pool each need their own code, asked before anything is told",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const { token: viewer } = await it.userWith("viewer", ["sql:*:*"]);
    const { token: editor } = await it.userWith("editor", [
      "sql:*:*",
      "sql:*:*:write",
      "pool:other:read",
    ]);
    const { token: none } = await it.userWith("none", ["logs:read"]);
    const report = async (answer: Promise<{ status: number; body: { permission?: string } }>) => {
      const { status, body } = await answer;
      return [status, body.permission];
    };
    const row = { ORDER_NO: "SO-00000001", STATUS: "x" };
    assertEquals(await report(it.read({}, none)), [403, "sql:erp:orders"]);
    assertEquals(await report(it.read({ query: "erp.nothing" }, none)), [403, "sql:erp:nothing"]);
    assertEquals(await report(it.read({ query: "orders" }, none)), [404, undefined]);
    assertEquals(await report(it.read({}, viewer)), [200, undefined]);
    for (const method of ["POST", "PUT", "DELETE"] as const) {
      assertEquals(await report(it.send(method, row, {}, viewer)), [403, "sql:erp:orders:write"]);
      assertEquals(await report(it.send(method, row, { query: "erp.orders:write" }, viewer)), [
        404,
        undefined,
      ]);
    }
    assertEquals(await report(it.read({ override_pool: "other" }, viewer)), [
      403,
      "pool:other:read",
    ]);
    assertEquals(await report(it.read({ override_pool: "other" }, editor)), [200, undefined]);
    assertEquals(await report(it.read({ override_pool: "default" }, editor)), [
      403,
      "pool:default:read",
    ]);
    assertEquals(await report(it.read({ override_pool: "nowhere" }, editor)), [
      403,
      "pool:nowhere:read",
    ]);
    assertEquals(await report(it.send("PUT", row, { override_pool: "other" }, editor)), [
      403,
      "pool:other:write",
    ]);
    assertEquals(await report(it.send("PUT", row, {}, editor)), [200, undefined]);
    for (
      const query of [
        "erp:orders",
        "*.orders",
        "erp.*",
        "erp.orders%00",
        "__proto__.orders",
        "erp.__proto__",
        "constructor",
        "a.b.c.d",
      ]
    ) {
      const { status } = await it.read({ query: query.replace("%00", "") }, editor);
      assert(status === 404 || query.includes("%00"), `${query} ${status}`);
    }
    const control = await it.userWith("control", ["pool:erp:control", "pool:erp:read"]);
    for (
      const [path, code] of [
        ["check?target_pool=other", "pool:other:read"],
        ["open?target_pool=other", "pool:other:control"],
        ["close?pool=other", "pool:other:control"],
        ["check", "pool:default:read"],
        ["close", "pool:default:control"],
        ["check?target_pool=passerelle", "pool:default:read"],
      ]
    ) {
      assertEquals(await report(it.call("GET", `/api/db/${path}`, { token: control.token })), [
        403,
        code,
      ]);
      assertEquals((await it.call("GET", `/api/db/${path}`)).status, 401);
    }
  },
});

Deno.test({
  name:
    "a pool answers its moment, refuses queries while it is closed, and opens again; the product's own is never closed",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const get = (path: string, lang = "en") =>
      it.call("GET", `/api/db/${path}`, { token: it.admin, headers: { "x-service-lang": lang } });
    const check = await get("check?target_pool=erp");
    assertEquals([check.status, check.body.status, check.body.rowCount, check.body.meta_data], [
      200,
      "success",
      1,
      [{ name: "CURRENT_DATE", type: "datetime" }],
    ]);
    const [{ ROW_ID, CURRENT_DATE }] = check.body.rows;
    assertEquals(ROW_ID, 1);
    assert(Math.abs(Date.parse(CURRENT_DATE) - Date.now()) < 60_000, CURRENT_DATE);
    assertEquals((await get("check")).status, 200);
    assertEquals((await get("close?pool=erp", "fr")).body, {
      status: "success",
      message: "Le pool erp est déconnecté",
    });
    const refused = await it.read();
    assertEquals([refused.status, refused.body.message.status], [503, "error"]);
    assertMatch(
      refused.body.message.items[0].message,
      /The pool erp is closed until somebody opens it/,
    );
    assertEquals((await get("check?target_pool=erp")).status, 503);
    assertEquals((await get("open?target_pool=erp")).body.message, "The pool erp is connected");
    assertEquals((await it.read()).status, 200);
    const own = await get("close");
    assertEquals([own.status, own.body.status], [409, "failed"]);
    assertEquals((await get("close?pool=passerelle")).status, 409);
    assertEquals((await get("check")).status, 200);
    assertEquals((await get("check?target_pool=nowhere")).status, 404);
    assertEquals((await get("check?framework_pool=erp")).status, 422);
    await it.database.db.execute(sql`alter schema passerelle rename to elsewhere`);
    const reading = await get("check?target_pool=passerelle");
    assert(reading.status >= 500, "the role that reads has nothing to read");
    const [itself] = (await get("check")).body.rows;
    assert(Math.abs(Date.parse(itself.CURRENT_DATE) - Date.now()) < 60_000, itself.CURRENT_DATE);
    assertEquals((await get("open")).status, 200, "the database itself answers");
    await it.database.db.execute(sql`alter schema elsewhere rename to passerelle`);
    const entries = await it.database.db.select().from(auditLog).orderBy(asc(auditLog.seq));
    assertEquals(
      entries.map(({ event, target }) => [event, target]).filter(([event]) =>
        event?.startsWith("pool.")
      ),
      [["pool.closed", "erp"], ["pool.opened", "erp"]],
    );
  },
});
