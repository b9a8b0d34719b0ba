import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "#src/kernel/errors.ts";
import {
  type DatabasePool,
  type ReadLimits,
  RefusedStatement,
  type Statement,
} from "#src/ports/pool.ts";
import { until } from "#tests/support/until.ts";

/**
 * Pool with a table `orders (id int primary key, name text, amount decimal(12,2), made date, big bigint)`. Its rows 1
 * to 20 have `order 1`, 1.10, 2026-01-02, 9007199254740993 + id. A table `order_lines (id, order_id)` refers to it.
 */
export interface PoolSetting {
  readonly pool: DatabasePool;
  /** Pool without a server. */
  readonly gone: DatabasePool;
  /** Slow query; undefined if queries cannot be cancelled. */
  readonly slow: string | undefined;
  /** True if `maxBytes` limits all rows of a stream, because they come from a local file. */
  readonly boundsStreams?: boolean;
  /** True if several transactions may write in parallel. */
  readonly hasManyWriters?: boolean;
  /** Returns the number of statements that the database still runs. */
  readonly running: () => Promise<number>;
}

const LIMITS: ReadLimits = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 10_000 };
const MAX = { maxRows: 100, maxBytes: 1_000_000 };

/** Replaces each `?` by the placeholder of the pool's dialect. */
function statement(
  { dialect }: DatabasePool,
  text: string,
  values: readonly unknown[] = [],
): Statement {
  let at = 0;
  const place = () => dialect === "postgres" ? `$${++at}` : dialect === "sqlite" ? `?${++at}` : "?";
  return { text: text.replace(/\?/g, place), values };
}

function asking({ pool }: PoolSetting) {
  return (text: string, values: readonly unknown[] = [], more: Partial<ReadLimits> = {}) =>
    pool.read(statement(pool, text, values), { ...LIMITS, ...more });
}

const readCode = async (work: Promise<unknown>) => (await assertRejects(() => work, AppError)).code;
const INSERT = "insert into orders values (?, ?, '1.00', '2026-01-01', 1)";

export const POOL_CONTRACT: Readonly<Record<string, (setting: PoolSetting) => Promise<void>>> = {
  "values are bound, and what is exact stays exact": async (setting) => {
    const hostile = "' or 1=1 -- \\";
    const ask = asking(setting);
    const { columns, rows } = await ask(
      "select id, name, amount, made, big from orders where id = ? or name = ?",
      [2, hostile],
    );
    assertEquals(columns.map((it) => it.name), ["id", "name", "amount", "made", "big"]);
    assertEquals(columns.map((it) => it.type), ["integer", "string", "decimal", "date", "integer"]);
    assertEquals(rows.map((row) => row.map(String)), [
      [
        "2",
        "order 2",
        setting.pool.dialect === "sqlite" ? "2.2" : "2.20",
        "2026-01-03",
        "9007199254740995",
      ],
    ]);
    assertEquals((await ask("select name from orders where name = ?", [hostile])).rows, []);
  },

  "no more rows and bytes are answered than asked for": async (setting) => {
    const ask = asking(setting);
    const all = await ask("select id from orders order by id", [], { maxRows: 20 });
    assertEquals([all.rows.length, all.truncated], [20, false]);
    const less = await ask("select id from orders order by id", [], { maxRows: 19 });
    assertEquals([less.rows.length, less.truncated], [19, true]);
    assertEquals(await readCode(ask("select name from orders", [], { maxBytes: 50 })), "refused");
    assertEquals((await ask("select id from orders")).rows.length, 20);
  },

  "a read cannot write": async (setting) => {
    const { pool } = setting;
    const insert = pool.read(statement(pool, INSERT, [21, "x"]), LIMITS);
    assertEquals(await readCode(insert), "misconfigured");
    assertEquals((await asking(setting)("select id from orders")).rows.length, 20);
  },

  "a text is one statement, for reads and for writes": async (setting) => {
    const { pool } = setting;
    assertEquals(await readCode(asking(setting)("select 1; select 2")), "refused");
    const two = statement(pool, "delete from orders where id = 1; select 1");
    assertEquals(await readCode(pool.write(LIMITS, (tx) => tx.run(two, MAX))), "refused");
    assertEquals((await asking(setting)("select id from orders")).rows.length, 20);
  },

  "a transaction stays when its work resolves, and goes when it throws": async (setting) => {
    const { pool } = setting;
    const ask = asking(setting);
    const insert = (id: number) => statement(pool, INSERT, [id, "x"]);
    const { affected } = await pool.write(LIMITS, (tx) => tx.run(insert(21), MAX));
    assertEquals(affected, 1);
    const refused = new AppError(
      "conflict",
      (await assertRejects(() =>
        pool.write(LIMITS, async (tx) => {
          await tx.run(insert(22), MAX);
          await tx.run(insert(21), MAX);
        }), AppError)).sentence,
    );
    assertEquals(refused.code, "conflict");
    const undone = assertRejects(() =>
      pool.write(LIMITS, async (tx) => {
        assertEquals(
          (await tx.run(statement(pool, "update orders set name = 'y'"), MAX)).affected,
          21,
        );
        throw refused;
      })
    );
    assertEquals(await undone, refused);
    assertEquals(
      (await ask("select count(*) from orders where name in ('x', 'y')")).rows.map(String),
      ["1"],
    );
    assertEquals(
      (await pool.write(
        LIMITS,
        (tx) => tx.run(statement(pool, "delete from orders where id > 20"), MAX),
      )).affected,
      1,
    );
  },

  "of two transactions that want each other's row one is refused as a collision, the other is done":
    async (
      { pool, hasManyWriters },
    ) => {
      if (!hasManyWriters) return;
      const met = Promise.withResolvers<void>();
      let changed = 0;
      const change = (...ids: readonly number[]) =>
        pool.write(LIMITS, async (tx) => {
          for (const id of ids) {
            const text = "update orders set name = 'z' where id = ?";
            await tx.run(statement(pool, text, [id]), MAX);
            if (++changed === 2) met.resolve();
            await met.promise;
          }
        });
      const ended = await Promise.allSettled([change(1, 2), change(2, 1)]);
      const refused = ended.flatMap((it) => it.status === "rejected" ? [it.reason] : []);
      assertEquals(refused.map((it) => [it instanceof RefusedStatement, it.isCollision, it.code]), [
        [true, true, "conflict"],
      ]);
    },

  "rows come in batches, and a consumer may stop": async (setting) => {
    const { pool } = setting;
    const query = statement(pool, "select a.id, b.id as other from orders a, orders b, orders c");
    const limits = { ...LIMITS, maxRows: 5_000 };
    let [rows, batches] = [0, 0];
    for await (const batch of pool.stream(query, limits)) {
      rows += batch.rows.length;
      batches++;
      assertEquals(batch.columns.map((it) => it.name), ["id", "other"]);
    }
    assertEquals(rows, 5_000);
    assert(batches > 1);
    for await (const batch of pool.stream(query, limits)) {
      assert(batch.rows.length > 0);
      break;
    }
    assertEquals((await asking(setting)("select id from orders where id = 1")).rows.length, 1);
  },

  "a consumer that dawdles keeps nobody from reading and writing, and sees what was there when it began":
    async (
      setting,
    ) => {
      const { pool } = setting;
      const ask = asking(setting);
      const query = statement(
        pool,
        "select a.id, a.name, a.amount, a.made, a.big from orders a, orders b, orders c",
      );
      const stream = pool.stream(query, { ...LIMITS, maxRows: 2_000 })[Symbol.asyncIterator]();
      const rows: (readonly unknown[])[] = [];
      const first = await stream.next();
      rows.push(...first.value.rows);
      await pool.write(
        LIMITS,
        (tx) => tx.run(statement(pool, INSERT, [21, "late"]), MAX),
      );
      assertEquals((await ask("select name from orders where id = 21")).rows, [["late"]]);
      for (let next = await stream.next(); !next.done; next = await stream.next()) {
        assertEquals(next.value.columns, first.value.columns);
        rows.push(...next.value.rows);
      }
      assertEquals(rows.length, 2_000);
      const alike = await ask("select id, name, amount, made, big from orders where id = ?", [
        Number(rows[0]?.[0]),
      ]);
      assertEquals(rows[0], alike.rows[0]);
      assertEquals(first.value.columns, alike.columns);
      assert(!rows.some((row) => row[1] === "late"));
      const small = { ...LIMITS, maxRows: 5_000, maxBytes: 100 };
      const all = async () => {
        for await (const _ of pool.stream(query, small)) { /* as they come */ }
      };
      if (setting.boundsStreams) assertEquals(await readCode(all()), "refused");
    },

  "tables tell their columns and keys": async ({ pool }) => {
    const tables = await pool.tables(LIMITS);
    const [lines, orders] = ["order_lines", "orders"].map((name) =>
      tables.find((it) => it.name === name)
    );
    assertEquals(orders?.columns.map((it) => `${it.name} ${it.type} ${it.nullable}`), [
      "id integer false",
      "name string true",
      "amount decimal true",
      "made date true",
      "big integer true",
    ]);
    assertEquals([orders?.kind, orders?.primaryKey], ["table", ["id"]]);
    assertEquals(
      lines?.foreignKeys.map((it) => [it.columns, it.references.table, it.references.columns]),
      [
        [["order_id"], "orders", ["id"]],
      ],
    );
  },

  "where nobody answers it is unavailable": async ({ gone }) => {
    assertEquals(await readCode(gone.read(statement(gone, "select 1"), LIMITS)), "unavailable");
  },

  "a statement ends in the database when its time is over or its caller goes": async (setting) => {
    const { pool, slow, running } = setting;
    if (slow === undefined) return;
    const ask = asking(setting);
    assertEquals(await readCode(ask(slow, [], { timeoutMs: 300 })), "overdue");
    assertEquals(
      await readCode(pool.write({ timeoutMs: 300 }, (tx) => tx.run(statement(pool, slow), MAX))),
      "overdue",
    );
    const going = new AbortController();
    const left = assertRejects(() => ask(slow, [], { signal: going.signal, timeoutMs: 600_000 }));
    await until(async () => await running() > 0);
    going.abort();
    await left;
    await until(async () => await running() === 0);
    await assertRejects(() => ask("select 1", [], { signal: going.signal }));
    assertEquals((await ask("select id from orders where id = 1")).rows.length, 1);
  },

  "what is under way, and what waits for its turn, ends before a pool is closed": async (
    { pool },
  ) => {
    const query = statement(pool, "select count(*) from orders a, orders b, orders c");
    const under = Array.from({ length: 10 }, () => pool.read(query, LIMITS));
    const closed = pool.close();
    const counts = (await Promise.all(under)).flatMap(({ rows }) => rows.map(String));
    assertEquals(counts, Array(10).fill("8000"));
    await closed;
    await assertRejects(() => pool.read(query, LIMITS));
  },
};
