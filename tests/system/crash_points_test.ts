import { assert, assertEquals } from "@std/assert";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runs, tasks, templates } from "#drizzle/schema/mod.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import type { Database } from "#src/ports/db.ts";
import { startSandboxPa } from "#src/sandbox/mod.ts";
import { crashLabels } from "#tests/support/crash_labels.ts";
import { needs, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { erpBurst, numbersOf } from "#tests/support/erp.ts";
import { assertGuarantees } from "#tests/support/guarantees.ts";
import { type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/product.ts";
import { controlSandbox, type SandboxControl, takenNumbers } from "#tests/support/sandbox.ts";

const COUNT = 3;
const AT_ONCE = 2;
const CACHE = join(".passerelle", "stylesheets");
const CREDENTIALS = { clientId: "crash", clientSecret: "crash-secret" };
/** Steps of other walks, which have tests of their own. */
const ELSEWHERE = /^notification\./;
/** The first tasks of a process belong to its schedules and to splitting; the later ones send. */
const PASSES: Readonly<Record<string, number>> = {
  "queue.afterClaim": 3,
  "queue.beforeFinish": 3,
  "queue.afterFinish": 3,
};

Deno.test({
  name:
    "killed at any step and started again, the product records each invoice once and the PA holds each once",
  ...needs("PostgreSQL", postgresUrl),
  async fn() {
    const labels = crashLabels().filter((it) => !ELSEWHERE.test(it));
    assert(labels.length >= 20, `the crash points were found: ${labels.join(" ")}`);
    const left = [...labels];
    const failed: string[] = [];
    const folders = await mkdtemp(join(tmpdir(), "passerelle-crash-"));
    const cache = await warmUp(join(folders, "warm"));
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
      for (let label = left.shift(); label !== undefined; label = left.shift()) {
        const dataDir = join(folders, label);
        await cp(cache, join(dataDir, CACHE), { recursive: true });
        await dieAndRecover(label, dataDir).catch((error) =>
          failed.push(`${label}: ${(error as Error).message}`)
        );
      }
    }));
    await rm(folders, { recursive: true, force: true });
    assertEquals(failed, []);
  },
});

async function dieAndRecover(label: string, dataDir: string): Promise<void> {
  await using world = await newWorld(dataDir);
  const { environment, database, sandbox } = world;
  await sandbox.fault({ kind: "drop-after", times: 1 }); // so that one sending is looked up
  await runUntilDeath(label, world);
  await using second = await startProcess("start", environment);
  if (!await hasRun(database)) await run(second.url); // no answer and no record: the client asks again
  await until(() => isDeposited(second), `${COUNT} deposited invoices`, 40_000).catch((error) => {
    throw new Error(`${error.message}\n${second.output().slice(-1500)}`);
  });
  await until(() => isAtRest(database), "the last task to end");
  const truth = await sandbox.truth();
  assertEquals(truth.copies.length, COUNT, "the PA was given each invoice once");
  assertEquals(takenNumbers(truth), numbersOf(COUNT));
  await assertGuarantees(database, truth, [...truth.accepted.keys()]);
}

interface World extends AsyncDisposable {
  readonly environment: Record<string, string>;
  readonly database: Database;
  readonly sandbox: SandboxControl;
}

/** A database, a PA and a data folder for the lives of one product. */
async function newWorld(dataDir: string): Promise<World> {
  const parts = new AsyncDisposableStack();
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, "burst.xml"), await erpBurst(COUNT));
  const personality = { ackDelayMs: 20, stepDelayMs: 20 };
  const pa = await startSandboxPa({ ...CREDENTIALS, port: 0, clock: systemClock, personality });
  parts.defer(() => pa.close());
  const { url } = parts.use(await testDatabaseUrl(postgresUrl ?? ""));
  const database = parts.use(openPostgres(url, { max: 2 }));
  const properties = { URL: pa.flowUrl, tokenUrl: pa.tokenUrl, name: "sandbox", ...CREDENTIALS };
  await database.db.insert(templates).values({ name: "e-invoicing", type: "system", properties });
  return {
    environment: environmentOf(url, dataDir),
    database,
    sandbox: controlSandbox(pa.url),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Compiles the stylesheets once, for all the lives that follow. */
async function warmUp(dataDir: string): Promise<string> {
  await using world = await newWorld(dataDir);
  await using product = await startProcess("start", world.environment);
  await run(product.url);
  await until(() => isDeposited(product), "the first life to end well");
  return join(dataDir, CACHE);
}

function environmentOf(databaseUrl: string, dataDir: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: "",
    DATA_DIR: dataDir,
    SANDBOX_PA: "off",
    PA_PRIVATE_HOSTS: "127.0.0.1",
    POLL_SECONDS: "0",
    LEASE_MS: "1000",
    TASK_DEATHS: "1000",
    RETRY_BASE_MS: "20",
    QUEUE_POLL_MS: "100",
    PA_SETTLE_MS: "0",
    XSLT_PROCESSES: "1",
    SERVICE_LOG_LEVEL: "WARN",
    SECRET_KEY: "a key for tests, long enough to be one",
  };
}

async function runUntilDeath(label: string, { environment, database }: World): Promise<void> {
  const crash = { CRASH_AT: `${label}:${PASSES[label] ?? 1}` };
  await using first = await startProcess("start", { ...environment, ...crash });
  const isDead = () => first.child.signalCode !== null;
  await run(first.url).catch(() => {}); // the connection may die with the process
  await until(async () => isDead() || await isAtRest(database), "the run to end", 40_000);
  await until(
    async () => {
      if (!isDead()) await goOn(first.url).catch(() => {});
      return isDead();
    },
    `the process to die at ${label}`,
    20_000,
  );
  assertEquals(first.child.signalCode, "SIGKILL");
}

async function isAtRest({ db }: Database): Promise<boolean> {
  return !(await db.select({ id: tasks.id }).from(tasks)).length;
}

async function hasRun({ db }: Database): Promise<boolean> {
  return (await db.select({ id: runs.id }).from(runs)).length > 0;
}

async function run(url: string): Promise<void> {
  await post(`${url}/api/run`, { template: "R42565", file: "burst.xml", mode: "BURST" });
}

/** Polls, and tells the PA a status as soon as that is allowed. */
async function goOn(url: string): Promise<void> {
  await poll(url);
  const { invoices: [first] } = await (await fetch(`${url}/api/invoices?status=10&pageSize=1`))
    .json();
  if (!first) return;
  const amounts = [{ amount: "1.00", rate: "20" }];
  await post(`${url}/api/invoices/${first.fedoc}-${first.fedct}-${first.kco}/status`, {
    target: "pa",
    name: "PAYMENT_RECEIVED",
    data: { amounts },
  });
}

async function poll(url: string): Promise<void> {
  await post(`${url}/api/import`, {});
}

async function post(url: string, body: unknown): Promise<void> {
  const headers = { "content-type": "application/json", prefer: "respond-async" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  await answer.body?.cancel();
}

async function isDeposited({ url }: ProductProcess): Promise<boolean> {
  await poll(url);
  return await invoices(url, "?status=10") + await invoices(url, "?status=212") === COUNT;
}

async function invoices(url: string, query = ""): Promise<number> {
  return (await (await fetch(`${url}/api/invoices${query}`)).json()).total;
}
