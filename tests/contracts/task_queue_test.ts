import { pgliteBroker, postgresBroker, redisBroker } from "#src/adapters/bullmq/brokers.ts";
import {
  deps,
  embeddedTestDatabase,
  postgresUrl,
  redisUrl,
  testDatabase,
  testDatabaseUrl,
} from "#tests/support/db.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { TASK_QUEUE_CONTRACT } from "./task_queue.ts";
import { TASK_QUEUE_LUMPS } from "./task_queue_lumps.ts";

for (const [promise, check] of Object.entries({ ...TASK_QUEUE_CONTRACT, ...TASK_QUEUE_LUMPS })) {
  Deno.test(`embedded queue (PGlite): ${promise}`, async () => {
    await using database = await embeddedTestDatabase();
    const broker = await pgliteBroker(database.client);
    await check({ database, broker });
    await broker.close();
  });

  Deno.test({
    name: `fleet queue (Redis): ${promise}`,
    ...deps("Redis", redisUrl && postgresUrl),
    fn: async () => {
      await using database = await testDatabase(postgresUrl);
      const broker = await redisBroker(redisUrl ?? "", `test-${crypto.randomUUID()}`);
      await check({ database, broker });
      await broker.close();
    },
  });

  Deno.test({
    name: `single-server queue (PostgreSQL): ${promise}`,
    ...deps("PostgreSQL", postgresUrl),
    fn: async () => {
      await using home = await testDatabaseUrl(postgresUrl ?? "");
      await using database = openPostgres(home.url);
      const broker = await postgresBroker(home.url);
      await check({ database, broker });
      await broker.close();
    },
  });
}
