import type { Logger } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import * as schema from "#drizzle/schema/mod.ts";
import type { Db } from "#src/ports/db.ts";

export interface Plan {
  readonly [key: string]: unknown;
  readonly Plans?: readonly Plan[];
}

export function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

/** The product's own database access; what it asks is explained afterwards, with the values it asked with. */
export function explaining(url: string) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("error", () => {}); // whoever asks next hears of it
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
