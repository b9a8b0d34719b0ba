import { assertEquals } from "@std/assert";
import { startProduct } from "#tests/support/product.ts";

const POOLS = `version: 1
pools:
  gone: { driver: postgres, host: 127.0.0.1, port: 1, database: x, user: x, ssl: { mode: disable } }
`;
const CONNECTORS = `version: 1
connectors:
  own:
    type: sql
    label: { en: Ours, fr: Le nôtre }
    pool: passerelle
    queries:
      one:
        label: One
        sql: select 1 as n where 1 = :n
        params: { n: { type: integer, required: true }, me: { type: string, from: user.username } }
        columns: { n: { type: string } }
      three:
        sql: select 1.5::numeric as amount, null::date as day, 'x' as hushed where :n = 1
        params: { n: { type: integer, required: true } }
        columns: { hushed: { hidden: true } }
      torn: { sql: select nothing from nowhere, columns: { n: {} } }
  away:
    type: sql
    pool: gone
    queries: { two: { sql: select 2, mode: read } }
  fx:
    type: http
    base_url: http://127.0.0.1:1
    endpoints: { latest: { path: /latest } }
`;

Deno.test("the connectors of the settings are listed with the allowed calls and their availability", async () => {
  await using product = await startProduct();
  const write = (section: string, text: string) =>
    product.request(`/admin/config/${section}/raw`, {
      method: "POST",
      headers: { "content-type": "text/yaml" },
      body: text,
    });
  assertEquals((await write("pools", POOLS)).status, 200);
  assertEquals((await write("connectors", CONNECTORS)).status, 200);
  const { body } = await product.get("/api/connectors");
  const shown = body.connectors.map((it: Record<string, unknown>) => [
    it["name"],
    it["type"],
    it["label"],
    it["status"],
  ]);
  assertEquals(shown, [
    ["own", "sql", "Ours", "available"],
    ["away", "sql", "away", "unavailable"],
    ["fx", "http", "fx", "available"],
  ]);
  const own = await product.get("/api/connectors/own");
  assertEquals(own.body.calls.slice(0, 1), [{
    name: "one",
    label: "One",
    permission: "sql:own:one",
    mode: "read",
    params: [{ name: "n", type: "integer", required: true, label: "n" }],
    columns: [{ name: "n", type: "string" }],
  }]);
  const columns = own.body.calls.slice(1).map((it: { columns: unknown }) => it.columns);
  assertEquals(columns, [
    [{ name: "amount", type: "decimal" }, { name: "day", type: "date" }],
    [{ name: "n" }],
  ]);
  assertEquals((await product.get("/api/connectors/away")).body.calls[0].columns, []);
  assertEquals((await product.get("/api/connectors/nothing")).status, 404);
  const rows = await product.get("/api/sql/own/one?n=1");
  assertEquals([rows.status, rows.body.items], [200, [{ n: "1" }]]);
});
