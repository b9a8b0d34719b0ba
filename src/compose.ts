import { availableParallelism, homedir } from "node:os";
import process from "node:process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { seed } from "#drizzle/seed/seed.ts";
import { bullmqTaskQueue } from "./adapters/bullmq/task_queue.ts";
import {
  type Broker,
  pgliteBroker,
  postgresBroker,
  redisBroker,
} from "./adapters/bullmq/brokers.ts";
import { releaseAllLeases } from "./adapters/bullmq/task_rows.ts";
import { systemClock } from "./adapters/clock/system.ts";
import { cronerCron } from "./adapters/cron/croner.ts";
import { aesVault, keyInFolder } from "./adapters/crypto/vault.ts";
import { PRIVATE_FOLDER } from "./adapters/fs/confine.ts";
import { folderStorage } from "./adapters/fs/storage.ts";
import { bundledStylesheets } from "./adapters/fs/stylesheets.ts";
import { jsonLinesLog } from "./adapters/log/json_lines.ts";
import { directoryClient, paClient } from "./adapters/pa/mod.ts";
import { createInvoicePdf } from "./adapters/pdf/mod.ts";
import { openPglite } from "./adapters/pglite/database.ts";
import { databaseClock, type SharedClock } from "./adapters/postgres/clock.ts";
import { openPostgres } from "./adapters/postgres/database.ts";
import { tableLiveBus } from "./adapters/postgres/live_bus.ts";
import { migrateUp, readMigrations } from "./adapters/postgres/migrate.ts";
import { registryClient } from "./adapters/registry/mod.ts";
import { openRuleBook } from "./adapters/rules/book.ts";
import { createSaxonXslt } from "./adapters/saxon/mod.ts";
import { smtpMailer } from "./adapters/smtp/mod.ts";
import { createLibxml2Xsd } from "./adapters/xsd/mod.ts";
import { zipArchive } from "./adapters/zip/archive.ts";
import { composeAccounts } from "./compose_accounts.ts";
import { accessSettings, composeAccess } from "./compose_access.ts";
import { composeReach } from "./compose_reach.ts";
import type { Config } from "./config.ts";
import type { Deps } from "./deps.ts";
import { notifying } from "./features/notifications/mod.ts";
import { crashAt } from "./kernel/crash_points.ts";
import { AppError } from "./kernel/errors.ts";
import type { Database } from "./ports/db.ts";
import type { Log } from "./ports/log.ts";
import type { PaSettings } from "./ports/pa.ts";
import { VERSION } from "./version.ts";

const MIGRATIONS = fileURLToPath(new URL("../drizzle/migrations/", import.meta.url));
const STYLESHEETS = fileURLToPath(new URL("../xsl/transform/", import.meta.url)).replace(/\/$/, "");
const RULE_PROCESS = new URL("./rules_process.ts", import.meta.url);

export interface Composed extends AsyncDisposable {
  readonly deps: Deps;
  /** Follows what other processes announce, until the signal aborts. */
  follow(signal: AbortSignal): Promise<void>;
}

export interface ComposeOptions {
  /** The PA `sandbox:` means in this process. */
  readonly sandbox?: PaSettings | undefined;
  /** And the Directory Service. */
  readonly sandboxDirectory?: PaSettings | undefined;
  readonly write: (line: string) => void;
  /** False where a release step migrates the database. */
  readonly migrate?: boolean;
}

/** The only place that chooses adapters. */
export async function compose(config: Config, options: ComposeOptions): Promise<Composed> {
  const log = jsonLinesLog({ level: config.logLevel, write: options.write, now: systemClock.now });
  const storage = await folderStorage(config.dataDir);
  const privateDir = join(storage.root, PRIVATE_FOLDER);
  const { database, broker } = await openData(config, privateDir, options.migrate ?? true);
  const clock = await clockOf(database, log);
  await seed(database.db, { sandbox: config.sandbox.enabled });
  const live = tableLiveBus({ database, log, pollMs: config.queue.pollMs });
  const rules = await openRuleBook({
    db: database.db,
    live,
    log,
    pollMs: 30_000,
    process: RULE_PROCESS,
  });
  const xsd = createLibxml2Xsd({ eager: true });
  const xslt = createSaxonXslt({
    roots: [STYLESHEETS, storage.root],
    size: config.xslt.processes,
    cacheDir: join(privateDir, "stylesheets"),
    environment: { HOME: homedir(), ...config.childEnvironment },
  });
  const crash = crashAt(config.crashAt, (how) => process.kill(process.pid, how));
  const mailer = smtpMailer({ log });
  const tasks = bullmqTaskQueue({ database, broker, crash, log, options: config.queue });
  const vault = aesVault(await secretKey(config, privateDir, log));
  const deps: Deps = {
    ...composeAccess(config.access, { clock, db: database.db, vault }),
    ...composeReach(config.reach, { clock, db: database.db, log, privateDir, vault }),
    accounts: composeAccounts(config.auth, database.db),
    archive: zipArchive,
    clock,
    crash,
    cron: cronerCron,
    database,
    db: database.db,
    directory: remembered(directoryClient),
    live: notifying(live, tasks),
    log,
    mailer,
    pa: remembered(paClient),
    pdf: createInvoicePdf(),
    registry: registryClient({ baseUrl: config.registryUrl }),
    rules,
    settings: settingsOf(config, options),
    storage,
    stylesheets: bundledStylesheets(STYLESHEETS),
    tasks,
    vault,
    xsd,
    xslt,
  };
  return {
    deps,
    follow: async (signal) =>
      void await Promise.all([live.run(signal), rules.run(signal), clock.run(signal)]),
    async [Symbol.asyncDispose]() {
      await mailer.close();
      await deps.pools.close();
      await xslt.close();
      await rules[Symbol.asyncDispose]();
      await broker.close();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** The database, its schema brought up to date, and the broker that goes with it. */
async function openData(
  config: Config,
  privateDir: string,
  migrate: boolean,
): Promise<{ database: Database; broker: Broker }> {
  const migrations = await readMigrations(MIGRATIONS);
  if (config.databaseUrl === undefined) {
    const database = await openPglite({ folder: join(privateDir, "db") });
    await migrateUp(database.db, migrations);
    await releaseAllLeases(database.db);
    return { database, broker: await pgliteBroker(database.client) };
  }
  const database = openPostgres(config.databaseUrl, {
    max: 10 + config.concurrency.processing + config.concurrency.submission,
  });
  if (migrate) await migrateUp(database.db, migrations);
  const broker = config.redisUrl
    ? redisBroker(config.redisUrl, config.queue.prefix)
    : await postgresBroker(config.databaseUrl);
  return { database, broker };
}

/** A fleet reads its database's clock; what lives in one process has one clock anyway. */
async function clockOf({ db, embedded }: Database, log: Log): Promise<SharedClock> {
  if (embedded) return { ...systemClock, run: () => Promise.resolve() };
  return await databaseClock({ db, local: systemClock, log });
}

function settingsOf(config: Config, options: ComposeOptions): Deps["settings"] {
  return {
    version: VERSION,
    runWaitMs: config.runWaitMs,
    maxUploadBytes: config.maxUploadBytes,
    uploads: config.reach.uploads,
    xsltTimeoutMs: config.xslt.timeoutMs,
    sandbox: options.sandbox,
    sandboxDirectory: options.sandboxDirectory,
    pollSeconds: config.pollSeconds,
    keepDays: config.keepDays,
    retryBaseMs: config.queue.retryBaseMs,
    leaseMs: config.queue.leaseMs,
    submission: config.submission,
    access: accessSettings(config.access),
  };
}

/** A fleet shares its key through the environment; a single machine keeps one in its data folder. */
async function secretKey(config: Config, privateDir: string, log: Log): Promise<string> {
  if (config.secretKey) return config.secretKey;
  if (config.redisUrl) {
    throw new AppError(
      "unavailable",
      "SECRET_KEY is needed where several processes share a database",
    );
  }
  log.debug("vault.key.in_data_folder");
  return await keyInFolder(privateDir);
}

/** One client per platform, so that its access token is fetched once and not per call. */
function remembered<Client>(
  make: (settings: PaSettings) => Client,
): (settings: PaSettings) => Client {
  const clients = new Map<string, Client>();
  return (settings) => {
    const key = JSON.stringify(settings);
    const client = clients.get(key) ?? make(settings);
    if (clients.size > 20) clients.clear();
    clients.set(key, client);
    return client;
  };
}

/** How many tasks of each queue a process works on at once. */
export function concurrencyOf(config: Config) {
  const { notification, processing, submission } = config.concurrency;
  return {
    processing,
    submission,
    polling: 1,
    sftp: 2,
    notification,
    jobs: availableParallelism(),
  };
}
