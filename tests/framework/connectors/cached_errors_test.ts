import { assertEquals, assertStringIncludes } from "@std/assert";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { CONNECTORS, startOrders } from "#tests/support/order_queries.ts";

const BROKEN = `      by_zero:
        sql: "select 1 / (n - 1) as quotient from (select 1 as n from pg_sleep(0.5)) one"
        cache: { ttl: 60s }
`;

Deno.test({
  ...deps("PostgreSQL", postgresUrl),
  name: "callers who wait for one cached answer each receive its error in the words they may read",
  async fn() {
    await using it = await startOrders();
    const { token } = await it.userWith("viewer", ["sql:*:*"]);
    const text = CONNECTORS.replace("    queries:\n", `    queries:\n${BROKEN}`);
    const written = await it.write("connectors", text);
    assertEquals(written.status, 200, JSON.stringify(written.body));
    const [author, viewer] = await Promise.all([it.read("by_zero"), it.read("by_zero", token)]);
    assertStringIncludes(author.body.detail, "division by zero");
    assertEquals([viewer.status, viewer.body.detail], [
      422,
      "The database refuses the statement (22012)",
    ]);
    const [first, second] = await Promise.all([it.read("by_zero", token), it.read("by_zero")]);
    assertEquals(first.body.detail.includes("division"), false);
    assertStringIncludes(second.body.detail, "division by zero");
  },
});
