import { assert, assertEquals, assertMatch } from "@std/assert";
import { checkedTexts } from "#src/compose/sections.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { startProduct } from "#tests/support/product.ts";

const SCRIPT = `
  create table customers (id int primary key, name text);
  insert into customers values (1, 'Hélios');
  grant select, update on customers to {role};`;

const CONNECTORS = `version: 1
connectors:
  sales:
    type: sql
    pool: erp
    queries:
      customers: {sql: "select id, name from customers"}
      rename:
        mode: write
        sql: "update customers set name = :name where id = :id"
        params: {id: {type: integer, required: true}, name: {type: string, required: true}}
`;

Deno.test({
  name: "a pool that only a variable defines is used, listed and controlled like any other",
  ...deps("PostgreSQL", postgresUrl),
  async fn(t) {
    await using erp = await erpDatabase(postgresUrl ?? "", SCRIPT);
    const { hostname, port, pathname, username, password } = new URL(erp.url);
    await using product = await startProduct({ POOL_ERP_URL: erp.url });
    const write = (section: string, text: string) =>
      product.request(`/admin/config/${section}/raw`, {
        method: "POST",
        body: text,
        headers: { "content-type": "text/yaml" },
      });
    const list = async () => {
      const { body } = await product.get("/api/db/pools");
      assert(!JSON.stringify(body).includes(`:${password}@`), "the password is not shown");
      return body.pools.map(({ alias, driver, source }: Record<string, string>) =>
        `${alias} ${driver} ${source}`
      );
    };
    const names = async () => {
      const { status, body } = await product.get("/api/sql/sales/customers");
      assertEquals(status, 200, JSON.stringify(body));
      return body.items.map((it: { name: string }) => it.name);
    };

    await t.step("it is listed as defined by the environment", async () => {
      assertEquals(await list(), ["default postgres product", "erp postgres environment"]);
      const parsed = await product.get("/admin/config/pools/parsed");
      assertEquals(parsed.body.pools ?? {}, {}, "the section does not contain it");
    });
    await t.step("connectors of the settings read and write it", async () => {
      const saved = await write("connectors", CONNECTORS);
      assertEquals(saved.status, 200, await saved.text());
      assertEquals(await names(), ["Hélios"]);
      const renamed = await product.post("/api/sql/sales/rename:write", {
        id: 1,
        name: "Hélios SA",
      });
      assertEquals(renamed.status, 200, JSON.stringify(renamed.body));
      assertEquals(await names(), ["Hélios SA"]);
    });
    await t.step("a query that its database cannot run is refused when it is saved", async () => {
      const saved = await write(
        "connectors",
        CONNECTORS.replace("select id,", "select :nobody, id,"),
      );
      assertEquals(saved.status, 422);
      assertMatch(await saved.text(), /the parameter nobody is not declared/);
    });
    await t.step("its tables are listed, and it is checked, closed and opened", async () => {
      const { status, body } = await product.post("/api/sql/erp/_schema", {});
      assertEquals([status, body.tables[0]?.name], [200, "customers"]);
      const call = async (path: string) => (await product.get(path)).status;
      assertEquals(await call("/api/db/check?target_pool=erp"), 200);
      assertEquals(await call("/api/db/close?pool=erp"), 200);
      assertEquals(await call("/api/sql/sales/customers"), 503);
      assertEquals(await call("/api/db/open?target_pool=erp"), 200);
      assertEquals(await names(), ["Hélios SA"]);
    });
    await t.step("templates use it too", async () => {
      const saved = await product.post("/api/templates", {
        name: "crm",
        type: "connector",
        properties: {
          kind: "sql",
          pool: "erp",
          "query.list": JSON.stringify({ sql: "select name from customers" }),
        },
      });
      assertEquals(saved.body, { success: true });
      const { body } = await product.post("/api/connectors?name=crm&endpoint=list", {});
      assertEquals(JSON.parse(body.body).rows, [{ name: "Hélios SA" }]);
    });
    await t.step("only the variable can rename it", async () => {
      const { status, body } = await product.post("/admin/config/rename", {
        scope: "pool",
        from: "erp",
        to: "other",
      });
      assertEquals([status, body.detail], [
        409,
        "The variable POOL_ERP_URL defines the pool erp: rename the variable",
      ]);
    });
    await t.step(
      "a pool of the section with its name replaces it until it is removed",
      async () => {
        const saved = await write(
          "pools",
          `version: 1
pools:
  erp:
    driver: postgres
    host: ${hostname}
    port: ${port || 5432}
    database: ${pathname.slice(1)}
    user: ${username}
    password: ${password}
    read_only: true
`,
        );
        assertEquals(saved.status, 422, "its write query has no pool for writing left");
        const reading = CONNECTORS.slice(0, CONNECTORS.indexOf("      rename:"));
        assertEquals((await write("connectors", reading)).status, 200);
        const again = await write(
          "pools",
          `version: 1\npools: {erp: {driver: postgres, host: ${hostname}, port: 1, database: x, user: x}}\n`,
        );
        assertEquals(again.status, 200, await again.text());
        assertEquals(await list(), ["default postgres product", "erp postgres settings"]);
        assertEquals((await product.get("/api/sql/sales/customers")).status, 503);
        const removed = await write("pools", "version: 1\npools: {}\n");
        assertEquals(removed.status, 200, await removed.text());
        assertEquals(await list(), ["default postgres product", "erp postgres environment"]);
        assertEquals(await names(), ["Hélios SA"]);
      },
    );
  },
});

Deno.test("config validate knows the pools of variables", () => {
  const texts = [["connectors", CONNECTORS]] as const;
  const broken = (env: Record<string, string>) =>
    checkedTexts(texts, env).broken.map(({ key }) => key);
  assertEquals(broken({}), ["connectors connectors.sales.pool pool erp"]);
  assertEquals(broken({ POOL_ERP_URL: "postgres://erp@db.test/erp" }), []);
});
