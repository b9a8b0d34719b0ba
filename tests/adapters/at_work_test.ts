import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { isAtWork } from "#src/adapters/bullmq/task_rows.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";
import { needs, postgresUrl, testDatabase } from "#tests/support/db.ts";

Deno.test({
  name: "whether anything is at work is known without reading all tasks that wait for another day",
  ...needs("PostgreSQL", postgresUrl),
  async fn() {
    await using database = await testDatabase(postgresUrl ?? "");
    const { db } = database;
    await db.execute(sql`insert into tasks (queue, name, payload, state, run_at, max_attempts)
      select 'submit', 'x', '{}'::jsonb, 'dead', now(), 3 from generate_series(1, 16000)
      union all select 'submit', 'x', '{}'::jsonb, 'ready', now() + interval '1 day', 3 from generate_series(1, 4000)`);
    await db.execute(sql`analyze tasks`);
    let plan = "";
    const explained = {
      async execute(query: ReturnType<typeof sql>) {
        const lines = rowsOf<Record<string, string>>(await db.execute(sql`explain ${query}`));
        plan = lines.flatMap((it) => Object.values(it)).join("\n");
        return await db.execute(query);
      },
    };
    assertEquals(await isAtWork(explained as unknown as Db), false);
    assertEquals(plan.match(/Seq Scan on tasks.*/), null, plan);
    const [first] = rowsOf<{ id: number }>(
      await db.execute(sql`select min(id) as id from tasks where state = 'ready'`),
    );
    for (
      const change of ["run_at = now()", "run_at = now(), relayed_at = now()", "state = 'running'"]
    ) {
      await db.execute(sql`update tasks set ${sql.raw(change)} where id = ${first?.id}`);
      assertEquals(await isAtWork(db), true, change);
      await db.execute(sql`update tasks set state = 'ready', relayed_at = null,
        run_at = now() + interval '1 day' where id = ${first?.id}`);
      assertEquals(await isAtWork(db), false);
    }
  },
});
