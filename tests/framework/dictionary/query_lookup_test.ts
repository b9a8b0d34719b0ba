import { assertEquals, assertStringIncludes } from "@std/assert";
import { must } from "#tests/support/access.ts";
import { startQueries } from "#tests/support/queries.ts";

const CONNECTORS = `version: 1
connectors:
  erp:
    type: sql
    pool: main
    queries:
      customers:
        sql: |
          select order_no, customer_name from orders where company = :company
            [[ and customer_name ilike '%' || :term || '%' ]]
        params:
          company: { type: string, required: true }
          term: { type: string }
        sort: { default: [order_no] }
      numbers:
        sql: select order_no, status from orders
        sort: { default: [order_no] }
`;
const DICTIONARY = `version: 1
lookups:
  customers:
    { type: query, connector: erp, query: customers, value: order_no, label: customer_name, search: term,
      depends_on: { company: company_no }, limit: 5 }
  numbers: { type: query, connector: erp, query: numbers, value: order_no, label: order_no }
  broken: { type: query, connector: erp, query: numbers, value: nothing, label: order_no }
`;

Deno.test("a lookup with a query returns its rows, searched and filtered by its dependencies", async () => {
  await using product = await startQueries();
  await must(product.write("pools", `version: 1\npools:\n  main:\n${product.pool()}`), 200);
  await must(product.write("connectors", CONNECTORS), 200);
  await must(product.write("dictionary", DICTIONARY), 200);
  const get = (path: string, token = product.admin) =>
    product.get(`/api/dictionary/lookups/${path}`, token);
  const { body } = await must(get("customers?company=00002&term=customer%2019"), 200);
  assertEquals(body, { name: "customers", items: [], has_more: false });
  const found = await must(get("customers?company=00002&term=customer%203"), 200);
  assertEquals(found.body.items[0], { value: "SO-00000003", label: "Customer 3", active: true });
  const page = await must(get("customers?company=00001&limit=50"), 200);
  assertEquals([page.body.items.length, page.body.has_more], [5, true]);
  const next = await must(get("numbers?limit=2&offset=2&term=0000001"), 200);
  assertEquals(next.body.items.map((it: { value: string }) => it.value), [
    "SO-00000011",
    "SO-00000012",
  ]);
  const named = await must(
    get("customers?company=00002&value=SO-00000003&value=SO-00000012&value=SO-00000001"),
    200,
  );
  assertEquals(named.body, {
    name: "customers",
    items: [
      { value: "SO-00000003", label: "Customer 3", active: true },
      { value: "SO-00000012", label: "Customer 12", active: true },
    ],
    has_more: false,
  }, "what codes mean; the third is another company's");
  const missing = await get("customers");
  assertEquals([missing.status, missing.body.detail], [400, "company is missing"]);
  const stray = await get("numbers?company=00001");
  assertEquals([stray.status, stray.body.detail], [
    400,
    "The lookup numbers does not depend on company",
  ]);
  const broken = await get("broken");
  assertEquals(broken.status, 500);
  assertStringIncludes(broken.body.detail, "answers no column nothing");
  const { token } = await product.userWith("berta", ["sql:erp:numbers"]);
  assertEquals((await get("numbers?limit=1", token)).status, 200);
  assertEquals((await get("customers?company=00001", token)).status, 404);
});
