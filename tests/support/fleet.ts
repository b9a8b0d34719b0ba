import { rm } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { invoices, lifecycleEvents, submissions, templates } from "#drizzle/schema/mod.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { tableStorage } from "#src/adapters/postgres/table_storage.ts";
import type { Storage } from "#src/ports/storage.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { type Database, getRows } from "#src/ports/db.ts";
import { startSandboxPa } from "#src/sandbox/mod.ts";
import type { Personality } from "#src/sandbox/model.ts";
import { postgresUrl, redisUrl, testDatabaseUrl } from "./db.ts";
import { type ProductProcess, startProcess } from "./processes.ts";
import { until } from "./until.ts";
import { controlSandbox, type SandboxControl } from "./sandbox.ts";
import { newDataFolder } from "#tests/support/folder.ts";

export interface FleetOptions {
  readonly web?: number;
  readonly workers?: number;
  /** Queues of each worker process; all by default. */
  readonly queues?: readonly string[];
  readonly environment?: Record<string, string>;
  readonly personality?: Partial<Personality>;
  /** Server of the test itself, instead of the shared one. */
  readonly postgres?: string;
  readonly redis?: string;
}

/** Product as it runs for many users: HTTP and worker processes on PostgreSQL and Redis, and a PA. */
export interface Fleet extends AsyncDisposable {
  readonly web: ProductProcess[];
  readonly workers: ProductProcess[];
  readonly database: Database;
  readonly databaseUrl: string;
  readonly sandbox: SandboxControl;
  /** Users' files, which every process can read. The processes do not share their own folders. */
  readonly files: Storage;
  startWeb(environment?: Record<string, string>, root?: string): Promise<ProductProcess>;
  /** Starts an HTTP process with the permissions of a platform that calls a function. */
  startEdge(environment?: Record<string, string>): Promise<ProductProcess>;
  /** Starts a worker; `root` is the folder of a release's code. */
  startWorker(environment?: Record<string, string>, root?: string): Promise<ProductProcess>;
  /** Starts one process that serves and works. */
  startWhole(environment?: Record<string, string>): Promise<ProductProcess>;
  /** Counts submissions by state. */
  states(): Promise<Partial<Record<string, number>>>;
  /** Resolves when no submission is open and no task is left. */
  quiet(): Promise<void>;
}

const QUICK = {
  LEASE_MS: "1000",
  TASK_DEATHS: "1000", // tests kill processes again and again
  RETRY_BASE_MS: "20",
  QUEUE_POLL_MS: "100",
  POLL_SECONDS: "0",
  PA_SETTLE_MS: "0",
  PA_RETRIES_PER_SECOND: "1000",
  BREAKER_OPEN_MS: "500",
  SERVICE_LOG_LEVEL: "INFO",
  SECRET_KEY: "a key for tests, long enough to be one",
};

export async function startFleet(options: FleetOptions = {}): Promise<Fleet> {
  const parts = new AsyncDisposableStack();
  try {
    return await build(parts, options);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

async function build(parts: AsyncDisposableStack, options: FleetOptions): Promise<Fleet> {
  const folders = await newDataFolder();
  parts.defer(() => rm(folders, { recursive: true, force: true }));
  const credentials = { clientId: "fleet", clientSecret: "fleet-secret" };
  const pa = await startSandboxPa({
    ...credentials,
    port: 0,
    clock: systemClock,
    personality: { ackDelayMs: 20, stepDelayMs: 20, ...options.personality },
  });
  parts.defer(() => pa.close());
  const { url } = parts.use(
    await testDatabaseUrl(require(options.postgres ?? postgresUrl, "PostgreSQL")),
  );
  const database = parts.use(openPostgres(url, { max: 5 }));
  const properties = {
    URL: pa.flowUrl,
    tokenUrl: pa.tokenUrl,
    name: "sandbox",
    timeoutSeconds: "10",
    ...credentials,
  };
  await database.db.insert(templates).values({ name: "e-invoicing", type: "system", properties });
  const environment = {
    ...QUICK,
    PRIVATE_HOSTS: "127.0.0.1",
    DATABASE_URL: url,
    REDIS_URL: require(options.redis ?? redisUrl, "Redis"),
    QUEUE_PREFIX: `t${crypto.randomUUID()}`,
    ...options.environment,
  };
  const environmentOf = (more: Record<string, string>) => ({
    ...environment,
    DATA_DIR: join(folders, crypto.randomUUID()),
    ...more,
  });
  const workers: ProductProcess[] = [];
  const startWorker = async (more: Record<string, string> = {}, root?: string) => {
    const worker = parts.use(
      await startProcess("worker", environmentOf(more), options.queues, root),
    );
    workers.push(worker);
    return worker;
  };
  const web: ProductProcess[] = [];
  const startWeb = async (more: Record<string, string> = {}, root?: string) => {
    const server = parts.use(await startProcess("web", environmentOf(more), [], root));
    web.push(server);
    return server;
  };
  const startEdge = async (more: Record<string, string> = {}) => {
    const server = parts.use(await startProcess("edge", environmentOf(more)));
    web.push(server);
    return server;
  };
  const startWhole = async (more: Record<string, string> = {}) =>
    parts.use(await startProcess("start", environmentOf({ SANDBOX_PA: "off", ...more })));
  await Promise.all([
    ...Array.from({ length: options.web ?? 0 }, () => startWeb()),
    ...Array.from({ length: options.workers ?? 1 }, () => startWorker()),
  ]);
  const states = () => readStates(database);
  return {
    web,
    workers,
    database,
    databaseUrl: url,
    files: tableStorage(database.db, { maxBytes: Infinity }),
    startWeb,
    startEdge,
    startWorker,
    startWhole,
    states,
    sandbox: controlSandbox(pa.url),
    quiet: () => until(() => isQuiet(database), "all sendings to be settled"),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

async function readStates({ db }: Database): Promise<Partial<Record<string, number>>> {
  const rows = await db.select({ state: submissions.state, n: sql<number>`count(*)::int` }).from(
    submissions,
  )
    .groupBy(submissions.state);
  return Object.fromEntries(rows.map((it) => [it.state, it.n]));
}

async function isQuiet({ db }: Database): Promise<boolean> {
  const result = await db.execute(sql`select
    (select count(*) from submissions where state in ('intent', 'sending', 'ambiguous', 'probing')) +
    (select count(*) from tasks where state not in ('dead', 'poisoned')) as open`);
  return Number(getRows<{ open: string }>(result)[0]?.open) === 0;
}

/** Returns the breaker openings that workers have logged. */
export function openings({ workers }: Fleet): number {
  return workers.map((it) => it.output()).join("").match(/pa\.breaker\.open/g)?.length ?? 0;
}

/** Returns the history of one invoice, by its number. */
export async function getHistory({ db }: Database, number: string) {
  return await db.select({
    seq: lifecycleEvents.seq,
    code: lifecycleEvents.statusCode,
    paEventId: lifecycleEvents.paEventId,
  })
    .from(lifecycleEvents).innerJoin(invoices, eq(invoices.id, lifecycleEvents.invoiceId))
    .where(eq(invoices.ublNumber, number)).orderBy(lifecycleEvents.seq);
}

function require(url: string | undefined, what: string): string {
  if (url === undefined) throw new Error(`${what} is needed; see tests/support/db.ts`);
  return url;
}
