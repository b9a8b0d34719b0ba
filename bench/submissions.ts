import { postgresUrl, redisUrl } from "#tests/support/db.ts";
import { type Fleet, startFleet } from "#tests/support/fleet.ts";
import { until } from "#tests/support/until.ts";
import { seedInvoices } from "#tests/support/seed.ts";
import type { Row } from "./table.ts";

const WARM = 200;
const COUNT = 2_000;

/** Measures recorded invoices to 9906, against the sandbox PA in the benchmark's own process, with two workers. */
export async function submissions(): Promise<Row[]> {
  const what = `sendings to the PA, 2 workers, ${COUNT} invoices`;
  if (!postgresUrl || !redisUrl) {
    return [{ what, figure: "skipped", note: "TEST_DATABASE_URL and TEST_REDIS_URL" }];
  }
  await using fleet = await startFleet({
    workers: 0,
    queues: ["submission"],
    environment: { SUBMISSION_CONCURRENCY: "16", LEASE_MS: "30000", SERVICE_LOG_LEVEL: "INFO" },
  });
  await seedInvoices(fleet.database, { count: WARM + COUNT });
  await Promise.all([fleet.startWorker(), fleet.startWorker()]);
  await until(async () => await send(fleet) >= WARM, "the workers to be warm", 120_000);
  const [before, began] = [await send(fleet), performance.now()];
  await until(async () => await send(fleet) === WARM + COUNT, "all to be sent", 120_000);
  const seconds = (performance.now() - began) / 1000;
  return [{
    what,
    figure: `${((WARM + COUNT - before) / seconds).toFixed(0)}/s`,
    note: "recorded to 9906",
  }];
}

async function send(fleet: Fleet): Promise<number> {
  return (await fleet.states()).accepted ?? 0;
}
