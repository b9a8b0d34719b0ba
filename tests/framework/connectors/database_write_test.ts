import { assertEquals, assertMatch } from "@std/assert";
import { asc } from "drizzle-orm";
import { auditLog } from "#drizzle/schema/mod.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { startDatabaseFamily } from "#tests/support/database_family.ts";

const server = deps("PostgreSQL", postgresUrl);

Deno.test({
  name:
    "Z3 a row is inserted, changed and removed by its whole key, recorded, and counted as it was touched",
  ...server,
  async fn() {
    await using it = await startDatabaseFamily();
    const row = {
      ORDER_NO: "SO-00000999",
      COMPANY: "00001",
      STATUS: "open",
      AMOUNT: "12.50",
      ORDER_DATE: "2026-03-01",
    };
    const { items: before } = (await it.read()).body;
    assertEquals((await it.send("POST", row)).body, { items: [], status: "success", count: 1 });
    assertEquals(
      (await it.read()).body.items.length,
      before.length + 1,
      "kept answers are dropped",
    );
    const changed = await it.send("PUT", {
      order_no: "SO-00000999",
      STATUS: "closed",
      customer_name: null,
    });
    assertEquals([changed.status, changed.body.count], [200, 1]);
    const [now] = await it.rows("order_no = 'SO-00000999'");
    assertEquals([now?.["status"], now?.["amount"]], ["closed", "12.50"]);
    assertEquals((await it.send("PUT", { ORDER_NO: "none", STATUS: "x" })).body.count, 0);
    assertEquals((await it.send("DELETE", { ORDER_NO: "SO-00000999" })).body.count, 1);
    assertEquals((await it.send("DELETE", { ORDER_NO: "SO-00000999" })).body.count, 0);
    for (const verb of ["POST", "DELETE"] as const) { // the name would refer to the neighbour's row
      const rounded = await it.send(verb, { ORDER_NO: 2 ** 53 });
      assertEquals(rounded.status, 400);
      assertMatch(rounded.body.message, /^order_no: 9007199254740992 lies beyond 2\^53/);
    }
    const closing = { query: "erp.closing" };
    const two = { ORDER_NO: "SO-00000001", COMPANY: "00001", STATUS: "gone" };
    assertEquals((await it.send("PUT", two, closing)).body.count, 1);
    const entries = await it.database.db.select().from(auditLog).orderBy(asc(auditLog.seq));
    const written = entries.filter(({ event }) => event === "query.written");
    assertEquals(written.length, 6);
    assertEquals(written[1]?.after, {
      params: { order_no: "SO-00000999", status: "closed", customer_name: null },
      affected: 1,
      rows: (written[1]?.after as { rows: unknown }).rows,
    });
    assertEquals((written[1]?.before as { status: string }[])[0]?.status, "open");
  },
});
