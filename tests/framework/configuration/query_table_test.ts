import { assertEquals } from "@std/assert";
import { startSettings } from "#tests/support/settings.ts";

const POOLS = `version: 1
pools:
  main: { driver: sqlite, file: erp.db }
  archive: { driver: sqlite, file: old.db, read_only: true }
`;

interface Written {
  readonly table: string;
  readonly pool?: string;
  readonly more?: string;
}

function connectors({ table, pool = "main", more = "" }: Written): string {
  return `version: 1
connectors:
  erp:
    type: sql
    pool: ${pool}
    queries:
      orders:
        sql: select order_no, status from orders${more}
        table: ${table}
`;
}

Deno.test("the table of a query says which columns may be written, and enables the code for writing", async () => {
  await using settings = await startSettings();
  await settings.write("pools", POOLS);
  const table =
    "{ name: app.orders, key: [order_no], columns: [order_no, status], insert: true, update: true }";
  const written = await settings.write("connectors", connectors({ table }), {
    query: "?dry_run=true",
  });
  assertEquals(written.status, 200, JSON.stringify(written.body));
  assertEquals(written.body.impact.codes_new, ["sql:erp:orders", "sql:erp:orders:write"]);
});

Deno.test("a table that cannot be written, or only past the query's row filter, is refused in both languages", async () => {
  await using settings = await startSettings();
  await settings.write("pools", POOLS);
  const report = async (written: Written, language = "en") => {
    const { status, body } = await settings.write("connectors", connectors(written), {
      headers: { "x-service-lang": language },
    });
    const [{ message, line }] = body.errors;
    return [status, line, message];
  };
  const block = (more: string, name = "orders") =>
    `{ name: ${name}, key: [order_no], columns: [status], ${more} }`;
  const good = block("update: true");
  assertEquals(await report({ table: block("updat: true") }), [
    422,
    9,
    "There is no key updat here; did you mean update?",
  ]);
  assertEquals(await report({ table: block("insert: false") }), [
    422,
    9,
    "orders.table: one of insert, update, delete must be true",
  ]);
  assertEquals(await report({ table: block("insert: false") }, "fr"), [
    422,
    9,
    "orders.table : l'un de insert, update, delete doit être true",
  ]);
  assertEquals(
    await report({ table: "{ name: o, key: [a], columns: [a], update: true }" }),
    [422, 9, "table.columns: an update needs columns other than the key"],
  );
  assertEquals(
    await report({ table: "{ name: o, key: [a, a], columns: [b], update: true }" }),
    [422, 9, "key.1: a stands here twice"],
  );
  assertEquals(await report({ table: block("delete: true", "'a..b'") }), [
    422,
    9,
    'table.name: the name of a table: orders, or app.orders with its schema is expected, not "a..b"',
  ]);
  const problem = (text: string) => [422, 7, `query erp.orders: ${text}`];
  assertEquals(
    await report({ table: good, pool: "archive" }),
    problem("its table is written, and its pool is for reading only"),
  );
  assertEquals(
    await report({ table: good, pool: "passerelle" }),
    problem("its table is written, and its pool is for reading only"),
  );
  assertEquals(
    await report({ table: good, more: "\n        row_filter: { clerk: status = 'open' }" }),
    problem("its table is written by key, past its row_filter: leave one of them out"),
  );
  assertEquals(
    await report({
      table: good,
      more: " where who = :who\n        params: { who: { type: string, from: user.username } }",
    }),
    problem(
      "its table is written by key, past what who takes from the caller: leave one of them out",
    ),
  );
});
