import { assertEquals } from "@std/assert";
import { startSettings } from "#tests/support/settings.ts";

Deno.test("a query that cannot run on its pool is reported at its SQL", async () => {
  await using it = await startSettings();
  await it.write("pools", "version: 1\npools:\n  main: { driver: sqlite, file: erp.db }\n");
  const place = async (sql: string) => {
    const text =
      "version: 1\nconnectors:\n  erp:\n    type: sql\n    pool: main\n    queries:\n      orders:\n" +
      `        label: Orders\n        sql: ${sql}\n`;
    const { status, body } = await it.write("connectors", text, { query: "?dry_run=true" });
    assertEquals(status, 422, JSON.stringify(body));
    const [{ line, column }] = body.errors;
    return [line, column];
  };
  assertEquals(await place("update orders set a = 1"), [9, 14]);
  assertEquals(await place("|\n          select a\n          from orders where b = :b"), [11, 33]);
  assertEquals(await place(">\n          select a\n          from orders where b = :b"), [9, 14]);
  assertEquals(await place('"select \\"a\\" from orders where b = :b"'), [9, 14]);
});
