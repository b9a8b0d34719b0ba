import { assertEquals, assertMatch } from "@std/assert";
import { join } from "node:path";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const ROWS = `(values ${Array.from({ length: 30 }, (_, n) => `(${n})`).join(",")})`;
const CONNECTORS = `version: 1
connectors:
  invoicing:
    type: sql
    pool: passerelle
    queries:
      invoices:
        sql: |
          select doc, dct, kco, issue_date, total_ttc, currency, status from invoices
          where true [[ and status = :status ]]
        params: { status: { type: string } }
        filter: [doc, issue_date, total_ttc]
        sort: { allow: [issue_date], default: [-issue_date, doc] }
        page: { mode: keyset, key: [issue_date, doc] }
      lines:
        sql: select seq, description, quantity, unit_price, line_amount from invoice_lines
        sort: { default: [seq] }
      users:
        sql: select * from public.users
      crossed:
        sql: select count(*) as n from invoices a, invoices b, invoices c, invoices d, invoices e, invoices f, invoices g
      hoped:
        sql: |
          select a.column1 from ${ROWS} as a, ${ROWS} as b, ${ROWS} as c, ${ROWS} as d, ${ROWS} as e, ${ROWS} as f limit 1
      within:
        sql: |
          select a.column1, (select 1 from ${ROWS} as b, ${ROWS} as c, ${ROWS} as d, ${ROWS} as e
            where b.column1 + c.column1 + d.column1 + e.column1 = a.column1 limit 1) as found
          from ${ROWS} as a, ${ROWS} as x, ${ROWS} as y
      catalogue:
        sql: select a.relname from pg_class a limit 1
      described:
        sql: select table_name::text as name from information_schema.columns limit 1
`;

Deno.test("the embedded product answers named queries of its own invoices, and of nothing else", async () => {
  await using product = await startProduct({}, { isEmbedded: true });
  const erp = await product.place(join(GOLDEN, "erp", "R42565-single.xml"));
  await product.post("/api/run", { template: "R42565", file: erp, mode: "SINGLE" });
  const written = await product.post("/admin/config/connectors/raw", { text: CONNECTORS });
  assertEquals(written.status, 200, JSON.stringify(written.body));
  const read = (query: string) => product.get(`/api/sql/invoicing/${query}`);
  const { status, body } = await read('invoices?count=exact&q=[{"total_ttc":{">":"0"}}]');
  assertEquals([status, body.count, body.hasMore], [200, 1, false], JSON.stringify(body));
  const { items: [invoice], metadata } = body;
  assertEquals([invoice.doc, invoice.dct, invoice.kco], ["100000", "RI", "00001"]);
  assertMatch(invoice.issue_date, /^\d{4}-\d\d-\d\d$/);
  assertMatch(invoice.total_ttc, /^\d+\.\d{6}$/);
  assertEquals(metadata[4], { name: "total_ttc", type: "decimal" });
  assertEquals((await read("lines")).body.items[0].seq, 1);
  assertEquals((await read("invoices?status=none")).body.items, []);
  const { status: refused, body: why } = await read("users");
  assertEquals(refused, 422);
  assertMatch(why.detail, /^The database role of the pool may not do this/);
  const crossed = await read("crossed");
  assertEquals(crossed.status, 422, JSON.stringify(crossed.body));
  assertMatch(crossed.body.detail, /would take too long and slow down the product/);
  for (
    const [query, why] of [
      ["hoped", /would take too long/],
      ["within", /would take too long/],
      ["catalogue", /pg_catalog\.pg_class is a catalogue of the database/],
      ["described", /pg_catalog\.\w+ is a catalogue of the database/],
    ] as const
  ) {
    const answer = await read(query);
    assertEquals([query, answer.status], [query, 422], JSON.stringify(answer.body));
    assertMatch(answer.body.detail, why);
  }
  const tried = await product.post("/admin/config/connectors/invoicing/test-sql", {
    query: "select count(*) from generate_series(1, 1000000000)",
    params: {},
  });
  assertEquals(tried.status, 422);
  assertMatch(tried.body.detail, /generate_series is not a function allowed/);
  const locking = CONNECTORS.replace("select * from public.users", "select pg_advisory_lock(1)");
  const refusedText = await product.post("/admin/config/connectors/raw", { text: locking });
  assertEquals(refusedText.status, 422);
  assertMatch(refusedText.body.detail, /pg_advisory_lock is not a function allowed/);
  const { tables } = (await product.post("/api/sql/passerelle/_schema")).body;
  assertEquals(tables.every((it: { schema: string }) => it.schema === "passerelle"), true);
});
