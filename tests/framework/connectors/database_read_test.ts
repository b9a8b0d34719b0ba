import { assert, assertEquals, assertMatch } from "@std/assert";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { startDatabaseFamily } from "#tests/support/database_family.ts";

const server = deps("PostgreSQL", postgresUrl);

Deno.test({
  name:
    "the database API: rows of a named query with their numbers, columns in capitals, pages and types",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const { status, body } = await it.read({ limit: "2", offset: "1" });
    assertEquals([status, body.status, body.hasMore, body.limit, body.offset, body.count], [
      200,
      "success",
      true,
      2,
      1,
      2,
    ]);
    assertEquals(body.items[0], {
      ROW_ID: 2,
      ORDER_NO: "SO-00000002",
      COMPANY: "00001",
      CUSTOMER_NAME: "Customer 2",
      STATUS: "open",
      AMOUNT: 20.02,
      ORDER_DATE: "2026-01-03",
      ROW_VERSION: 1,
      MADE_AT: "2026-01-01T10:00:00+00:00",
    });
    assertEquals(body.metadata.slice(3, 6), [
      { name: "STATUS", type: "str" },
      { name: "AMOUNT", type: "float" },
      { name: "ORDER_DATE", type: "date" },
    ]);
    const all = (await it.read()).body;
    assertEquals([all.count, all.limit, all.offset, all.hasMore], [100, 1000, 0, false]);
    const types = (await it.read({ query: "erp.types" })).body;
    assertEquals(types.items, [{
      ROW_ID: 1,
      I: 1,
      B: "9007199254740993",
      D: 1.5,
      E: "123456789012345678.5",
      F: 0.5,
      T: true,
      S: "x",
      DAY: "2026-02-28",
      MOMENT: types.items[0].MOMENT,
      J: { a: 1 },
      BYTES: "AP8=",
      NOTHING: null,
    }]);
    assertEquals(types.metadata.map((it: { type: string }) => it.type), [
      "int",
      "int",
      "float",
      "float",
      "float",
      "bool",
      "str",
      "date",
      "datetime",
      "UNKNOWN",
      "bytes",
      "int",
    ]);
  },
});

Deno.test({
  name: "the database API: columns are described without running the query, whatever it requires",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const { status, body } = await it.read({ query: "erp.touching", querytype: "columns" });
    assertEquals([status, body.items, body.count], [200, [], 0]);
    assertEquals(body.metadata, [{ name: "ORDER_NO", type: "str" }, { name: "N", type: "int" }]);
    assertEquals((await it.rows()).length, 100);
    const greeting = await it.read({ query: "erp.greeting", querytype: "columns" });
    assertEquals(greeting.body.metadata.map((it: { name: string }) => it.name), ["SAID", "WHO"]);
    const run = await it.read({ query: "erp.touching" });
    assertEquals([run.status, run.body.status, run.body.message.query], [
      500,
      "failed",
      "erp.touching",
    ]);
    assertEquals((await it.rows()).length, 100);
  },
});

Deno.test({
  name:
    "the database API: filters, parameters and the language are bound; a query is named with its connector or alone",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const numbers = async (asked: Record<string, string>) => {
      const { status, body } = await it.read(asked);
      assertEquals(status, 200, JSON.stringify(body));
      return body.items.map((row: { ORDER_NO: string }) => row.ORDER_NO.slice(-3));
    };
    const q = (filter: unknown) => ({ q: JSON.stringify(filter) });
    assertEquals(await numbers(q([{ ORDER_NO: { "=": "SO-00000007" } }])), ["007"]);
    assertEquals(await numbers(q([{ order_no: { like: "%0001" } }, { Amount: { "<": 11 } }])), [
      "001",
    ]);
    assertEquals(
      await numbers(
        q([{ or: [{ ORDER_NO: { "=": "SO-00000003" } }, { not: { AMOUNT: { "<": 1000 } } }] }]),
      ),
      ["003", "100"],
    );
    const open = await numbers({ params: '[{"status":"open"}]' });
    assertEquals([open.length, open[0]], [50, "002"]);
    assertEquals(
      await numbers({ params: '[{"companies":["00002"]}, {"status":"closed"}]', limit: "1" }),
      ["003"],
    );
    const said =
      (await it.read({ query: "erp.greeting", language: "fr", params: '[{"who":"x"}]' })).body;
    assertEquals(said.items, [{ ROW_ID: 1, SAID: "fr", WHO: "x" }]);
    assertEquals((await it.read({ query: "only_here" })).status, 200);
    const twice = await it.read({ query: "types" });
    assertEquals([twice.status, twice.body.message], [
      400,
      "Several connectors have a query types: name one of erp.types, crm.types",
    ]);
    const { token } = await it.userWith("crm", ["sql:crm:types"]);
    assertEquals((await it.read({ query: "types" }, token)).status, 200);
    assertEquals((await it.read({ query: "only_here" }, token)).status, 404);
  },
});

Deno.test({
  name:
    "the database API: what is asked wrongly is 400 or 422, what fails is 500 in the shape of data",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    for (
      const [asked, message] of [
        [{ q: "{" }, /^q: is no JSON/],
        [{ q: '[{"NOTHING":{"=":1}}]' }, /no column "NOTHING" to filter by/],
        [{ q: '[{"STATUS":{"~":1}}]' }, /no operator/],
        [{ params: "[" }, /^params: is no JSON/],
        [{ params: "[1]" }, /a list of objects is expected/],
        [{ params: '[{"status":"a"},{"status":"b"}]' }, /status is given twice/],
        [{ params: '[{"statsu":"a"}]' }, /statsu/],
      ] as const
    ) {
      const { status, body } = await it.read(asked);
      assertEquals([status, body.status], [400, "failed"], JSON.stringify(body));
      assertMatch(body.message, message);
    }
    for (
      const asked of [
        { limit: "-1" },
        { offset: "x" },
        { source: "file" },
        { querytype: "all" },
        { pool: "erp" },
        { mode: "x" },
        { language: "'" },
        { override_pool: "a;b" },
        { qq: "1" },
        { query: "" },
      ]
    ) {
      const { status, body } = await it.read(asked as Record<string, string>);
      assertEquals(
        [status, body.detail?.[0]?.loc],
        [422, ["query", Object.keys(asked)[0]]],
        JSON.stringify(body),
      );
    }
    const broken = await it.read({ query: "erp.broken", limit: "5" });
    assertEquals([broken.status, broken.body.status], [500, "failed"]);
    const { items, ...page } = broken.body.message;
    assertEquals(page, {
      status: "error",
      hasMore: false,
      limit: 5,
      offset: 0,
      count: 0,
      query: "erp.broken",
    });
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    const plain = JSON.stringify((await it.read({ query: "erp.broken" }, token)).body);
    assert(!/select|nothing/i.test(plain), plain);
    assertEquals(items.length, 1);
    assertEquals((await it.read({ query: "erp.nothing" })).status, 404);
    assertEquals((await it.read({ override_pool: "nowhere" })).status, 404);
    assertEquals((await it.read({ query: "erp.change" })).status, 405);
  },
});
