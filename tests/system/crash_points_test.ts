import { assert, assertEquals } from "@std/assert";
import { rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { runs, tasks, templates } from "#drizzle/schema/mod.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import type { Database } from "#src/ports/db.ts";
import { startSandboxPa } from "#src/sandbox/mod.ts";
import { crashLabels } from "#tests/support/crash_labels.ts";
import { deps, postgresUrl, testDatabaseUrl } from "#tests/support/db.ts";
import { erpBurst, getNumbers } from "#tests/support/erp.ts";
import { assertGuarantees } from "#tests/support/guarantees.ts";
import { launchProcess, type ProductProcess, startProcess } from "#tests/support/processes.ts";
import { until } from "#tests/support/until.ts";
import { controlSandbox, type SandboxControl, takenNumbers } from "#tests/support/sandbox.ts";
import { newDataFolder } from "#tests/support/folder.ts";
import { longTest } from "#tests/support/long.ts";

/** Number of invoices per life. */
const COUNT = 3;
const FIRST_NUMBER = 500_000;
const CHAINS = 2;
const CREDENTIALS = { clientId: "crash", clientSecret: "crash-secret" };
/** Crash points of other flows, which have their own tests. */
const ELSEWHERE = /^(notification|setup)\./;
/** The first tasks of a process belong to its schedules and to splitting; the later ones send. */
const PASSES: Readonly<Record<string, number>> = {
  "queue.afterClaim": 3,
  "queue.beforeFinish": 3,
  "queue.afterFinish": 3,
};

/**
 * The product crashes at one point after another. Each life starts with the unfinished work of the earlier ones and
 * gets its own burst. So each crash happens in new work or in recovery. The last life may finish all work.
 */
longTest({
  name:
    "killed at every step, one after another, the product records each invoice once and the PA holds each once",
  ...deps("PostgreSQL", postgresUrl),
  async fn() {
    const labels = crashLabels().filter((it) => !ELSEWHERE.test(it));
    assert(labels.length >= 20, `the crash points were found: ${labels.join(" ")}`);
    const chains = Array.from(
      { length: CHAINS },
      (_, at) => labels.filter((_, label) => label % CHAINS === at),
    );
    await Promise.all(chains.map(async (chain) => {
      const dataDir = await newDataFolder();
      await dieAndRecover(chain, dataDir);
      await rm(dataDir, { recursive: true, force: true });
    }));
  },
});

async function dieAndRecover(labels: readonly string[], dataDir: string): Promise<void> {
  await using world = await newWorld(dataDir);
  const { environment, database, sandbox } = world;
  const bursts: Burst[] = [];
  for (const [at, label] of labels.entries()) {
    const burst = { file: `${label}.xml`, first: FIRST_NUMBER + at * COUNT };
    await writeFile(join(dataDir, burst.file), await erpBurst(COUNT, burst.first));
    bursts.push(burst);
    // Makes one submission be looked up.
    await sandbox.fault({ kind: "drop-after", times: 1, match: { name: `${burst.first}-` } });
    await liveUntil(label, world, bursts);
  }
  await using last = await startProcess("start", { ...environment, POLL_SECONDS: "1" });
  await startMissing(last.url, world, bursts);
  const count = labels.length * COUNT;
  await until(() => isDeposited(last, count), `${count} deposited invoices`, PATIENCE_MS).catch(
    (error) => {
      throw new Error(`${error.message}\n${last.output().slice(-1500)}`);
    },
  );
  await until(() => isAtRest(database), "the last task to end");
  const truth = await sandbox.truth();
  assertEquals(
    takenNumbers(truth),
    getNumbers(count, FIRST_NUMBER),
    "a burst is named by its label",
  );
  assertEquals(truth.copies.length, count, "the PA was given each invoice once");
  await assertGuarantees(database, truth, [...truth.accepted.keys()]);
}

/** Burst of a life: `file` is named after its crash point. */
interface Burst {
  readonly file: string;
  readonly first: number;
}

/** Longest wait on a busy machine, in milliseconds. */
const PATIENCE_MS = 400_000;

/** Runs a life that crashes at this point, possibly already at its start during recovery. */
async function liveUntil(label: string, world: World, bursts: readonly Burst[]): Promise<void> {
  const crash = { CRASH_AT: `${label}:${PASSES[label] ?? 1}` };
  await using life = await launchProcess("start", { ...world.environment, ...crash });
  const isDead = () => life.child.signalCode !== null || life.child.exitCode !== null;
  await until(
    () => isDead() || life.isUp(),
    `the life that dies at ${label} to begin`,
    PATIENCE_MS,
  );
  await until(
    async () => {
      if (!isDead()) await goOn(life.url, world, { bursts, label }).catch(() => {}); // it may crash meanwhile
      return isDead();
    },
    `the process to die at ${label}`,
    PATIENCE_MS,
  ).catch((error) => {
    throw new Error(`${error.message}\n${life.output().slice(-1500)}`);
  });
  assertEquals(life.child.signalCode, "SIGKILL", `${label}: ${life.output().slice(-1500)}`);
}

interface World extends AsyncDisposable {
  readonly environment: Record<string, string>;
  readonly database: Database;
  readonly sandbox: SandboxControl;
}

/** Creates a database, a PA and a data folder for the lives of one product. */
async function newWorld(dataDir: string): Promise<World> {
  const parts = new AsyncDisposableStack();
  const personality = { ackDelayMs: 20, stepDelayMs: 20 };
  const pa = await startSandboxPa({ ...CREDENTIALS, port: 0, clock: systemClock, personality });
  parts.defer(() => pa.close());
  const { url } = parts.use(await testDatabaseUrl(postgresUrl ?? ""));
  const database = parts.use(openPostgres(url, { max: 2 }));
  const properties = { URL: pa.flowUrl, tokenUrl: pa.tokenUrl, name: "sandbox", ...CREDENTIALS };
  await database.db.insert(templates).values({ name: "e-invoicing", type: "system", properties });
  return {
    environment: getEnvironment(url, dataDir),
    database,
    sandbox: controlSandbox(pa.url),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

function getEnvironment(databaseUrl: string, dataDir: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: "",
    DATA_DIR: dataDir,
    SANDBOX_PA: "off",
    PRIVATE_HOSTS: "127.0.0.1",
    POLL_SECONDS: "0",
    LEASE_MS: "1000",
    TASK_DEATHS: "1000",
    BREAKER_FAILURES: "1000", // aborted calls add up over the lives
    RETRY_BASE_MS: "20",
    QUEUE_POLL_MS: "100",
    PA_SETTLE_MS: "0",
    XSLT_PROCESSES: "1",
    SERVICE_LOG_LEVEL: "WARN",
    SECRET_KEY: "a key for tests, long enough to be one",
  };
}

async function isAtRest({ db }: Database): Promise<boolean> {
  return !(await db.select({ id: tasks.id }).from(tasks)).length;
}

/** Starts the bursts without a record: a client repeats calls that got no answer. */
async function startMissing(
  url: string,
  { database: { db } }: World,
  bursts: readonly Burst[],
): Promise<void> {
  const started = (await db.select({ file: runs.file }).from(runs)).map((it) => basename(it.file));
  for (const { file } of bursts.filter((it) => !started.includes(it.file))) {
    await post(`${url}/api/run`, { template: "R42565", file, mode: "BURST" });
  }
}

/**
 * Starts missing bursts, polls, and sends the PA a status as soon as that is allowed. It does not poll before crash
 * points of the submission. A poll might find the flow first, and the crash point would not be reached.
 */
async function goOn(
  url: string,
  world: World,
  { bursts, label }: { bursts: readonly Burst[]; label: string },
): Promise<void> {
  await startMissing(url, world, bursts);
  if (label.startsWith("submit.")) return;
  await poll(url);
  // Nothing is collected of a credit note.
  const list = await fetch(`${url}/api/invoices?status=10&payable=true&pageSize=1`);
  const { invoices: [first] } = await list.json();
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

async function isDeposited({ url }: ProductProcess, count: number): Promise<boolean> {
  return await invoices(url, "?status=10,212") === count;
}

async function invoices(url: string, query: string): Promise<number> {
  return (await (await fetch(`${url}/api/invoices${query}`)).json()).total;
}
