import { assertEquals, assertMatch } from "@std/assert";
import { permissionSet } from "#src/domain/permission/mod.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { startProduct } from "#tests/support/product.ts";

const SCRIPT = `
  create table customers (id int primary key, name text, city text);
  insert into customers values (1, 'Hélios', 'Lyon'), (2, 'O''Brien', 'Nantes'), (3, 'x; drop table customers', 'Lyon');
  grant select, update on customers to {role};`;

const properties = {
  kind: "sql",
  pool: "erp",
  maxRows: "2",
  "query.list": JSON.stringify({
    sql: "select id, name from customers where city = :city order by id;",
    params: "city|City|Lyon",
    label: "Customers",
  }),
  "query.rename": JSON.stringify({
    sql: "update customers set name = :name where id = :id",
    write: true,
  }),
  "query.sneaky": JSON.stringify({ sql: "with d as (select 1 as one) select one from d" }),
};

Deno.test({
  name: "templates and bipPool use the pools of the settings section, with and without variables",
  ...deps("PostgreSQL", postgresUrl),
  async fn(t) {
    await using erp = await erpDatabase(
      postgresUrl ?? "",
      `${SCRIPT}
      create table reports (job int, blob bytea);
      insert into reports values (4711, convert_to('<R42565/>', 'UTF8'));
      grant select on reports to {role};`,
    );
    const { hostname, port, pathname, username, password } = new URL(erp.url);
    await using product = await startProduct({
      CONFIG_VARIABLES: "ERP_PASSWORD",
      ERP_PASSWORD: password,
    });
    const pools = (more: string) =>
      `version: 1
pools:
  erp:
    driver: postgres
    host: ${hostname}
    port: ${port || 5432}
    database: ${pathname.slice(1)}
    user: ${username}
    password: \${ERP_PASSWORD}
    ${more}
`;
    const write = async (text: string) => {
      const saved = await product.request("/admin/config/pools/raw", {
        method: "POST",
        body: text,
        headers: { "content-type": "text/yaml" },
      });
      assertEquals(saved.status, 200, await saved.text());
    };
    const crm = { name: "crm", type: "connector", properties };
    const call = (query: string, params: unknown) =>
      product.post(`/api/connectors?name=crm&endpoint=${query}`, { params });

    await t.step("a pool that nothing defines is refused, with the way out", async () => {
      const { status, body } = await product.post("/api/templates", crm);
      assertEquals([status, body.error], [
        422,
        "pool: there is no pool erp; define it in the section pools of the settings",
      ]);
    });
    await t.step("a pool of the section is enough; a variable gives its password", async () => {
      await write(pools("limits: { max_rows: 1 }"));
      assertEquals((await product.post("/api/templates", crm)).body, { success: true });
      const rows = JSON.parse((await call("list", { city: "Lyon" })).body.body);
      assertEquals([rows.rows, rows.truncated], [[{ id: 1, name: "Hélios" }], true]);
      const renamed = await call("rename", { id: 1, name: "Hélios SA" });
      assertEquals(JSON.parse(renamed.body.body).updateCount, 1);
    });
    await t.step("extract-bip reads it too", async () => {
      const { body: { properties: before } } = await product.get(
        "/api/config/template?name=global",
      );
      const bip = {
        ...before,
        bipPool: "erp",
        bipXmlQuery: "select blob as content from reports where job = cast(:jobNumber as int)",
      };
      const saved = await product.send("PUT", "/api/config/template?name=global", {
        name: "global",
        type: "system",
        properties: bip,
      });
      assertEquals(saved.status, 200, JSON.stringify(saved.body));
      const { status, body } = await product.post("/api/extract-bip", {
        mode: "XML",
        report: "R42565",
        version: "",
        language: "",
        jobNumber: "4711",
        outputDir: "bip",
      });
      assertEquals([status, body.files?.length], [200, 1], JSON.stringify(body));
    });
    await t.step("a pool for reading only refuses the write query of a template", async () => {
      await write(pools("read_only: true"));
      const { body } = await call("rename", { id: 1, name: "x" });
      assertMatch(JSON.stringify(body), /The pool erp is for reading only/);
    });
  },
});

Deno.test({
  name: "an SQL connector runs named queries with bound values under the role of its pool",
  ...deps("PostgreSQL", postgresUrl),
  async fn(t) {
    await using erp = await erpDatabase(postgresUrl ?? "", SCRIPT);
    await using product = await startProduct({ POOL_ERP_URL: erp.url });
    const saved = await product.post("/api/templates", {
      name: "crm",
      type: "connector",
      properties,
    });
    assertEquals(saved.body, { success: true });
    const call = (query: string, params: unknown) =>
      product.post(`/api/connectors?name=crm&endpoint=${query}`, { params });

    await t.step("rows come as objects, the first value extracted", async () => {
      const { status, body } = await call("list", { city: "Lyon" });
      assertEquals([status, body.success, body.statusCode, body.requestUrl, body.extractedValue], [
        200,
        true,
        200,
        "sql:crm/list",
        1,
      ]);
      assertEquals(JSON.parse(body.body), {
        statementType: "SELECT",
        columns: ["id", "name"],
        rows: [{ id: 1, name: "Hélios" }, { id: 3, name: "x; drop table customers" }],
        rowCount: 2,
        updateCount: 0,
        truncated: false,
      });
    });
    await t.step("I3 a value stays a value", async () => {
      for (const city of ["' or 1=1 --", "Lyon'; drop table customers; --", ":city", "$1", "%"]) {
        assertEquals(JSON.parse((await call("list", { city })).body.body).rows, []);
      }
      const { body } = await call("rename", { id: 2, name: "'; delete from customers; --" });
      assertEquals(JSON.parse(body.body).updateCount, 1);
      assertEquals(
        (await erp.owner`select name from customers where id = 2`)[0]?.["name"],
        "'; delete from customers; --",
      );
    });
    await t.step("a placeholder of rules pasted into SQL is refused when it is saved", async () => {
      for (const where of ["{doc}", "'{doc}'", "'x{totalTTC}'"]) {
        const query = JSON.stringify({ sql: `select 1 from customers where name = ${where}` });
        const { status, body } = await product.post("/api/templates", {
          name: "pasted",
          type: "connector",
          properties: { kind: "sql", pool: "erp", "query.q": query },
        });
        assertEquals(status, 422, where);
        assertMatch(body.error, /query\.q: sql: values are bound: write :\w+, not \{\w+\}/);
        const kept = await product.send("PUT", "/api/queries", {
          queries: { overdue: `select 1 where a = ${where}` },
        });
        assertEquals(kept.status, 422, where);
      }
      const path = { sql: "select '{\"a\":[1]}'::json #> '{a}' as one" };
      const properties = { kind: "sql", pool: "erp", "query.q": JSON.stringify(path) };
      const fine = await product.post("/api/templates", {
        name: "braces",
        type: "connector",
        properties,
      });
      assertEquals(fine.body, { success: true });
    });
    await t.step(
      "a result is counted while it arrives, whatever the rows say of its size",
      async () => {
        const big = (rows: number) => ({
          sql: `select repeat('x', 20000000) from generate_series(1, ${rows})`,
        });
        const properties = {
          kind: "sql",
          pool: "erp",
          "query.one": JSON.stringify(big(1)),
          "query.many": JSON.stringify(big(60)),
        };
        await product.post("/api/templates", { name: "big", type: "connector", properties });
        for (const query of ["one", "many"]) {
          const { status, body } = await product.post(
            `/api/connectors?name=big&endpoint=${query}`,
            { params: {} },
          );
          assertEquals(status, 422);
          assertMatch(body.error, /larger than 10485760 bytes/);
        }
        assertEquals((await call("list", { city: "Lyon" })).status, 200);
      },
    );
    await t.step("missing, unknown and wrong values are named", async () => {
      const cases: [query: string, params: unknown, status: number, says: RegExp][] = [
        ["rename", { id: 2 }, 400, /name is missing/],
        ["list", { town: "x" }, 400, /town/],
        ["rename", { id: "two", name: "x" }, 422, /integer/],
        ["none", {}, 404, /crm\/none/],
      ];
      for (const [query, params, status, says] of cases) {
        const answer = await call(query, params);
        assertEquals(answer.status, status);
        assertMatch(answer.body.error, says);
      }
    });
    await t.step("queries are listed as endpoints", async () => {
      const { body } = await product.get("/api/connectors?name=crm");
      assertEquals(
        body.endpoints.map((
          it: { name: string; method: string; label: string },
        ) => [it.name, it.method, it.label]),
        [
          ["list", "READ", "Customers"],
          ["rename", "WRITE", "rename"],
          ["sneaky", "READ", "sneaky"],
        ],
      );
    });
    await t.step(
      "Z3 a write query needs :write, which a wildcard for reading does not give",
      async () => {
        const one = { connector: "crm", target: "rename", params: { id: 1, name: "y" } };
        assertEquals(await product.deps.connectors.permissionFor(one), "sql:crm:rename:write");
        const reader = {
          username: "viewer",
          permissions: permissionSet(["sql:*:*", "sql:crm:rename"]),
        };
        const refused = await product.deps.connectors.call({ ...one, as: reader });
        assertEquals([refused.success, String(refused.error)], [
          false,
          "viewer does not hold sql:crm:rename:write",
        ]);
        const writer = { username: "editor", permissions: permissionSet(["sql:*:*:write"]) };
        assertEquals(await product.deps.connectors.call({ ...one, as: writer }), {
          kind: "sql",
          success: true,
          statementType: "UPDATE",
          updateCount: 1,
        });
        assertEquals(
          await product.deps.connectors.call({ ...one, target: "list", params: {}, as: reader }),
          {
            kind: "sql",
            success: true,
            statementType: "SELECT",
            rowCount: 2,
            firstRow: { id: 1, name: "y" },
          },
        );
      },
    );
    await t.step("a query that cannot be one is refused when it is saved", async () => {
      for (
        const sql of [
          "delete from customers",
          "select 1; select 2",
          "copy customers to program 'x'",
        ]
      ) {
        const answer = await product.post("/api/templates", {
          name: "bad",
          type: "connector",
          properties: { kind: "sql", pool: "erp", "query.q": JSON.stringify({ sql }) },
        });
        assertEquals(answer.status, 422);
      }
    });
  },
});
