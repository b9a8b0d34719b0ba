import { addressPools } from "#src/adapters/pools/address_pools.ts";
import { needs, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { networkTo } from "#tests/support/network.ts";
import { until } from "#tests/support/until.ts";

Deno.test({
  name: "a pool whose connections all fell silent tells it in time, and goes on over others",
  ...needs("PostgreSQL", postgresUrl),
  async fn() {
    await using erp = await erpDatabase(postgresUrl ?? "", "");
    await using network = await networkTo(erp.url);
    const pools = addressPools(new Map([["erp", network.through(erp.url)]]));
    const ask = (write: boolean) =>
      pools.run({
        pool: "erp",
        owner: "c",
        text: "select 1 as one",
        values: [],
        write,
        maxRows: 10,
        maxBytes: 1_000_000,
        timeoutMs: 500,
      });
    const askAll = async (write: boolean) => {
      const answers = await Promise.allSettled([1, 2, 3, 4].map(() => ask(write)));
      return answers.map((it) => it.status === "fulfilled" ? "" : it.reason.code);
    };
    const answersAll = async (write: boolean) => (await askAll(write)).join("") === "";
    for (const write of [false, true]) {
      // Once more where all were still in hand, to be given back, when they fell silent: then others are opened, which answer.
      await until(async () => {
        if (!await answersAll(write)) return false;
        network.fallSilent();
        return (await askAll(write)).includes("upstream");
      }, "it to be told, and in time");
      await until(() => answersAll(write), "all connections to be new");
    }
    await pools.close();
  },
});
