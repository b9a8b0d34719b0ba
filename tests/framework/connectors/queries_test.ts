import { assertEquals, assertMatch } from "@std/assert";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { startOrders } from "#tests/support/order_queries.ts";

const server = deps("PostgreSQL", postgresUrl);

Deno.test({
  name: "a named query returns its page with exact values and their types",
  ...server,
  async fn() {
    await using it = await startOrders();
    const { status, body } = await it.read("orders?limit=2");
    assertEquals(status, 200, JSON.stringify(body));
    const { items, metadata, ...page } = body;
    assertEquals(page, { hasMore: true, limit: 2, offset: 0 });
    assertEquals(items[0], {
      order_no: "SO-00000001",
      customer_name: "Customer 1",
      status: "closed",
      amount: "10.01",
      order_date: "2026-01-02",
      row_version: "1",
      made_at: items[0].made_at,
    });
    assertMatch(items[0].made_at, /^2026-01-01T\d\d:00:00[+-]\d\d:\d\d$/);
    assertEquals(metadata[3], { name: "amount", type: "decimal" });
    assertEquals((await it.read("types")).body.items[0], {
      i: 1,
      b: "9007199254740993",
      d: "1.50",
      f: 0.5,
      t: true,
      s: "x",
      day: "2026-02-28",
      moment: (await it.read("types")).body.items[0].moment,
      j: { a: 1 },
      list: [1, 2],
      bytes: "AP8=",
      nothing: null,
    });
    const posted = await it.send("orders", { limit: 2 });
    assertEquals(posted.body, body);
    const all = await it.read("orders?limit=1000&count=exact&sort=-amount,order_no&offset=50");
    assertEquals([all.body.limit, all.body.items.length, all.body.hasMore, all.body.count], [
      60,
      50,
      false,
      100,
    ]);
    assertEquals(all.body.items[0].amount, "500.50");
    assertEquals((await it.read("orders?count=estimated")).body.count, 100);
  },
});

Deno.test({
  name: "parameters and filters are bound; optional clauses stand where their values do",
  ...server,
  async fn() {
    await using it = await startOrders();
    const count = async (query: string) => {
      const { status, body } = await it.read(`orders?count=exact${query}`);
      assertEquals(status, 200, JSON.stringify(body));
      return body.count;
    };
    const q = (filter: unknown) => `&q=${encodeURIComponent(JSON.stringify(filter))}`;
    assertEquals(await count("&status=open"), 50);
    assertEquals(await count("&status=open&status=closed"), 100);
    assertEquals(await count("&from=2026-01-29"), 6);
    assertEquals(await count("&company=00002&status=open"), 16);
    assertEquals(await count("&status=" + encodeURIComponent("' or 1=1 --")), 0);
    assertEquals(
      await count(q([{ status: { "=": "open" } }, { amount: { ">=": "500.5", "<": 600 } }])),
      5,
    );
    assertEquals(
      await count(
        q([{ or: [{ order_no: { "=": "SO-00000001" } }, { order_no: { in: ["SO-00000002"] } }] }]),
      ),
      2,
    );
    assertEquals(await count(q([{ not: { customer_name: { like: "Customer 1%" } } }])), 88);
    assertEquals(await count(q({ customer_name: { contains: "%" } })), 0);
    assertEquals(await count(q({ customer_name: { ends_with: "MER 7" } })), 1);
    assertEquals(
      await count(q({ customer_name: { "!=": "x' or '1'='1" } })),
      100,
    );
    assertEquals(await count(q({ order_date: { between: ["2026-01-01", "2026-01-02"] } })), 7);
    assertEquals(await count(q({ order_date: { is_null: true } })), 0);
    assertEquals(await count(q({ status: { in: [] } })), 0);
    assertEquals(await count(q({ status: { not_in: ["open"] } })), 50);
  },
});

Deno.test({
  name: "an invalid request is 400 and names the mistake",
  ...server,
  async fn() {
    await using it = await startOrders();
    const q = (filter: unknown) => `orders?q=${encodeURIComponent(JSON.stringify(filter))}`;
    await it.read("orders?limit=1"); // the columns are known from here on
    const wrong: readonly (readonly [string, RegExp])[] = [
      ["orders?limit=-1", /limit: a whole number from 0 on is expected, not "-1"/],
      ["orders?offset=x", /offset/],
      ["orders?stauts=open", /There is no parameter stauts; did you mean status\?/],
      ["orders?from=2026-02-30", /from/],
      ["orders?company=00009", /company/],
      ["orders?sort=secret", /sort: there is no column "secret"/],
      ["orders?sort=amout", /did you mean amount\?/],
      ["orders?count=all", /count: one of none, estimated, exact is expected/],
      ["orders?q=%7B", /q: is no JSON/],
      [q({ row_version: { "=": 1 } }), /q: there is no column "row_version" to filter by/],
      [q({ status: { "~": "x" } }), /there is no operator "~"/],
      [q({ status: "open" }), /status: an operator is expected/],
      [q({ amount: { "=": "much" } }), /amount: "much" is no decimal number/],
      [q({ order_date: { "=": "2026-13-01" } }), /order_date/],
      [q({ status: { "=": null } }), /is_null/],
      [q({ not: { not: { not: { not: { not: { status: { "=": "x" } } } } } } }), /5/],
      [q(Array.from({ length: 51 }, () => ({ status: { "=": "x" } }))), /50/],
      ["slow?seconds=many", /seconds/],
      ["slow", /seconds/],
      ["mine?who=admin", /who/],
      ["paged?after=xyz", /after: is no place of this query/],
      ["orders?after=xyz", /after/],
    ];
    for (const [path, message] of wrong) {
      const { status, body } = await it.read(path);
      assertEquals(status, 400, `${path} ${JSON.stringify(body)}`);
      assertMatch(body.detail, message);
    }
  },
});

Deno.test({
  name: "pages follow a key by sealed places, in either direction and in another order",
  ...server,
  async fn() {
    await using it = await startOrders();
    const all = async (query: string) => {
      const found: string[] = [];
      let next: string | undefined;
      do {
        const { status, body } = await it.read(`paged?${query}${next ? `&after=${next}` : ""}`);
        assertEquals(status, 200, JSON.stringify(body));
        found.push(...body.items.map((row: { order_no: string }) => row.order_no));
        assertEquals(body.hasMore, body.next !== undefined);
        next = body.next;
      } while (next);
      return found;
    };
    const [pages, amounts, whole] = [
      await all("limit=7"),
      await all("limit=9&sort=-amount"),
      await all("limit=1000"),
    ];
    assertEquals(pages, whole);
    assertEquals(new Set(pages).size, 100);
    assertEquals(amounts.slice(0, 2), ["SO-00000100", "SO-00000099"]);
    const { next } = (await it.read("paged?limit=7")).body;
    assertEquals((await it.read(`paged?sort=amount&after=${next}`)).status, 400);
  },
});

Deno.test({
  name: "rows are those of a role the caller has, and the administrator's are all",
  ...server,
  async fn() {
    await using it = await startOrders();
    const rows = async (token: string) => (await it.read("filtered", token)).body.items.length;
    assertEquals(await rows(it.admin), 100);
    assertEquals(await rows((await it.userWith("one", ["sql:*:*"])).token), 67);
    assertEquals(await rows((await it.userWith("two", ["sql:*:*"])).token), 33);
    const three = await it.userWith("three", ["sql:*:*"]);
    assertEquals(await rows(three.token), 0);
    const inherits = (name: string, inherits_from: string[]) =>
      it.call("POST", "/admin/roles", { token: it.admin, body: { name, inherits_from } });
    assertEquals((await inherits("both", ["role of one", "role of two"])).status, 201);
    assertEquals((await inherits("over both", ["both"])).status, 201);
    const roles = ["role of three", "over both"];
    await it.call("PUT", "/admin/users/three", { token: it.admin, body: { roles } });
    assertEquals(await rows(three.token), 100, "what a role inherits counts, at once");
  },
});

Deno.test({
  name: "a value bound from the caller comes from the account, and users without it see no row",
  ...server,
  async fn() {
    await using it = await startOrders();
    const own = `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    queries:
      own:
        sql: select order_no, company from orders where company = :company
        params: { company: { type: string, from: claims.company } }
        page: { default: 100 }
      rows:
        sql: select order_no, company from orders
        row_filter: { "role of marie": "company = :claims.company", "role of paul": "company = :claims.company" }
        page: { default: 100 }
      who:
        sql: select :sub as sub
        params: { sub: { type: string, from: claims.sub } }
`;
    assertEquals((await it.write("connectors", own)).status, 200);
    const marie = await it.userWith("marie", ["sql:*:*"]);
    const paul = await it.userWith("paul", ["sql:*:*"]);
    const claims = { company: "00002", sub: "admin" };
    await it.call("PUT", "/admin/users/marie", { token: it.admin, body: { claims } });
    const rows = async (name: string) => {
      const { items } = (await it.read(name, marie.token)).body;
      return [items.length, new Set(items.map((row: { company: string }) => row.company))];
    };
    assertEquals(await rows("own"), [33, new Set(["00002"])]);
    assertEquals(await rows("rows"), [33, new Set(["00002"])]);
    assertEquals((await it.read("who", marie.token)).body.items, [{ sub: "marie" }]);
    for (
      const call of [
        it.read("own?company=00001", marie.token),
        it.send("own", { company: "00001" }, marie.token),
      ]
    ) {
      const { status, body } = await call;
      assertEquals(status, 400);
      assertMatch(body.detail, /company is not the caller's to give/);
    }
    for (const name of ["own", "rows"]) {
      const { status, body } = await it.read(name, paul.token);
      assertEquals(status, 403);
      assertMatch(body.detail, /Your account has no claims\.company/);
    }
  },
});
