import { homedir, hostname } from "node:os";
import process from "node:process";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { seed } from "#drizzle/seed/seed.ts";
import { bullmqTaskQueue } from "#src/adapters/bullmq/task_queue.ts";
import { mayLaunch } from "#src/adapters/children/mod.ts";
import { systemClock } from "#src/adapters/clock/system.ts";
import { folderSpool } from "#src/adapters/fs/spool.ts";
import { memorySpool } from "#src/adapters/fs/memory_spool.ts";
import { aesVault, keyInFolder } from "#src/adapters/crypto/vault.ts";
import { bundledStylesheets } from "#src/adapters/fs/stylesheets.ts";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { micromarkMarkdown } from "#src/adapters/markdown/micromark.ts";
import { sdkMcp } from "#src/adapters/mcp/sdk.ts";
import { directoryClient, PA_PROTOCOLS, paClient, type PaOutbound } from "#src/adapters/pa/mod.ts";
import { poolOpener } from "#src/adapters/pools/open_pool.ts";
import { keepMarkingClock } from "#src/adapters/postgres/clock_mark.ts";
import { databaseClock, type SharedClock } from "#src/adapters/postgres/clock.ts";
import { tableLiveBus } from "#src/adapters/postgres/live_bus.ts";
import { registryClient } from "#src/adapters/registry/mod.ts";
import { openRuleBook } from "#src/adapters/rules/book.ts";
import { SHIPPED_FOLDER, shippedSets } from "#src/adapters/rules/shipped.ts";
import { smtpMailer } from "#src/adapters/smtp/mod.ts";
import { writeWorkbook } from "#src/adapters/xlsx/write_workbook.ts";
import { createXsd } from "#src/adapters/xsd/mod.ts";
import { yamlTexts } from "#src/adapters/yaml/mod.ts";
import { zipArchive } from "#src/adapters/zip/archive.ts";
import { buildId } from "./build_id.ts";
import { composeAccounts } from "./accounts.ts";
import { accessSettings, composeAccess } from "./access.ts";
import { openPrivateFolder, restrictNewFiles } from "./private_folder.ts";
import { composeReach, ownPorts } from "./reach.ts";
import { composeTelemetry, watchLevels } from "./telemetry.ts";
import { textsBeside } from "./texts_beside.ts";
import { textsBySize } from "./texts_by_size.ts";
import { withOpenedVariables } from "./sealed_variables.ts";
import type { SandboxAddresses } from "./sandbox.ts";
import { type ChildOptions, openPrograms, STYLESHEETS } from "./programs.ts";
import { openStorage } from "./storage.ts";
import type { Config } from "#src/config/config.ts";
import { missingReader, openData } from "./database.ts";
import { composeInstallation, folderHome } from "./installation.ts";
import { keptSections } from "./kept_sections.ts";
import { composeSchema } from "./schema.ts";
import type { Deps } from "#src/deps.ts";
import { openConfiguration, textsHere } from "#src/framework/configuration/mod.ts";
import { givenPools, openDatabases } from "#src/framework/pools/mod.ts";
import { keepLogs, newLogBuffer } from "#src/platform/logs/mod.ts";
import { claimInstallation, isSendingOff, markStarted } from "#src/platform/setup/mod.ts";
import { ruleNotifier } from "#src/gateway/notifications/mod.ts";
import { ACCESS_EVENT } from "#src/http/middleware.ts";
import { crashAt } from "#src/kernel/crash_points.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Database } from "#src/ports/db.ts";
import type { Log } from "#src/ports/log.ts";
import type { PaSettings } from "#src/ports/pa.ts";
import type { Vault } from "#src/ports/vault.ts";
import { VERSION } from "#src/kernel/version.ts";

const SECTION_PROCESS = new URL("../processes/section_process.ts", import.meta.url);
const RULE_PROCESS = new URL("../processes/rules_process.ts", import.meta.url);

/** Largest buffer of an export where no disk may be written, in bytes. */
const SPOOL_BYTES = 32 * 1024 * 1024;

/** Log lines buffered while the database is unavailable; they take a few megabytes. */
const LINES_THAT_WAIT = 5_000;

interface Composed extends AsyncDisposable {
  readonly deps: Deps;
  /** Follows what other processes announce, until the signal aborts. */
  follow(signal: AbortSignal): Promise<void>;
}

interface ComposeOptions {
  /** Addresses that `sandbox:` stands for in this process. They resolve while the database opens. */
  readonly sandbox?: Promise<SandboxAddresses> | undefined;
  readonly write: (line: string) => void;
  /** Role of the process in its log entries. */
  readonly role?: string | undefined;
  /** False if a release step migrates the database. */
  readonly migrate?: boolean;
  /** False if the process may not write to a disk. */
  readonly disk?: boolean;
}

/** Builds the dependencies of the product. Adapters are chosen only here. */
export async function compose(given: Config, options: ComposeOptions): Promise<Composed> {
  const parts = await openParts(given, options);
  const { config, log, mailer, programs, rules, secret, store, telemetry } = parts;
  const { clock, database, live } = store;
  const { configuration, databases } = parts.settings;
  const deps = await createDeps(parts);
  const role = options.role ?? "cli";
  if (options.role !== undefined) {
    void reportMissingReader(deps, config);
    if (await isSendingOff(deps)) log.warn("sending.off", { says: "Nothing leaves for the PA" });
  }
  const unwatch = watchLevels(deps, { clock, role, dataDir: config.dataDir });
  return {
    deps,
    follow: async (signal) =>
      void await Promise.all([
        live.run(signal),
        rules.run(signal),
        clock.run(signal),
        keepMarkingClock(database.db, log, signal),
        configuration.run(signal),
        databases.run(signal),
        keepLogs(deps, {
          ...config.logs,
          buffer: parts.buffer,
          process: `${role} ${hostname()}:${process.pid}`,
          secrets: [...config.secrets, secret],
        }, signal),
      ]),
    async [Symbol.asyncDispose]() {
      await mailer.close();
      await programs.facturX.close();
      await parts.textsInChild.close();
      await databases.close();
      await programs.xslt.close();
      await programs.pdf.close();
      await programs.chartPainter.close();
      await rules[Symbol.asyncDispose]();
      await store.broker.close();
      unwatch();
      await database[Symbol.asyncDispose]();
      await telemetry[Symbol.asyncDispose]();
    },
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

async function openParts(given: Config, options: ComposeOptions) {
  const { log, buffer } = openLog(given, options.write);
  const telemetry = await composeTelemetry(given, log);
  const hasDisk = options.disk ?? true;
  if (hasDisk) {
    restrictNewFiles();
    await openPrivateFolder(given, log);
  }
  const config = await withOpenedVariables(given);
  const shipped = shippedSets(SHIPPED_FOLDER);
  const store = await openStore(config, { migrate: options.migrate ?? true, log });
  const { broker, database, live, storage } = store;
  const environment = { HOME: homedir(), ...config.childEnvironment };
  const children = { log, environment };
  const rules = await openRuleBook({
    ...children,
    db: database.db,
    live,
    pollMs: 30_000,
    process: RULE_PROCESS,
    shipped,
  });
  const programs = openPrograms(config, { ...children, storage });
  const crash = crashAt(config.crashAt, (how) => process.kill(process.pid, how));
  const mailer = smtpMailer({ log });
  const tasks = bullmqTaskQueue({ database, broker, crash, live, log, options: config.queue });
  const secret = await secretKey(config, config.privateDir, log);
  const vault = aesVault(secret, { before: config.secretKeyBefore });
  const sandbox = await options.sandbox;
  const textsInChild = textsBeside({ entry: SECTION_PROCESS, ...children });
  const opened = { config, crash, hasDisk, log, mailer, rules, secret, store, tasks, telemetry };
  const settings = await openSettings({ ...opened, environment, textsInChild, vault });
  return { ...opened, buffer, programs, sandbox, settings, textsInChild, vault };
}

function openLog(config: Config, write: (line: string) => void) {
  const buffer = newLogBuffer(config.logs.keepEntries ? LINES_THAT_WAIT : 0);
  const log = jsonLinesLog({
    level: config.logLevel,
    write,
    now: systemClock.now,
    ...config.logs.keepEntries && {
      // One line per call would crowd out the entries that administrators search for.
      keep: (line) => line.event === ACCESS_EVENT ? undefined : buffer.add(line),
    },
  });
  return { log, buffer };
}

/** Opens the database, claims it for this installation, and opens the storage. */
async function openStore(
  config: Config,
  { migrate, log }: { readonly migrate: boolean; readonly log: Log },
) {
  const { database, broker, reader } = await openData(config, { migrate, log });
  const { db, embedded } = database;
  const home = embedded ? await folderHome(config) : undefined;
  const installation = await claimInstallation(db, home);
  const storage = await openStorage(config, { db, log, installation });
  const clock = await createClock(database, log);
  await seed(db, { sandbox: config.sandbox.enabled });
  if (!embedded) await markStarted(db);
  const live = tableLiveBus({ database, log, pollMs: config.queue.pollMs });
  return { broker, clock, database, live, reader, storage };
}

interface SettingsParts extends ChildOptions {
  readonly config: Config;
  readonly hasDisk: boolean;
  readonly secret: string;
  readonly store: Awaited<ReturnType<typeof openStore>>;
  readonly textsInChild: ReturnType<typeof textsBeside>;
  readonly vault: Vault;
}

async function openSettings(parts: SettingsParts) {
  const { config, environment, hasDisk, log, secret, textsInChild, vault } = parts;
  const { database: { db, embedded }, live, reader } = parts.store;
  const { dataDir, privateDir, reach } = config;
  const here = textsHere(yamlTexts);
  const sectionTexts = textsBySize({ here, beside: textsInChild });
  const configuration = await openConfiguration({
    givenPools: givenPools(reach.pools),
    db,
    live,
    log,
    sectionTexts,
    // Some platforms let a process start no child. The sections in force were checked by a child when they were saved.
    textsInForce: mayLaunch() ? sectionTexts : here,
    // The parsed sections contain secrets. They may be cached only in the folder that stores the embedded database.
    kept: hasDisk && embedded ? keptSections(join(privateDir, "sections")) : undefined,
  });
  const databases = openDatabases({ configuration, db, live, log, vault }, {
    open: poolOpener({ log, dataDir, privateDir, sqliteDirs: reach.sqliteDirs, environment }),
    own: () => reader(secret),
    addresses: reach.pools,
    variables: reach.variables,
  });
  return { configuration, databases, sectionTexts };
}

/** Adapters without state or settings. */
const STATELESS = {
  archive: zipArchive,
  markdown: micromarkMarkdown,
  paProtocols: PA_PROTOCOLS,
  spreadsheets: writeWorkbook,
} as const;

async function createDeps(parts: Parts): Promise<Deps> {
  const { config, crash, hasDisk, log, mailer, programs, rules, sandbox, settings, tasks } = parts;
  const { telemetry, vault } = parts;
  const { clock, database, live, storage } = parts.store;
  const { privateDir } = config;
  const { db } = database;
  const accounts = composeAccounts(config.auth, db);
  const paReach = getPaReach(config, sandbox);
  const deps: Deps = {
    ...composeAccess(config.access, { clock, db, vault }),
    ...composeReach(config.reach, {
      accounts,
      clock,
      configuration: settings.configuration,
      databases: settings.databases,
      db,
      log,
      own: ownPorts(config),
      privateDir,
      vault,
    }),
    ...STATELESS,
    ...programs,
    ...settings,
    accounts,
    clock,
    crash,
    database,
    db,
    directory: memoizeClient((settings) => directoryClient(settings, paReach)),
    examine: async function* () {
      const { examineMachine, examineProduct } = await import("./examine_parts.ts"); // rarely needed
      yield* examineMachine(config);
      yield* examineProduct(deps, config);
    },
    installation: composeInstallation(config, { database, vault }),
    live,
    log,
    mailer,
    mcp: sdkMcp(),
    notifier: ruleNotifier({ tasks }),
    pa: memoizeClient((settings) => paClient(settings, paReach)),
    registry: registryClient({ baseUrl: config.registryUrl }),
    rules,
    schema: await composeSchema(config),
    settings: buildSettings(config, { sandbox, build: await buildId(config) }),
    spool: hasDisk ? folderSpool(join(privateDir, "spool")) : memorySpool(SPOOL_BYTES),
    storage,
    stylesheets: bundledStylesheets(STYLESHEETS),
    tasks,
    telemetry,
    vault,
    xsd: createXsd(),
  };
  return deps;
}

/** Returns the clock of the database for a fleet, and the local clock for a single process. */
async function createClock({ db, embedded }: Database, log: Log): Promise<SharedClock> {
  if (embedded) return { ...systemClock, offMs: () => 0, run: () => Promise.resolve() };
  return await databaseClock({ db, local: systemClock, log });
}

function buildSettings(
  config: Config,
  { sandbox, build }: { sandbox: SandboxAddresses | undefined; build: string },
): Deps["settings"] {
  return {
    version: VERSION,
    build,
    language: config.language,
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

/** Allows our own sandbox PA on this machine. The operator must list every other PA in a private network. */
function getPaReach({ reach }: Config, sandbox: SandboxAddresses | undefined): PaOutbound {
  const own = sandbox ? [new URL(sandbox.settings.baseUrl).host] : [];
  return { privateHosts: [...own, ...reach.paPrivateHosts] };
}

async function reportMissingReader({ db, log }: Deps, config: Config): Promise<void> {
  try {
    const statement = await missingReader(db, config);
    if (statement === undefined) return;
    const says = "The product may not create its reading role: an administrator runs the statement";
    log.error("reader.role.missing", { says, statement });
  } catch (error) {
    log.warn("reader.role.unchecked", { error: toMessage(error) });
  }
}

/**
 * Returns the key of the environment, which a fleet shares, or the key stored in the data folder of a single machine.
 */
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

/** Creates one client per PA, so that its access token is fetched once instead of once per call. */
function memoizeClient<Client extends object>(
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

/** Returns how many tasks of each queue a process runs at the same time. */
export function getConcurrency(config: Config) {
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
