import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { addressPools } from "#tests/support/address_pools.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { PoolQuery, PoolResult } from "#src/ports/pools.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";

const SCRIPT = `
  create table orders (id int primary key, name text, amount numeric(12,2), made date);
  insert into orders select n, 'order ' || n, n * 1.10, date '2026-01-01' + n from generate_series(1, 20) n;
  create table hidden (a int);
  create sequence ticks;
  create function touch() returns int language sql as 'insert into orders values (999) returning id';
  grant select, insert, update, delete on orders to {role};
  grant usage on sequence ticks to {role};
  alter role {role} set datestyle = 'German, DMY';
  alter role {role} set bytea_output = escape;
  alter role {role} set intervalstyle = iso_8601;
  alter role {role} set extra_float_digits = 0;`;

const server = deps("PostgreSQL", postgresUrl);
const OPTIONS = encodeURIComponent(
  "-c TimeZone=Asia/Kolkata -c idle_in_transaction_session_timeout=0",
);

Deno.test({
  name:
    "finding 9: what a query could do to its session, its neighbours or the database is refused or has no effect",
  ...server,
  async fn(t) {
    await using erp = await erpDatabase(postgresUrl ?? "", SCRIPT);
    await using pools = addressPools({
      erp: erp.url,
      shadowed: erp.url,
      optional: `${erp.url}?options=${OPTIONS}`,
      owner: erp.ownerUrl,
      gone: "postgres://x@127.0.0.1:1/x",
    });
    const run = (text: string, more: Partial<PoolQuery> = {}): Promise<PoolResult> =>
      pools.run({
        pool: "erp",
        text,
        values: {},
        write: false,
        maxRows: 10,
        maxBytes: 1_000_000,
        timeoutMs: 5_000,
        ...more,
      });
    const codeOf = async (work: Promise<unknown>) =>
      (await assertRejects(() => work, AppError)).code;
    const count = async () => Number((await erp.owner`select count(*) from orders`)[0]?.["count"]);

    await t.step("values keep their types", async () => {
      const { rows, columns, statementType, truncated } = await run(
        "select id, name, amount, made, id > 1 as big, '{\"a\":9007199254740993}'::jsonb as j, '\\x00ff'::bytea as b, 9007199254740993::int8 as n, 0.1::float8 * 3 as f, interval '1 day' as d from orders where id = :id",
        { values: { id: "2" } },
      );
      assertEquals([statementType, truncated], ["SELECT", false]);
      assertEquals(columns, ["id", "name", "amount", "made", "big", "j", "b", "n", "f", "d"]);
      assertEquals(rows, [[
        2,
        "order 2",
        "2.20",
        "2026-01-03",
        true,
        { a: "9007199254740993" },
        new Uint8Array([0, 255]),
        "9007199254740993",
        0.1 * 3,
        "1 day",
      ]]);
    });
    await t.step("one row more than allowed is looked for, and said", async () => {
      const { rows, truncated } = await run("select id from orders order by id");
      assertEquals([rows.length, truncated], [10, true]);
    });
    await t.step("stacked statements are refused with parameters and without", async () => {
      assertEquals(
        await codeOf(run("select 1) q; delete from orders; select * from (select 1", {})),
        "refused",
      );
      assertEquals(await codeOf(run("select 1; delete from orders", { write: true })), "refused");
      assertEquals(
        await codeOf(run("select 1; select :one", { write: true, values: { one: 1 } })),
        "refused",
      );
    });
    await t.step("a read query cannot write, whatever it calls", async () => {
      for (
        const text of [
          "select touch()",
          "select nextval('ticks')",
          "with d as (delete from orders returning 1) select * from d",
          "select set_config('transaction_read_only', 'off', false), touch()",
        ]
      ) {
        assertEquals(await codeOf(run(text)), "refused", text);
      }
      assertEquals(await count(), 20);
    });
    await t.step("COMMIT, COPY and SET are no query", async () => {
      for (const text of ["commit", "copy orders to program 'true'", "set role postgres"]) {
        assertEquals(await codeOf(run(text)), "refused", text);
      }
    });
    await t.step(
      "Z3 statements beyond the role's permissions are refused, even in a write query",
      async () => {
        assertEquals(await codeOf(run("select * from hidden")), "refused");
        assertEquals(
          await codeOf(run("insert into hidden values (1)", { write: true })),
          "refused",
        );
        assertEquals(await codeOf(run("select pg_read_file('/etc/passwd')")), "refused");
      },
    );
    await t.step(
      "functions first on a role's path stand in for none that the pool sets by",
      async () => {
        await erp.owner.unsafe(
          `create function public.set_config(text, text, boolean) returns text language sql as 'select $2';
        alter role ${erp.role} set search_path = public, pg_catalog`,
        );
        const { rows } = await run(
          "select current_setting('idle_in_transaction_session_timeout'), current_setting('search_path')",
          { pool: "shadowed" },
        );
        assertEquals(rows, [["1min", "public, pg_catalog"]]);
        await erp.owner.unsafe(
          `drop function public.set_config(text, text, boolean); alter role ${erp.role} reset search_path`,
        );
      },
    );
    await t.step("settings made by one query are gone for the next", async () => {
      await run(
        "select set_config('statement_timeout', '0', false), set_config('search_path', 'nowhere', false)",
      );
      const { rows } = await run(
        "select current_setting('search_path'), current_setting('default_transaction_read_only')",
      );
      assertEquals(rows, [['"$user", public', "off"]]);
      const lift = "select set_config('idle_in_transaction_session_timeout', '0', false)";
      await run(`insert into orders (id, name) select 998, it from (${lift} as it) as lifted`, {
        write: true,
      });
      const after = await run("select current_setting('idle_in_transaction_session_timeout')");
      assertEquals(after.rows, [["1min"]], "what the pool sets is set again");
      await run("delete from orders where id = 998", { write: true });
    });
    await t.step(
      "a statement that takes too long is ended, also when it lifts its own limit",
      async () => {
        const slow = await assertRejects(
          () => run("select pg_sleep(20)", { timeoutMs: 200 }),
          AppError,
        );
        assertEquals([slow.code, slow.details], ["upstream", { timeout: true }]);
        const lifted =
          "select case when set_config('statement_timeout', '0', true) = '0' then pg_sleep(20) end";
        assertEquals(await codeOf(run(lifted, { timeoutMs: 200 })), "upstream");
        // More calls than a pool has connections, so that none is free to cancel the others.
        const many = Array.from({ length: 12 }, () => codeOf(run(lifted, { timeoutMs: 200 })));
        const codes: string[] = await Promise.all(many);
        assert(codes.every((it) => it === "upstream" || it === "unavailable"), codes.join());
        const left = await erp
          .owner`select 1 from pg_stat_activity where usename = ${erp.role} and state = 'active'`;
        assertEquals(left.length, 0);
      },
    );
    await t.step(
      "write queries tell what they did, and a failed transaction leaves nothing",
      async () => {
        const added = await run("insert into orders values (:id, :name) returning id", {
          write: true,
          values: { id: 100, name: "x" },
        });
        assertEquals([added.statementType, added.updateCount, added.rows], ["INSERT", 1, [[100]]]);
        const changed = await run("update orders set name = 'y' where id > :id", {
          write: true,
          values: { id: 18 },
        });
        assertEquals([changed.statementType, changed.updateCount], ["UPDATE", 3]);
        assertEquals(
          await codeOf(run("insert into orders values (101, 'a'), (100, 'b')", { write: true })),
          "conflict",
        );
        assertEquals(
          (await run("delete from orders where id = 100", { write: true })).updateCount,
          1,
        );
        assertEquals(await count(), 20);
      },
    );
    await t.step("a superuser is no role for a pool", async () => {
      const error = await assertRejects(() => run("select 1", { pool: "owner" }), AppError);
      assertEquals(error.code, "refused");
      assertMatch(error.message, /superuser/);
    });
    await t.step("options of its address are no way around the settings of a pool", async () => {
      const set = (name: string, pool: string) =>
        run(`select current_setting('${name}') as set`, { pool }).then((it) => it.rows);
      const limit = "idle_in_transaction_session_timeout";
      assertEquals(await set(limit, "optional"), await set(limit, "erp"));
      assertEquals(await set("TimeZone", "optional"), [["Asia/Kolkata"]]);
    });
    await t.step("an unknown pool and an unreachable pool are reported", async () => {
      assertEquals(await codeOf(run("select 1", { pool: "none" })), "not_found");
      assertEquals(await codeOf(run("select 1", { pool: "gone" })), "unavailable");
    });
  },
});
