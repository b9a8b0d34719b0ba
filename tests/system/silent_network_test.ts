import { assert, assertEquals } from "@std/assert";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { assertGuarantees } from "#tests/support/guarantees.ts";
import { networkTo } from "#tests/support/network.ts";
import { seedInvoices } from "#tests/support/seed.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name:
    "where all connections to PostgreSQL and Redis fall silent, processes that live on serve and send again",
  ignore: deps("PostgreSQL", postgresUrl).ignore || deps("Redis", redisUrl).ignore,
  async fn() {
    await using fleet = await startFleet({ workers: 0 });
    await using toPostgres = await networkTo(fleet.databaseUrl);
    await using toRedis = await networkTo(redisUrl ?? "");
    const environment = {
      DATABASE_URL: toPostgres.through(fleet.databaseUrl),
      REDIS_URL: toRedis.through(redisUrl ?? ""),
    };
    const web = await fleet.startWeb(environment);
    await fleet.startWorker(environment);
    const list = async () => {
      const answer = await fetch(`${web.url}/api/invoices`);
      await answer.body?.cancel();
      return answer.status;
    };
    const numbers = await seedInvoices(fleet.database, { count: 5 });
    await fleet.quiet();
    assertEquals(await list(), 200);

    toPostgres.fallSilent();
    toRedis.fallSilent();
    numbers.push(...await seedInvoices(fleet.database, { count: 5, first: 6 }));
    const statuses: number[] = [];
    await until(async () => {
      statuses.push(await list());
      return statuses.at(-1) === 200;
    }, "the list to be served again");
    assert(statuses.slice(0, -1).every((it) => it === 503), String(statuses));
    await fleet.quiet();
    assertEquals(await fleet.states(), { accepted: 10 });
    await assertGuarantees(fleet.database, await fleet.sandbox.truth(), numbers);
  },
});
