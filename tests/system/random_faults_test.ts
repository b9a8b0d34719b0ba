import { assert } from "@std/assert";
import process from "node:process";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { runChaos } from "#tests/support/nemesis.ts";
import { longTest } from "#tests/support/long.ts";

const seed = Number(process.env["CHAOS_SEED"] ?? Date.now() % 1_000_000);

longTest({
  name: "faults of every kind at random keep no guarantee from holding",
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
  async fn() {
    const lines: string[] = [];
    try {
      const { invoices, faults } = await runChaos({
        seed,
        seconds: 20,
        tell: (line) => lines.push(line),
      });
      assert(invoices > 20 && faults > 3, `${invoices} invoices, ${faults} faults`);
    } catch (error) {
      throw new Error(`CHAOS_SEED=${seed}\n${lines.join("\n")}`, { cause: error });
    }
  },
});
