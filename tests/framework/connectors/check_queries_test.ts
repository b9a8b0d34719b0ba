import { assertEquals, assertMatch } from "@std/assert";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { startQueries } from "#tests/support/queries.ts";
import { CONNECTORS, startOrders } from "#tests/support/order_queries.ts";

const server = deps("PostgreSQL", postgresUrl);
const DRY = { query: "?dry_run=true" };

function lineOf(text: string, part: string): number {
  return text.slice(0, text.indexOf(part)).split("\n").length;
}

Deno.test({
  name:
    "a dry run shows what the database says about changed queries, with the line and column of the SQL",
  ...server,
  async fn() {
    await using it = await startOrders();
    const check = async (from: string, to: string, language = "en") => {
      const text = CONNECTORS.replace(from, to);
      const headers = { "x-service-lang": language };
      const { status, body } = await it.write("connectors", text, { ...DRY, headers });
      assertEquals(status, 200, JSON.stringify(body));
      return { text, queries: body.queries };
    };
    const renamed = await check(
      "status, amount, order_date, row_version",
      "status, amont, order_date",
    );
    const line = lineOf(renamed.text, "amont");
    const refusal = { section: "connectors", path: "connectors.erp.queries.orders.sql", line };
    const { unchanged: { refused: [broken, ...more], unchecked }, ...own } = renamed.queries;
    assertEquals([broken.line, more, unchecked], [lineOf(renamed.text, "select nothing"), [], []]);
    assertMatch(broken.message, /^query erp\.broken: .*"nothing" does not exist/);
    assertEquals(own, {
      refused: [{
        ...refusal,
        column: "          select order_no, customer_name, status, ".length + 1,
        message:
          'query erp.orders: The database refuses the statement (42703): column "amont" does not exist',
      }],
      unchecked: [],
    });
    const french = await check(
      "select order_no, customer_name",
      "select order_no,, customer_name",
      "fr",
    );
    assertEquals(
      french.queries.refused.map(({ message }: { message: string }) => message),
      ['requête erp.orders : La base de données refuse l\'instruction (42601) : syntax error at or near ","'],
    );
    const optional = await check("and company = :company", "and compagny = :company");
    assertEquals(optional.queries.refused.length, 1);
    assertEquals(optional.queries.refused[0].line, lineOf(optional.text, "compagny"));
    assertMatch(optional.queries.refused[0].message, /"compagny" does not exist/);
    const written = await check("and row_version = :row_version", "and version = :row_version");
    assertEquals(written.queries.refused[0].line, lineOf(written.text, "and version"));
    assertMatch(written.queries.refused[0].message, /query erp\.close: .*"version" does not exist/);
    const single = await check(
      "select order_no, order_date, amount from orders",
      "select order_no from ordres",
    );
    assertEquals(
      [single.queries.refused[0].line, single.queries.refused[0].column],
      [lineOf(single.text, "ordres"), "        sql: select order_no from ".length + 1],
    );
    // The whole form and the form without optional clauses both have to be sound.
    const bare = await check(
      "where true\n            [[ and status",
      "where\n            [[ status",
    );
    assertEquals(bare.queries.refused.length, 1);
  },
});

Deno.test({
  name: "changed statements are checked apart, none is run, and a refused one may be saved",
  ...server,
  async fn() {
    await using it = await startOrders();
    const check = async (text: string) => (await it.write("connectors", text, DRY)).body.queries;
    const sections = { pools: `version: 1\npools:\n  erp:\n${it.pool()}` };
    const path = "/admin/config/apply?dry_run=true";
    const { body } = await it.call("POST", path, { token: it.admin, body: { sections } });
    assertEquals([body.ok, body.queries], [true, undefined]);
    for (
      const text of [
        CONNECTORS,
        CONNECTORS.replace("default: 10, max: 60", "default: 20, max: 60"),
        CONNECTORS.replace("values (:no, '1'", "values (:no, '2'")
          .replace("select touch()", "select  touch()"),
      ]
    ) {
      // `broken` is refused by the database, but did not change.
      const { unchanged, ...own } = await check(text);
      assertEquals(own, { refused: [], unchecked: [] });
      assertEquals([unchanged.refused.length, unchanged.unchecked], [1, []]);
    }
    assertEquals((await it.erp.owner.unsafe("select count(*)::int as n from orders"))[0]?.n, 100);
    const wrong = CONNECTORS.replace("select order_no, order_date", "select order_no, day");
    assertEquals((await check(wrong)).refused.length, 1);
    const saved = await it.write("connectors", wrong);
    assertEquals([saved.status, saved.body.queries], [200, undefined]);
  },
});

Deno.test({
  name: "SQLite plans writing queries without running them",
  ...server,
  async fn() {
    await using it = await startQueries();
    await it.write("pools", "version: 1\npools:\n  erp: { driver: sqlite, file: erp.db }\n");
    const { pool } = await it.databases.use(it.configuration.current(), "erp");
    const run = (text: string) =>
      pool.write(
        { timeoutMs: 20_000 },
        (tx) => tx.run({ text, values: [] }, { maxRows: 1, maxBytes: 100 }),
      );
    await run("create table orders (id integer, status text)");
    await run("insert into orders values (1, 'open')");
    const check = async (sql: string) => {
      const text = "version: 1\nconnectors:\n  erp:\n    type: sql\n    pool: erp\n    queries:\n" +
        `      close: { mode: write, sql: "${sql}", params: { id: { type: integer } } }\n`;
      return (await it.write("connectors", text, DRY)).body.queries;
    };
    const sound = "delete from orders where id = :id [[ or id > :id ]]";
    const none = { refused: [], unchecked: [] };
    assertEquals(await check(sound), { ...none, unchanged: none });
    const { refused: [refused] } = await check("update orders set state = 'closed'");
    assertEquals(refused.line, 7);
    assertMatch(refused.message, /^query erp\.close: The database refuses .*no such column: state/);
    const limits = { timeoutMs: 20_000, maxRows: 5, maxBytes: 100 };
    const { rows } = await pool.read({ text: "select status from orders", values: [] }, limits);
    assertEquals(rows, [["open"]]);
  },
});

Deno.test({
  name: "a database that does not answer leaves its queries unchecked, and its users can save",
  ...server,
  async fn() {
    await using it = await startOrders();
    const off =
      "  off:\n    driver: postgres\n    host: 127.0.0.1\n    port: 1\n    database: x\n    user: x\n" +
      "    password: x\n    ssl: { mode: disable }\n";
    await it.write("pools", `version: 1\npools:\n  erp:\n${it.pool()}${off}`);
    await it.heard(3);
    const moved = CONNECTORS.replace("pool: erp", "pool: off");
    const { body } = await it.write("connectors", moved, DRY);
    assertEquals(body.queries.refused, []);
    assertEquals(body.queries.unchecked.length, 1);
    assertMatch(
      body.queries.unchecked[0],
      /^The database off could not check erp\.orders, .*, …: The database cannot be reached/,
    );
    assertEquals((await it.write("connectors", moved)).status, 200);
    const fresh = `version: 1\npools:\n  erp:\n${it.pool()}  fresh:\n${it.pool()}`;
    const applied = await it.call("POST", "/admin/config/apply?dry_run=true", {
      token: it.admin,
      body: {
        sections: { pools: fresh, connectors: CONNECTORS.replace("pool: erp", "pool: fresh") },
      },
    });
    assertMatch(
      applied.body.queries.unchecked[0],
      /^The database fresh .*: it is not in force yet$/,
    );
  },
});

Deno.test({
  name: "without the right to the database, a dry run prepares nothing",
  ...server,
  async fn() {
    await using it = await startOrders();
    const { token } = await it.userWith("ed", ["settings:raw", "settings:connectors"]);
    const text = CONNECTORS.replace("select order_no, order_date", "select order_no, secret");
    const { status, body } = await it.write("connectors", text, { ...DRY, token });
    assertEquals([status, body.permission, body.queries], [403, "pool:erp:read", undefined]);
    const { body: same } = await it.write("connectors", CONNECTORS, { ...DRY, token });
    assertEquals(same.queries.unchanged, {
      refused: [],
      unchecked: ["read", "write"].map((right) =>
        `The permission pool:erp:${right} is missing for the check of queries that did not change`
      ),
    });
  },
});

Deno.test({
  name: "the changed queries are checked first, and those beyond the bound are named",
  ...server,
  async fn() {
    await using it = await startOrders();
    const many = Array.from({ length: 110 }, (_, at) => `      n${at}: { sql: select nothing }\n`);
    const text = `${CONNECTORS}${many.join("")}`;
    await it.write("connectors", text);
    const changed = text.replace("n109: { sql: select nothing", "n109: { sql: select no");
    const { body: { queries } } = await it.write("connectors", changed, DRY);
    assertEquals([queries.refused.length, queries.unchecked], [1, []]);
    assertMatch(queries.refused[0].message, /^query erp\.n109: .*"no" does not exist/);
    assertEquals(queries.unchanged.unchecked.length, 1);
    assertMatch(queries.unchanged.unchecked[0], /erp\.n8\d, .*, …: one check covers 100 queries$/);
  },
});
