import { assert, assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sendBurst } from "#tests/support/burst.ts";
import { deps, postgresUrl, redisUrl } from "#tests/support/db.ts";
import { startFleet } from "#tests/support/fleet.ts";
import { inFolder } from "#tests/support/folder.ts";
import { launchProcess } from "#tests/support/processes.ts";
import { takenNumbers } from "#tests/support/sandbox.ts";
import { startTlsDoor, startTlsPostgres } from "#tests/support/tls_doors.ts";
import { until } from "#tests/support/until.ts";
import { longTest } from "#tests/support/long.ts";

longTest({
  name:
    "HTTP without a disk and a worker reach PostgreSQL and Redis over TLS, and neither where the certificate proves nothing",
  ...deps("PostgreSQL", postgresUrl).ignore
    ? deps("PostgreSQL", postgresUrl)
    : deps("Redis", redisUrl),
  fn: () =>
    inFolder(async (folder) => {
      await using fleet = await startFleet({ workers: 0 });
      await using database = await startTlsPostgres(fleet.databaseUrl);
      await using redis = await startTlsDoor(redisUrl ?? "", 6379);
      const authorities = join(folder, "authorities.pem");
      await writeFile(authorities, database.cert + redis.cert);
      const url = new URL(fleet.databaseUrl);
      url.port = String(database.port);
      url.searchParams.set("sslmode", "verify-full");
      const addresses = {
        DATABASE_URL: url.href,
        REDIS_URL: `rediss://127.0.0.1:${redis.port}`,
      };
      const trusting = { ...addresses, DENO_CERT: authorities };
      const edge = await fleet.startEdge(trusting);
      await fleet.startWorker(trusting);
      const sent = await sendBurst(edge, { count: 4, first: 850_000 });
      await fleet.quiet();
      assertEquals(takenNumbers(await fleet.sandbox.truth()), sent);
      assertEquals(database.plain(), 0);

      await using doubting = await launchProcess("web", { ...addresses, DATA_DIR: folder });
      await until(() => doubting.hasEnded(), "a process that trusts nobody to end");
      assert(/certificate/i.test(doubting.output()), doubting.output().slice(-1000));
    }),
});
