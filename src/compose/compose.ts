import { availableParallelism, homedir } from "node:os";
import process from "node:process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LRUCache } from "lru-cache";
import { seed } from "#drizzle/seed/seed.ts";
import { bullmqTaskQueue } from "#src/adapters/bullmq/task_queue.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { cronerCron } from "#src/adapters/cron/croner.ts";
import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import { PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import { folderStorage } from "#src/adapters/fs/storage.ts";
import { bundledStylesheets } from "#src/adapters/fs/stylesheets.ts";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { directoryClient, paClient, type PaReach } from "#src/adapters/pa/mod.ts";
import { createFacturXReader, invoicePdfBeside } from "#src/adapters/pdf/mod.ts";
import { databaseClock, type SharedClock } from "#src/adapters/postgres/clock.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { registryClient } from "#src/adapters/registry/mod.ts";
import { openRuleBook } from "#src/adapters/rules/book.ts";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { createLibxml2Xsd } from "#src/adapters/xsd/mod.ts";
import { zipArchive } from "#src/adapters/zip/archive.ts";
import { composeAccounts } from "./accounts.ts";
import { accessSettings, composeAccess } from "./access.ts";
import { openPrivateFolder, writeForOneself } from "./private_folder.ts";
import { composeReach } from "./reach.ts";
import type { Config } from "#src/config/config.ts";
import { openData } from "./database.ts";
import type { Deps } from "#src/deps.ts";
import { openConfiguration } from "#src/features/configuration/mod.ts";
import { ruleNotifier } from "#src/features/notifications/mod.ts";
import { crashAt } from "#src/kernel/crash_points.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Database } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import type { PaSettings } from "#src/ports/pa.ts";
import { VERSION } from "#src/kernel/version.ts";

const STYLESHEETS = fileURLToPath(new URL("../../xsl/transform/", import.meta.url)).replace(
  /\/$/,
  "",
);
const PDF_PROCESS = new URL("../processes/pdf_process.ts", import.meta.url);
const RULE_PROCESS = new URL("../processes/rules_process.ts", import.meta.url);

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
  writeForOneself();
  await openPrivateFolder(config, log);
  const storage = await folderStorage(config.dataDir);
  const privateDir = join(storage.root, PRIVATE_FOLDER);
  const { database, broker } = await openData(config, options.migrate ?? true);
  const clock = await clockOf(database, log);
  await seed(database.db, { sandbox: config.sandbox.enabled });
  const live = tableLiveBus({ database, log, pollMs: config.queue.pollMs });
  const environment = { HOME: homedir(), ...config.childEnvironment };
  const pdf = invoicePdfBeside({ entry: PDF_PROCESS, log, environment });
  const rules = await openRuleBook({
    db: database.db,
    live,
    log,
    pollMs: 30_000,
    process: RULE_PROCESS,
    environment,
  });
  const xsd = createLibxml2Xsd({ eager: true });
  const xslt = createSaxonXslt({
    log,
    roots: [STYLESHEETS, storage.root],
    size: config.xslt.processes,
    cacheDir: join(privateDir, "stylesheets"),
    environment,
  });
  const crash = crashAt(config.crashAt, (how) => process.kill(process.pid, how));
  const mailer = smtpMailer({ log });
  const tasks = bullmqTaskQueue({ database, broker, crash, live, log, options: config.queue });
  const vault = aesVault(await secretKey(config, privateDir, log));
  const accounts = composeAccounts(config.auth, database.db);
  const paReach = paReachOf(config, options);
  const configuration = await openConfiguration({
    db: database.db,
    live,
    log,
    yaml: yamlTexts,
  });
  const deps: Deps = {
    ...composeAccess(config.access, { clock, db: database.db, vault }),
    ...composeReach(config.reach, { accounts, clock, db: database.db, log, privateDir, vault }),
    accounts,
    archive: zipArchive,
    clock,
    configuration,
    crash,
    cron: cronerCron,
    database,
    db: database.db,
    directory: remembered((settings) => directoryClient(settings, paReach)),
    facturX: createFacturXReader({
      log,
      environment: { HOME: homedir(), ...config.childEnvironment },
    }),
    live,
    log,
    mailer,
    notifier: ruleNotifier({ tasks }),
    pa: remembered((settings) => paClient(settings, paReach)),
    pdf,
    registry: registryClient({ baseUrl: config.registryUrl }),
    rules,
    settings: settingsOf(config, options),
    storage,
    stylesheets: bundledStylesheets(STYLESHEETS),
    tasks,
    vault,
    xsd,
    xslt,
    yaml: yamlTexts,
  };
  return {
    deps,
    follow: async (signal) =>
      void await Promise.all([
        live.run(signal),
        rules.run(signal),
        clock.run(signal),
        configuration.run(signal),
      ]),
    async [Symbol.asyncDispose]() {
      await mailer.close();
      await deps.facturX.close();
      await deps.pools.close();
      await xslt.close();
      await pdf.close();
      await rules[Symbol.asyncDispose]();
      await broker.close();
      await database[Symbol.asyncDispose]();
    },
  };
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
    bodies: config.bodies,
    uploads: config.reach.uploads,
    xsltTimeoutMs: config.xslt.timeoutMs,
    sandbox: options.sandbox,
    sandboxDirectory: options.sandboxDirectory,
    pollSeconds: config.pollSeconds,
    keepDays: config.keepDays,
    retryBaseMs: config.queue.retryBaseMs,
    retryCapMs: config.queue.retryCapMs,
    leaseMs: config.queue.leaseMs,
    submission: config.submission,
    access: accessSettings(config.access),
  };
}

/** Our own sandbox PA lives on this machine; any other PA there, or in a private network, the operator lists. */
function paReachOf({ reach }: Config, { sandbox }: ComposeOptions): PaReach {
  const own = sandbox ? [new URL(sandbox.baseUrl).host] : [];
  return { privateHosts: [...own, ...reach.paPrivateHosts] };
}

/** A fleet shares its key through the environment; a single machine keeps one in its data folder. */
async function secretKey(config: Config, privateDir: string, log: Log): Promise<string> {
  if (config.secretKey) return config.secretKey;
  if (config.redisUrl) {
    throw new AppError(
      "unavailable",
      say`SECRET_KEY is needed where several processes share a database`,
    );
  }
  log.debug("vault.key.in_data_folder");
  return await keyInFolder(privateDir);
}

/** One client per PA, so that its access token is fetched once and not per call. */
function remembered<Client extends object>(
  make: (settings: PaSettings) => Client,
): (settings: PaSettings) => Client {
  const clients = new LRUCache<string, Client>({ max: 20 });
  return (settings) => {
    const key = JSON.stringify(settings);
    const client = clients.get(key) ?? make(settings);
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
