import { assert, assertEquals, assertRejects } from "@std/assert";
import { sql } from "drizzle-orm";
import { openPglite } from "#src/adapters/pglite/database.ts";
import { lockFolder } from "#src/adapters/pglite/folder_lock.ts";
import { AppError } from "#src/kernel/errors.ts";
import { getRows, isRefusedData } from "#src/ports/db.ts";
import { inFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

longTest("the embedded database behaves the same in its thread as in process", async (t) => {
  await inFolder(async (folder) => {
    await using database = await openPglite(`${folder}/db`);
    const { client, db } = database;
    await db.execute(
      sql`create table t (id int primary key, at timestamptz, n numeric, bytes bytea)`,
    );

    await t.step("a statement of a second leaves the event loop its turns", async () => {
      let turns = 0;
      const ticking = setInterval(() => turns++, 1);
      await db.execute(sql`select count(*) from generate_series(1, 3000000)`);
      clearInterval(ticking);
      assert(turns > 3, `${turns} turns`);
    });

    await t.step("values come back as PostgreSQL writes them", async () => {
      const at = "2026-11-22 06:00:00+00";
      const bytes = new Uint8Array([0, 255]);
      await db.execute(sql`insert into t values (1, ${at}, 1.50, ${bytes})`);
      const rows = getRows(await db.execute(sql`select * from t`));
      assertEquals(rows, [{ id: 1, at, n: "1.50", bytes }]);
    });

    await t.step("a transaction that throws is taken back, and others wait for it", async () => {
      const order: string[] = [];
      const failing = db.transaction(async (tx) => {
        await tx.execute(sql`insert into t (id) values (2)`);
        order.push("inside");
        throw new Error("no");
      });
      const reading = db.execute(sql`select count(*)::int as n from t`).then((it) => {
        order.push("outside");
        return getRows(it);
      });
      await assertRejects(() => failing, Error, "no");
      assertEquals(await reading, [{ n: 1 }]);
      assertEquals(order, ["inside", "outside"]);
    });

    await t.step("an error keeps its code, in a transaction too", async () => {
      const again = sql`insert into t (id) values (1)`;
      assert(isRefusedData(await assertRejects(() => db.execute(again))));
      assert(isRefusedData(await assertRejects(() => db.transaction((tx) => tx.execute(again)))));
      assertEquals(getRows(await db.execute(sql`select count(*)::int as n from t`)), [{ n: 1 }]);
    });

    await t.step("a transaction whose statement failed cannot be committed", async () => {
      await assertRejects(() =>
        db.transaction(async (tx) => {
          await tx.execute(sql`select 1 / 0`).catch(() => {});
        })
      );
    });

    await t.step(
      "a statement that comes again is prepared, and answers as it did the first time",
      async () => {
        await client.exec("create table of_all (id int, t text[], j jsonb, b bytea, d date)");
        const bytes = new Uint8Array([0, 92, 255]);
        const insert = "insert into of_all values ($1, $2, $3, $4, $5) returning *";
        const select = "select * from of_all where j @> $1 and ($2::text is null or t[1] = $2)";
        const answers: unknown[] = [];
        for (let id = 0; id < 4; id++) {
          const given = [id, ["a,b", null, '"'], { deep: [id, "é"] }, bytes, "2026-11-25"];
          const { rows, affectedRows } = await client.query(insert, given);
          const wanted = { t: ["a,b", null, '"'], j: { deep: [id, "é"] }, b: bytes };
          assertEquals([rows, affectedRows], [
            [{ id, ...wanted, d: new Date("2026-11-25") }],
            1,
          ]);
          const found = await client.transaction((tx) =>
            tx.query(select, [{ deep: [id] }, id % 2 ? null : "a,b"], { rowMode: "array" })
          );
          answers.push(found.rows.map((row) => (row as unknown[])[0]));
        }
        assertEquals(answers, [[0], [1], [2], [3]]);
        const { rows: [{ n } = { n: 0 }] } = await client.query<{ n: number }>(
          "select count(*)::int n from pg_prepared_statements where statement = any($1)",
          [[insert, select]],
        );
        assertEquals(n, 2);
      },
    );

    await t.step(
      "a prepared statement goes on when its table has changed, or nothing is prepared any more",
      async () => {
        const select = "select * from of_all where id = $1";
        const names = async () => (await client.query(select, [1])).fields.map((it) => it.name);
        for (let round = 0; round < 3; round++) await names();
        await client.exec("alter table of_all add more int");
        assertEquals(await names(), ["id", "t", "j", "b", "d", "more"]);
        await client.exec("deallocate all");
        assertEquals(await names(), ["id", "t", "j", "b", "d", "more"]);
        await client.exec("alter table of_all drop more");
        const inTransaction = () => client.transaction((tx) => tx.query(select, [1]));
        await assertRejects(inTransaction, Error, "cached plan must not change result type");
        assertEquals((await inTransaction()).fields.map((it) => it.name).at(-1), "d");
      },
    );

    await t.step(
      "a refused value of a prepared statement leaves it and the connection as they were",
      async () => {
        const divide = "select 6 / $1::int as n";
        for (const by of [1, 2, 3]) {
          assertEquals((await client.query(divide, [by])).rows, [{ n: 6 / by }]);
        }
        const refused = await assertRejects(() => client.query(divide, [0]));
        assertEquals((refused as { code?: string }).code, "22012");
        await assertRejects(() => client.query(divide, ["x"]));
        assertEquals((await client.query(divide, [6])).rows, [{ n: 1 }]);
      },
    );

    await t.step("notifications are heard until they are no longer wanted", async () => {
      const heard: string[] = [];
      const stop = await database.listen("news", (payload) => heard.push(payload));
      await client.exec("notify news, 'one'; notify other, 'none'");
      await client.query("select 1");
      await stop();
      await client.exec("notify news, 'two'");
      await client.query("select 1");
      assertEquals(heard, ["one"]);
    });
  });
});

Deno.test("a folder that holds no database of ours is refused by the call that opens it", async () => {
  await inFolder(async (folder) => {
    const { mkdir, writeFile } = await import("node:fs/promises");
    await mkdir(`${folder}/db`);
    await writeFile(`${folder}/db/PG_VERSION`, "3\n");
    await assertRejects(() => openPglite(`${folder}/db`));
  });
});

Deno.test("a folder that was let go is free at once, though children are being started; one in use is not", async () => {
  await inFolder(async (folder) => {
    const starter = `for (;;) await new Deno.Command("true").output();`;
    const threads = [1, 2, 3].map(() =>
      new Worker(`data:text/javascript,${encodeURIComponent(starter)}`, { type: "module" })
    );
    try {
      for (let i = 0; i < 500; i++) await (await lockFolder(`${folder}/db`))();
      const release = await lockFolder(`${folder}/db`);
      await assertRejects(
        () => lockFolder(`${folder}/db`),
        AppError,
        "is in use by another process",
      );
      await release();
    } finally {
      for (const it of threads) it.terminate();
    }
  });
});
