import { assert, assertEquals, assertMatch } from "@std/assert";
import { auditLog } from "#drizzle/schema/mod.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { CONNECTORS, startOrders } from "#tests/support/order_queries.ts";
import { resultCache } from "#src/framework/connectors/mod.ts";
import { until } from "#tests/support/until.ts";

const server = deps("PostgreSQL", postgresUrl);

Deno.test({
  name: "the mode of a query decides the required permission, before anything is revealed about it",
  ...server,
  async fn() {
    await using it = await startOrders();
    const [viewer, editor, none, one] = await Promise.all([
      it.userWith("viewer", ["sql:*:*"]),
      it.userWith("editor", ["sql:*:*", "sql:*:*:write"]),
      it.userWith("none", ["connectors:read"]),
      it.userWith("single", ["sql:erp:mine"]),
    ]).then((all) => all.map((session) => session.token));
    const report = async (answer: Promise<{ status: number; body: { permission?: string } }>) => {
      const { status, body } = await answer;
      return [status, body.permission];
    };
    const args = { order_no: "SO-00000002", row_version: 1 };
    assertEquals(await report(it.read("mine", viewer)), [200, undefined]);
    assertEquals(await report(it.read("mine", one)), [200, undefined]);
    assertEquals(await report(it.read("orders", one)), [403, "sql:erp:orders"]);
    assertEquals(await report(it.send("orders", {}, none)), [403, "sql:erp:orders"]);
    assertEquals(await report(it.read("nothing", none)), [403, "sql:erp:nothing"]);
    assertEquals(await report(it.read("nothing", viewer)), [404, undefined]);
    for (
      const call of [
        it.read("close", viewer),
        it.send("close", args, viewer),
        it.send("close:write", args, viewer),
      ]
    ) {
      assertEquals(await report(call), [403, "sql:erp:close:write"]);
    }
    const byGet = await it.read("close", editor);
    assertEquals([byGet.status, byGet.headers.get("allow")], [405, "POST"]);
    assertEquals((await it.read("close:write", editor)).status, 405);
    assertEquals(await report(it.read("close:write", viewer)), [403, "sql:erp:close:write"]);
    const tried = await it.send("close:write?dry_run=true", args, editor);
    assertEquals([tried.status, tried.body.affected, tried.body.before], [200, 1, undefined]);
    assertEquals(await report(it.send("close", args, editor)), [400, undefined]);
    assertEquals(await report(it.send("orders:write", {}, viewer)), [403, "sql:erp:orders:write"]);
    assertEquals(await report(it.send("orders:write", {}, editor)), [400, undefined]);
    assertEquals(await report(it.send("close:write", args, editor)), [200, undefined]);
    for (const name of ["a%3Ab", "*", "erp:orders:write:write"]) {
      assertEquals((await it.read(name, editor)).status, 404, name);
    }
    assertEquals((await it.read("mine", viewer)).body.items, [{ who: "viewer", n: "100" }]);
  },
});

Deno.test({
  name: "a write is whole or not at all, is recorded, and can be tried",
  ...server,
  async fn() {
    await using it = await startOrders();
    const args = { order_no: "SO-00000002", row_version: 1 };
    const version = async () =>
      (await it.erp.owner`select row_version from orders where order_no = ${args.order_no}`)[0]
        ?.["row_version"];
    const tried = await it.send("close:write?dry_run=true", args);
    assertEquals([tried.status, tried.body.affected, tried.body.dry_run], [200, 1, true]);
    assertEquals([tried.body.before[0].status, tried.body.after[0].status], ["open", "closed"]);
    assertEquals(await version(), "1");
    const done = await it.send("close:write", args);
    assertEquals([done.status, done.body.items], [200, [{
      order_no: args.order_no,
      status: "closed",
      row_version: "2",
    }]]);
    const again = await it.send("close:write", args);
    assertEquals([again.status, again.body.detail], [
      409,
      "Rows that would change: 0; expected: 1. Nothing was changed",
    ]);
    assertEquals(await version(), "2");
    const entries = (await it.database.db.select().from(auditLog)).filter((entry) =>
      entry.event.startsWith("query.")
    );
    assertEquals(entries.map((entry) => [entry.event, entry.target, entry.actor]), [[
      "query.written",
      "sql:erp:close",
      "admin",
    ]]);
    const { before, after } = entries[0] as unknown as {
      before: { status: string }[];
      after: { affected: number };
    };
    assertEquals([before[0]?.status, after.affected], ["open", 1]);
    const double = await it.send("insert:write", { no: "SO-00000003", amount: "1" });
    assertEquals(
      [double.status, (await it.send("insert:write", { no: "X", amount: "-1" })).status],
      [409, 422],
    );
    assertEquals((await it.send("insert:write", { no: "X" })).status, 422);
  },
});

Deno.test({
  name: "a write whose commit conflicted is repeated once, and the record says so",
  ...server,
  async fn() {
    await using it = await startOrders();
    await it.erp.owner.unsafe(`create sequence tries;
      create function meet() returns trigger language plpgsql security definer as $$ begin
        if nextval('tries') = 1 then raise exception 'met' using errcode = '40001'; end if;
        return null; end $$;
      create constraint trigger meet after update on orders deferrable initially deferred
        for each row execute function meet()`);
    const done = await it.send("close:write", { order_no: "SO-00000002", row_version: 1 });
    assertEquals([done.status, done.body.items?.[0]?.row_version], [200, "2"]);
    const entries = await it.database.db.select().from(auditLog).orderBy(auditLog.seq);
    assertEquals(entries.map((it) => it.event).filter((it) => it.startsWith("query.")), [
      "query.written",
      "query.write_failed",
      "query.written",
    ]);
  },
});

Deno.test({
  name: "a cached answer is reused until a write drops it, and is fetched once at a time",
  ...server,
  async fn() {
    await using it = await startOrders();
    const first = await it.read("counted");
    assertEquals(first.headers.get("x-cache"), "miss");
    const second = await it.read("counted");
    assertEquals([second.headers.get("x-cache"), second.body], ["hit", first.body]);
    const etag = first.headers.get("etag") ?? "";
    const fresh = await it.call("GET", "/api/sql/erp/counted", {
      token: it.admin,
      headers: { "if-none-match": etag },
    });
    assertEquals(fresh.status, 304);
    const forced = await it.call("GET", "/api/sql/erp/counted", {
      token: it.admin,
      headers: { "cache-control": "no-cache" },
    });
    assertEquals(forced.headers.get("x-cache"), "miss");
    assert(forced.body.items[0].r !== first.body.items[0].r);
    await it.send("close:write", { order_no: "SO-00000002", row_version: 1 });
    const calls = await Promise.all([1, 2, 3].map(() => it.read("counted")));
    assertEquals(new Set(calls.map((call) => call.body.items[0].r)).size, 1);
    assert(calls[0]?.body.items[0].r !== forced.body.items[0].r);
  },
});

Deno.test({
  name:
    "what another process keeps is dropped by a write, and by a reload of connectors or pools alone",
  ...server,
  async fn() {
    await using it = await startOrders();
    const other = resultCache({ ...it.needs, clock: systemClock });
    let asked = 0;
    const keep = async () =>
      (await other.get({
        query: "erp:counted",
        cache: { ttl: "1h" },
        key: "one",
        anew: false,
        ask: () => Promise.resolve({ n: ++asked }),
      })).value.n;
    const dropped = async (n: number) => {
      await until(async () => (await keep()) === n, `answer ${n}`);
      assertEquals(await keep(), n);
    };
    await dropped(1);
    await it.send("close:write", { order_no: "SO-00000002", row_version: 1 });
    await dropped(2);
    await it.write("menus", "version: 1\napps: {}\n");
    await it.write("connectors", `${CONNECTORS}# a remark\n`);
    await dropped(3);
    await it.call("POST", "/admin/reload?scope=connectors", { token: it.admin });
    await dropped(4);
  },
});

Deno.test({
  name: "Z11 a query is tried without being stored; a tried write is rolled back",
  ...server,
  async fn() {
    await using it = await startOrders();
    const tryOut = (query: unknown, params = {}, token = it.admin) =>
      it.call("POST", "/admin/config/connectors/erp/test-sql", { token, body: { query, params } });
    const { status, body } = await tryOut(
      "select order_no from orders where amount > :least order by 1",
      { least: 990 },
    );
    assertEquals([status, body.items], [200, [{ order_no: "SO-00000099" }, {
      order_no: "SO-00000100",
    }]]);
    const write = {
      mode: "write",
      sql: "delete from orders where order_no = :no",
      params: { no: { type: "string" } },
    };
    const wrong = await tryOut({ sql: "select 1", paramz: {} });
    assertEquals([wrong.status, wrong.body.detail], [422, "query.paramz: there is no such key"]);
    const tried = await tryOut(write, { no: "SO-00000001" });
    assertEquals([tried.status, tried.body.affected, tried.body.dry_run], [200, 1, true]);
    assertEquals((await it.erp.owner`select count(*) from orders`)[0]?.["count"], "100");
    for (
      const [query, message] of [
        ["delete from orders", /a read query begins with/],
        ["select 1; drop table orders", /one statement is expected/],
        ["select 'open", /a string or comment is not closed/],
        ["select touch()", /tried to write/],
        ["select nothing from orders", /column "nothing" does not exist/],
      ] as const
    ) {
      const refused = await tryOut(query);
      assertEquals(refused.status, 422, query);
      assertMatch(refused.body.detail, message);
    }
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    assertEquals((await tryOut("select 1", {}, token)).body.permission, "settings:connectors");
    const missing = async (name: string, codes: readonly string[], query: unknown) => {
      const { token } = await it.userWith(name, ["settings:connectors", ...codes]);
      return (await tryOut(query, { no: "SO-00000001" }, token)).body.permission;
    };
    const read = "select 1 where :no is not null";
    assertEquals(await missing("author", [], read), "pool:erp:read");
    assertEquals(await missing("reader", ["pool:erp:read"], read), undefined);
    assertEquals(await missing("other", ["pool:erp:read"], write), "pool:erp:write");
    assertEquals(await missing("writer", ["pool:erp:write"], write), undefined);

    // The right comes before the pool: a database that cannot be reached is not even tried.
    const away =
      "  away:\n    driver: postgres\n    host: 127.0.0.1\n    port: 1\n    database: none\n    user: nobody\n    password: none\n";
    const pools = await it.write("pools", `version: 1\npools:\n  erp:\n${it.pool()}${away}`);
    assertEquals(pools.status, 200, JSON.stringify(pools.body));
    const gone = "  gone:\n    type: sql\n    pool: away\n    queries: {}\n";
    const written = await it.write("connectors", CONNECTORS + gone);
    assertEquals(written.status, 200, JSON.stringify(written.body));
    const { token: author } = await it.userWith("stranger", ["settings:connectors"]);
    const path = "/admin/config/connectors/gone/test-sql";
    const attempt = { body: { query: "select 1", params: {} } };
    assertEquals((await it.call("POST", path, { token: author, ...attempt })).status, 403);
    assertEquals((await it.call("POST", path, { token: it.admin, ...attempt })).status, 503);
  },
});

Deno.test({
  name: "a query that could not run is refused where it is written, with its place",
  ...server,
  async fn() {
    await using it = await startOrders();
    const refusals: readonly (readonly [string, RegExp])[] = [
      ["sql: select 1; delete from orders", /one statement is expected/],
      ["sql: delete from orders", /a read query begins with/],
      ["sql: select :x", /the parameter x is not declared/],
      ['sql: "select 1 [[ and \'x ]]"', /a string or comment is not closed/],
      ['sql: "select 1 where true [[ and (1 = 1 ]] )"', /brackets/],
      ["{ sql: select 1, mode: write }", /a write query begins with/],
      ["{ sql: select 1, page: { mode: keyset } }", /pages by keyset need a key/],
      ['{ sql: select 1, row_filter: { viewer: "a = :b" } }', /:b is no value of the caller/],
      ['{ sql: select 1, row_filter: { viewer: "true) or (true" } }', /brackets do not pair/],
      ["{ sql: select 1, params: { limit: { type: integer } } }", /are words of the call itself/],
    ];
    for (const [query, message] of refusals) {
      const text = query.startsWith("{") ? `q: ${query}` : `q:\n        ${query}`;
      const { status, body } = await it.write(
        "connectors",
        `version: 1\nconnectors:\n  erp:\n    type: sql\n    pool: erp\n    queries:\n      ${text}\n`,
      );
      assertEquals(status, 422, `${query} ${JSON.stringify(body)}`);
      assertMatch(body.detail, message);
      assertMatch(body.detail, /^connectors.yaml:\d+:\d+: /);
    }
    const own = await it.write(
      "connectors",
      "version: 1\nconnectors:\n  own:\n    type: sql\n    pool: passerelle\n    queries:\n      q: { mode: write, sql: delete from invoices }\n",
    );
    assertMatch(own.body.detail, /its pool is for reading only/);
  },
});
