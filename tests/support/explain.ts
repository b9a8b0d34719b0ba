import type { Logger } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as schema from "#drizzle/schema/mod.ts";
import { openPool } from "#src/adapters/postgres/pool.ts";
import type { Db } from "#src/ports/db.ts";

export interface Plan {
  readonly [key: string]: unknown;
  readonly Plans?: readonly Plan[];
}

export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** Rows and entries of indexes a plan came by when it was carried out, those it left aside included. */
export function rowsReadIn(plan: Plan): number {
  const read = nodesOf(plan).filter((it) =>
    /^(?!CTE|Subquery).*Scan$/.test(String(it["Node Type"]))
  )
    .map((it) =>
      Number(it["Actual Loops"]) *
      (Number(it["Actual Rows"]) + Number(it["Rows Removed by Filter"] ?? 0))
    );
  return read.reduce((sum, it) => sum + it, 0);
}

/** For these values, or once for all values as a statement is that comes again. */
export type Planning = "force_custom_plan" | "force_generic_plan";

/** The product's own database access; what it asks is explained afterwards, with the values it asked with. */
export function explaining(url: string) {
  const pool = openPool(url, { max: 1 });
  let asked: { text: string; params: unknown[] }[] = [];
  const logger: Logger = { logQuery: (text, params) => void asked.push({ text, params }) };
  const db = drizzle({ client: pool, schema, casing: "snake_case", logger }) as unknown as Db;
  const explain = async (list: () => PromiseLike<unknown>, how: string) => {
    asked = [];
    await list();
    return await Promise.all(asked.map(async ({ text, params }) => {
      const { rows: [row] } = await pool.query(`explain (format json${how}) ${text}`, params);
      return { text, ...row["QUERY PLAN"][0] as { Plan: Plan; "Execution Time"?: number } };
    }));
  };
  return {
    db,
    async plansOf(list: () => PromiseLike<unknown>) {
      return (await explain(list, "")).map(({ text, Plan: plan }) => ({ text, plan }));
    },
    /** The plans as they were carried out, of prepared statements. */
    async carriedOut(list: () => PromiseLike<unknown>, planning: Planning) {
      asked = [];
      await list();
      const plans: { text: string; plan: Plan }[] = [];
      for (const { text, params } of asked) {
        const values = params.map((it) => it === null ? "null" : pg.escapeLiteral(String(it)));
        await pool.query(`set plan_cache_mode to ${planning}; prepare explained as ${text}`);
        const { rows: [row] } = await pool.query(
          `explain (format json, analyze, timing off) execute explained${
            values.length ? `(${values})` : ""
          }`,
        );
        await pool.query("deallocate explained; reset plan_cache_mode");
        plans.push({ text, plan: row["QUERY PLAN"][0].Plan });
      }
      return plans;
    },
    /** What the server took for all statements of the list together, in milliseconds: the least of some rounds. */
    async msOf(list: () => PromiseLike<unknown>, rounds = 5): Promise<number> {
      let least = Infinity;
      for (let round = 0; round < rounds; round++) {
        const done = await explain(list, ", analyze, timing off");
        least = Math.min(least, done.reduce((sum, it) => sum + (it["Execution Time"] ?? 0), 0));
      }
      return least;
    },
    [Symbol.asyncDispose]: () => pool.end(),
  };
}
