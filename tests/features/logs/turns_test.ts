import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { logRoutes } from "#src/features/logs/routes.ts";
import { oneAfterAnother } from "#src/kernel/one_after_another.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { startAccess } from "#tests/support/access.ts";
import { needs, postgresUrl } from "#tests/support/db.ts";

Deno.test("work of one kind is done one after the other, what fails holds up nobody, and so many wait", async () => {
  const inTurn = oneAfterAnother(2, say`busy`);
  const said: string[] = [];
  const work = (name: string) => async () => {
    said.push(`${name} begins`);
    await Promise.resolve();
    said.push(`${name} ends`);
    if (name === "b") throw new Error("broke");
    return name;
  };
  const ends = await Promise.allSettled(["a", "b", "c", "d"].map((it) => inTurn(work(it))));
  assertEquals(ends.map((it) => it.status === "fulfilled" ? it.value : it.reason.code), [
    "a",
    undefined,
    "c",
    "throttled",
  ]);
  const order = ["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"];
  assertEquals(said, order);
  assertEquals(await inTurn(work("e")), "e");
});

Deno.test({
  name: "many readers of the log leave the database to everybody else",
  ...needs("PostgreSQL", postgresUrl),
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
