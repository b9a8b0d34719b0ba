import { addressPools } from "#tests/support/address_pools.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { longTest } from "#tests/support/long.ts";
import { networkTo } from "#tests/support/network.ts";
import { until } from "#tests/support/until.ts";

longTest({
  name: "a pool whose connections all fell silent reports it in time, and continues with new ones",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    await using erp = await erpDatabase(postgresUrl ?? "", "");
    await using network = await networkTo(erp.url);
    await using pools = addressPools({ erp: network.through(erp.url) });
    const ask = (write: boolean) =>
      pools.run({
        pool: "erp",
        text: "select 1 as one",
        values: {},
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
      // Tries again if all connections were still in use when they fell silent: new ones are then opened, which answer.
      await until(async () => {
        if (!await answersAll(write)) return false;
        network.fallSilent();
        return (await askAll(write)).includes("upstream");
      }, "it to be told, and in time");
      await until(() => answersAll(write), "all connections to be new");
    }
  },
});
