import { addressPools } from "#tests/support/address_pools.ts";
import { deps, postgresUrl } from "#tests/support/db.ts";
import { erpDatabase } from "#tests/support/erp_database.ts";
import { until } from "#tests/support/until.ts";
import { POOLS_CONTRACT } from "./pools.ts";

const SETUP = `create table orders (id int primary key, name text);
  insert into orders select n, 'order ' || n from generate_series(1, 20) n;
  grant select, insert, update, delete on orders to {role};`;

for (const [promise, check] of Object.entries(POOLS_CONTRACT)) {
  Deno.test({
    name: `pools of PostgreSQL: ${promise}`,
    ...deps("PostgreSQL", postgresUrl),
    async fn() {
      await using erp = await erpDatabase(postgresUrl ?? "", SETUP);
      const gone = "postgres://x@127.0.0.1:1/x";
      await using pools = addressPools({ erp: erp.url, gone });
      const asleep = () =>
        erp.owner`select 1 from pg_stat_activity where usename = ${erp.role} and state = 'active'`;
      await check({
        pools,
        sleep: (seconds) => `select pg_sleep(${seconds})`,
        sleeping: () => until(async () => (await asleep()).length > 0),
      });
    },
  });
}
