import { assert, assertEquals, assertRejects } from "@std/assert";
import { AppError } from "#src/kernel/errors.ts";
import type { PoolQuery, Pools } from "#src/ports/pools.ts";

/** Pools `erp`, with a table `orders (id int, name text)` of the rows 1 to 20, and `gone`, which has no server. */
export interface PoolsSetting {
  readonly pools: Pools;
  /** Returns a statement that takes this long. */
  readonly sleep: (seconds: number) => string;
  /** Resolves when such a statement is running. */
  readonly sleeping: () => Promise<void>;
}

function runOn({ pools }: PoolsSetting) {
  return (text: string, more: Partial<PoolQuery> = {}) =>
    pools.run({
      pool: "erp",
      text,
      values: {},
      write: false,
      maxRows: 100,
      maxBytes: 1_000_000,
      timeoutMs: 10_000,
      ...more,
    });
}

const readCode = async (work: Promise<unknown>) => (await assertRejects(() => work, AppError)).code;

/** Contract of all pools of databases. */
export const POOLS_CONTRACT: Readonly<Record<string, (setting: PoolsSetting) => Promise<void>>> = {
  "a query answers columns and rows, its values bound": async (setting) => {
    const hostile = "' or 1=1 --";
    const { columns, rows, statementType, updateCount, truncated } = await runOn(setting)(
      "select id, cast(:given as text) as given from orders where id = :id",
      { values: { given: hostile, id: 2 } },
    );
    assertEquals([columns, rows, statementType, updateCount, truncated], [
      ["id", "given"],
      [[2, hostile]],
      "SELECT",
      0,
      false,
    ]);
  },

  "no more rows and bytes are answered than asked for": async (setting) => {
    const run = runOn(setting);
    const { rows, truncated } = await run("select id from orders order by id", { maxRows: 20 });
    assertEquals([rows.length, truncated], [20, false]);
    const less = await run("select id from orders order by id", { maxRows: 19 });
    assertEquals([less.rows.length, less.truncated], [19, true]);
    assertEquals(await readCode(run("select id from orders", { maxBytes: 50 })), "refused");
  },

  "only a write query writes, and what fails leaves nothing": async (setting) => {
    const run = runOn(setting);
    const insert = "insert into orders values (21, 'x')";
    assertEquals(await readCode(run(insert)), "refused");
    assertEquals((await run(insert, { write: true })).updateCount, 1);
    assertEquals(await readCode(run(insert, { write: true })), "conflict");
    assertEquals(await readCode(run("delete from orders; select 1", { write: true })), "refused");
    assertEquals((await run("select id from orders")).rows.length, 21);
  },

  "an unknown pool is not found, one where nobody answers is unavailable": async (setting) => {
    const run = runOn(setting);
    assert(["erp", "gone"].every((it) => setting.pools.aliases().includes(it)));
    assertEquals(await readCode(run("select 1", { pool: "other" })), "not_found");
    assertEquals(await readCode(run("select 1", { pool: "gone" })), "unavailable");
  },

  "a statement ends when its time is over or its caller goes, and the pool goes on": async (
    setting,
  ) => {
    const run = runOn(setting);
    assertEquals(await readCode(run(setting.sleep(600), { timeoutMs: 200 })), "upstream");
    for (const goes of ["before it began", "while it runs"]) {
      const going = new AbortController();
      const left = assertRejects(() =>
        run(setting.sleep(600), { signal: going.signal, timeoutMs: 600_000 })
      );
      if (goes === "while it runs") await setting.sleeping();
      going.abort();
      await left;
    }
    assertEquals((await run("select id from orders where id = 1")).rows, [[1]]);
  },
};
