import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { logRoutes } from "#src/platform/logs/routes.ts";
import { startAccess } from "#tests/support/access.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";

Deno.test({
  name: "many readers of the log leave the database to everybody else",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using it = await startAccess({
      routes: (deps) => [logRoutes(deps as unknown as Parameters<typeof logRoutes>[0])],
    });
    const token = it.admin;
    const asked = await it.database.db.transaction(async (tx) => {
      await tx.execute(sql`lock table log_batches in access exclusive mode`);
      const asked = Array.from(
        { length: 40 },
        (_, at) => it.call("GET", `/api/logs?search=x${at}`, { token }),
      );
      for (let n = 0; n < 3; n++) {
        assertEquals((await it.call("GET", "/api/templates", { token })).status, 200);
      }
      return asked;
    });
    const answers = await Promise.all(asked);
    const told = answers.filter((it) => it.status === 429);
    assertEquals([answers.filter((it) => it.status === 200).length, told.length], [16, 24]);
    assertEquals([told[0]?.body.status, told[0]?.headers.get("retry-after")], ["failed", "5"]);
  },
});
