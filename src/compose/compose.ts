import { homedir, hostname } from "node:os";
import process from "node:process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LRUCache } from "lru-cache";
import { seed } from "#drizzle/seed/seed.ts";
import { bullmqTaskQueue } from "#src/adapters/bullmq/task_queue.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { folderSpool } from "#src/adapters/fs/spool.ts";
import { memorySpool } from "#src/adapters/fs/memory_spool.ts";
import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import { bundledStylesheets } from "#src/adapters/fs/stylesheets.ts";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { micromarkMarkdown } from "#src/adapters/markdown/micromark.ts";
import { sdkMcp } from "#src/adapters/mcp/sdk.ts";
import { directoryClient, paClient, type PaReach } from "#src/adapters/pa/mod.ts";
import { createFacturXReader } from "#src/adapters/pdf/factur_x_reader.ts";
import { isolatedChartPainter } from "#src/adapters/echarts/isolated.ts";
import { isolatedInvoicePdf } from "#src/adapters/pdf/isolated.ts";
import { poolOpener } from "#src/adapters/pools/open_pool.ts";
import type { BegunPglite } from "#src/adapters/pglite/begin.ts";
import { databaseClock, type SharedClock } from "#src/adapters/postgres/clock.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { registryClient } from "#src/adapters/registry/mod.ts";
import { openRuleBook } from "#src/adapters/rules/book.ts";
import { SHIPPED_FOLDER, shippedSets } from "#src/adapters/rules/shipped.ts";
import { createSaxonXslt } from "#src/adapters/saxon/mod.ts";
import {
  modulesInFolders,
  modulesInStorage,
  modulesOfEither,
} from "#src/adapters/saxon/modules.ts";
import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import { writeWorkbook } from "#src/adapters/xlsx/write_workbook.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { zipArchive } from "#src/adapters/zip/archive.ts";
import { composeAccounts } from "./accounts.ts";
import { accessSettings, composeAccess } from "./access.ts";
import { openPrivateFolder, restrictNewFiles } from "./private_folder.ts";
import { composeReach } from "./reach.ts";
import { composeTelemetry, watchLevels } from "./telemetry.ts";
import { textsBeside } from "./texts_beside.ts";
import { withOpenedVariables } from "./sealed_variables.ts";
import type { SandboxAddresses } from "./sandbox.ts";
import { storageOf } from "./storage.ts";
import type { Config } from "#src/config/config.ts";
import { openData } from "./database.ts";
import { composeInstallation, folderHome } from "./installation.ts";
import { keptSections } from "./kept_sections.ts";
import { composeSchema } from "./schema.ts";
import type { Deps } from "#src/deps.ts";
import { openConfiguration } from "#src/features/configuration/mod.ts";
import { openDatabases } from "#src/features/pools/mod.ts";
import { keepLogs, newLogBuffer } from "#src/features/logs/mod.ts";
import { claimInstallation, markStarted } from "#src/features/setup/mod.ts";
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
const CHART_PROCESS = new URL("../processes/chart_process.ts", import.meta.url);
const SECTION_PROCESS = new URL("../processes/section_process.ts", import.meta.url);
const RULE_PROCESS = new URL("../processes/rules_process.ts", import.meta.url);

/** Of an export, where there is no disk. */
const SPOOL_BYTES = 32 * 1024 * 1024;

/** Of the log, while the database is away: some megabytes. */
const LINES_THAT_WAIT = 5_000;

interface Composed extends AsyncDisposable {
  readonly deps: Deps;
  /** Follows what other processes announce, until the signal aborts. */
  follow(signal: AbortSignal): Promise<void>;
}

interface ComposeOptions {
  /** What `sandbox:` means in this process, where it is or soon will be: it starts while the database opens. */
  readonly sandbox?: Promise<SandboxAddresses> | undefined;
  readonly write: (line: string) => void;
  /** What the process is for, as its log entries name it. */
  readonly role?: string | undefined;
  /** False where a release step migrates the database. */
  readonly migrate?: boolean;
  /** False where nothing may be written on a disk. */
  readonly disk?: boolean;
  /** The embedded database, where it is on its way. */
  readonly begun?: Promise<BegunPglite> | undefined;
}

/** The only place that chooses adapters. */
export async function compose(given: Config, options: ComposeOptions): Promise<Composed> {
  const logged = newLogBuffer(given.logs.keepEntries ? LINES_THAT_WAIT : 0);
  const log = jsonLinesLog({
    level: given.logLevel,
    write: options.write,
    now: systemClock.now,
    ...given.logs.keepEntries && { keep: logged.add },
  });
  const telemetry = await composeTelemetry(given, log);
  const hasDisk = options.disk ?? true;
  if (hasDisk) {
    restrictNewFiles();
    await openPrivateFolder(given, log);
  }
  const config = await withOpenedVariables(given);
  const shipped = shippedSets(SHIPPED_FOLDER);
  const { database, broker, reader } = await openData(config, {
    migrate: options.migrate ?? true,
    log,
    begun: options.begun,
  });
  const { dataDir, privateDir } = config;
  const installation = await claimInstallation(
    database.db,
    database.embedded ? await folderHome(config) : undefined,
  );
  const storage = await storageOf(config, { db: database.db, log, installation });
  const clock = await clockOf(database, log);
  await seed(database.db, { sandbox: config.sandbox.enabled });
  if (!database.embedded) await markStarted(database.db);
  const live = tableLiveBus({ database, log, pollMs: config.queue.pollMs });
  const environment = { HOME: homedir(), ...config.childEnvironment };
  const pdf = isolatedInvoicePdf({ entry: PDF_PROCESS, log, environment });
  const chartPainter = isolatedChartPainter({ entry: CHART_PROCESS, log, environment });
  const rules = await openRuleBook({
    db: database.db,
    live,
    log,
    pollMs: 30_000,
    process: RULE_PROCESS,
    environment,
    shipped,
  });
  const xslt = createSaxonXslt({
    log,
    modules: modulesOfEither(modulesInFolders([STYLESHEETS]), modulesInStorage(storage)),
    size: config.xslt.processes,
    cacheDir: join(privateDir, "stylesheets"),
    environment,
  });
  const crash = crashAt(config.crashAt, (how) => process.kill(process.pid, how));
  const mailer = smtpMailer({ log });
  const tasks = bullmqTaskQueue({ database, broker, crash, live, log, options: config.queue });
  const secret = await secretKey(config, privateDir, log);
  const vault = aesVault(secret, { before: config.secretKeyBefore });
  const accounts = composeAccounts(config.auth, database.db);
  const sandbox = await options.sandbox;
  const paReach = paReachOf(config, sandbox);
  const sectionTexts = textsBeside({ entry: SECTION_PROCESS, log, environment });
  const configuration = await openConfiguration({
    db: database.db,
    live,
    log,
    sectionTexts,
    // Their secrets lie in that folder anyway where the database does.
    kept: hasDisk && database.embedded ? keptSections(join(privateDir, "sections")) : undefined,
  });
  const databases = openDatabases({ configuration, db: database.db, live, log, vault }, {
    open: poolOpener({
      log,
      dataDir,
      privateDir,
      sqliteDirs: config.reach.sqliteDirs,
      environment,
    }),
    own: () => reader(secret),
    variables: config.reach.variables,
  });
  const deps: Deps = {
    ...composeAccess(config.access, { clock, db: database.db, vault }),
    ...composeReach(config.reach, { accounts, clock, db: database.db, log, privateDir, vault }),
    accounts,
    archive: zipArchive,
    chartPainter,
    clock,
    configuration,
    crash,
    database,
    databases,
    db: database.db,
    directory: remembered((settings) => directoryClient(settings, paReach)),
    facturX: createFacturXReader({
      log,
      environment: { HOME: homedir(), ...config.childEnvironment },
    }),
    installation: composeInstallation(config, { database, vault }),
    live,
    log,
    mailer,
    markdown: micromarkMarkdown,
    mcp: sdkMcp(),
    notifier: ruleNotifier({ tasks }),
    pa: remembered((settings) => paClient(settings, paReach)),
    pdf,
    registry: registryClient({ baseUrl: config.registryUrl }),
    rules,
    sectionTexts,
    schema: await composeSchema(config),
    settings: settingsOf(config, sandbox),
    spreadsheets: writeWorkbook,
    spool: hasDisk ? folderSpool(join(privateDir, "spool")) : memorySpool(SPOOL_BYTES),
    storage,
    stylesheets: bundledStylesheets(STYLESHEETS),
    tasks,
    telemetry,
    vault,
    xsd: createXsd(),
    xslt,
  };
  const role = options.role ?? "cli";
  const unwatch = watchLevels(deps, { clock, role, dataDir });
  return {
    deps,
    follow: async (signal) =>
      void await Promise.all([
        live.run(signal),
        rules.run(signal),
        clock.run(signal),
        configuration.run(signal),
        databases.run(signal),
        keepLogs(deps, {
          ...config.logs,
          buffer: logged,
          process: `${role} ${hostname()}:${process.pid}`,
          secrets: [...config.secrets, secret],
        }, signal),
      ]),
    async [Symbol.asyncDispose]() {
      await mailer.close();
      await deps.facturX.close();
      await sectionTexts.close();
      await deps.pools.close();
      await databases.close();
      await xslt.close();
      await pdf.close();
      await chartPainter.close();
      await rules[Symbol.asyncDispose]();
      await broker.close();
      unwatch();
      await database[Symbol.asyncDispose]();
      await telemetry[Symbol.asyncDispose]();
    },
  };
}

/** A fleet reads its database's clock; what lives in one process has one clock anyway. */
async function clockOf({ db, embedded }: Database, log: Log): Promise<SharedClock> {
  if (embedded) return { ...systemClock, offMs: () => 0, run: () => Promise.resolve() };
  return await databaseClock({ db, local: systemClock, log });
}

function settingsOf(config: Config, sandbox: SandboxAddresses | undefined): Deps["settings"] {
  return {
    version: VERSION,
    runWaitMs: config.runWaitMs,
    maxUploadBytes: config.maxUploadBytes,
    bodies: config.bodies,
    uploads: config.reach.uploads,
    assistant: config.reach.assistant,
    xsltTimeoutMs: config.xslt.timeoutMs,
    sandbox: sandbox?.settings,
    sandboxDirectory: sandbox?.directory,
    pollSeconds: config.pollSeconds,
    keepDays: config.keepDays,
    retryBaseMs: config.queue.retryBaseMs,
    retryCapMs: config.queue.retryCapMs,
    leaseMs: config.queue.leaseMs,
    submission: config.submission,
    access: accessSettings(config.access),
    variables: config.reach.variables,
  };
}

/** Our own sandbox PA lives on this machine; any other PA there, or in a private network, the operator lists. */
function paReachOf({ reach }: Config, sandbox: SandboxAddresses | undefined): PaReach {
  const own = sandbox ? [new URL(sandbox.settings.baseUrl).host] : [];
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
  const { jobs, notification, processing, submission } = config.concurrency;
  return {
    processing,
    submission,
    polling: 1,
    sftp: 2,
    notification,
    jobs,
  };
}
