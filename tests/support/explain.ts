import type { Logger } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import * as schema from "#drizzle/schema/mod.ts";
import { openPool } from "#src/adapters/postgres/pool.ts";
import type { Db } from "#src/ports/db.ts";

export interface Plan {
  readonly [key: string]: unknown;
  readonly Plans?: readonly Plan[];
}

export function getNodes(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(getNodes)];
}

/** Statements that have no plan. */
const CONTROL = /^(begin|set|commit|rollback)/i;

/** Opens the product's database access and records its statements with their values, to explain them afterwards. */
export function explaining(url: string) {
  const pool = openPool(url, { max: 1 });
  let asked: { text: string; params: unknown[] }[] = [];
  const logger: Logger = {
    logQuery(text, params) {
      if (!CONTROL.test(text)) asked.push({ text, params });
    },
  };
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
    /** Measures the server's time for all statements of the list, in milliseconds; resolves to the shortest round. */
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
