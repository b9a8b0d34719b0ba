import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { homedir } from "node:os";
import { join, resolve, sep } from "node:path";
import { accessConfig, accessProblems } from "./access.ts";
import { bodyConfig } from "./bodies.ts";
import { ConfigError, readEnvironment, type Variables } from "./environment.ts";
import { filesConfig, filesProblems } from "./files.ts";
import { reachConfig, reachProblems } from "./reach.ts";
import { secretsIn } from "./secrets.ts";
import { telemetryConfig } from "./telemetry.ts";
import { PRIVATE_FOLDER } from "#src/kernel/private_folder.ts";
import { Environment, type VariableValues } from "./variables.ts";

export { ConfigError };
export type Config = ReturnType<typeof loadConfig>;

/** Reads the environment. Reports all mistakes at once, by the variable's name and never with a secret's value. */
export function loadConfig(env: Variables) {
  const e = readEnvironment(Environment, env);
  const problems = [...contradictions(e), ...reachProblems(e, env)];
  if (problems.length) throw new ConfigError(problems);
  const embedded = !e.DATABASE_URL;
  return {
    http: {
      port: e.PORT,
      host: e.HOST ?? "127.0.0.1",
      /** Milliseconds from the stop signal until the port closes. A proxy sees the 503 of `/api/readyz` meanwhile. */
      drainMs: (e.DRAIN_SECONDS ?? (e.REDIS_URL ? 5 : 1)) * 1000,
    },
    dataDir: resolve(e.DATA_DIR),
    files: filesConfig(e),
    /** Folder that is synchronised with the sections of the settings in both directions. */
    configDir: e.CONFIG_DIR === undefined ? undefined : resolve(e.CONFIG_DIR),
    /** Folder inside `dataDir` that only the product uses. */
    privateDir: join(resolve(e.DATA_DIR), PRIVATE_FOLDER),
    /** Folder of files that can be recreated at any time, shared by all data folders of a user. */
    cacheDir: resolve(
      e.CACHE_DIR ?? join(e.XDG_CACHE_HOME || join(homedir(), ".cache"), "passerelle"),
    ),
    databaseUrl: e.DATABASE_URL,
    redisUrl: e.REDIS_URL,
    embedded,
    auth: e.AUTH === "on",
    access: accessConfig(e, env),
    reach: reachConfig(e, env),
    language: e.SERVICE_LANG,
    logLevel: e.SERVICE_LOG_LEVEL,
    runWaitMs: e.RUN_WAIT_SECONDS * 1000,
    maxUploadBytes: e.MAX_UPLOAD_MB * 1024 * 1024,
    bodies: bodyConfig(e),
    xslt: { processes: e.XSLT_PROCESSES, timeoutMs: e.XSLT_TIMEOUT_SECONDS * 1000 },
    concurrency: concurrencyConfig(e),
    buildId: e.BUILD_ID,
    pollSeconds: e.POLL_SECONDS,
    keepDays: e.KEEP_DAYS,
    /** Limits of the log entries in the database: days and number of entries. 0 entries disables them. */
    logs: { keepDays: e.LOG_KEEP_DAYS, keepEntries: e.LOG_KEEP_ENTRIES },
    /** Values of the environment that are never written to logs. */
    secrets: secretsConfig(e, env),
    registryUrl: e.REGISTRY_URL,
    sandbox: {
      enabled: (e.SANDBOX_PA ?? (embedded ? "on" : "off")) === "on",
      port: e.SANDBOX_PA_PORT,
    },
    queue: queueConfig(e),
    submission: submissionConfig(e),
    telemetry: telemetryConfig(e),
    crashAt: e.CRASH_AT,
    secretKey: e.SECRET_KEY,
    /** Previous key. It still opens secrets, and the next write seals them with the current key. */
    secretKeyBefore: e.SECRET_KEY_OLD,
    /** Variables that child processes need to find their packages; they receive no other variables. */
    childEnvironment: childEnvironment(env),
  };
}

function concurrencyConfig(e: VariableValues) {
  return {
    processing: e.PROCESSING_CONCURRENCY,
    submission: e.SUBMISSION_CONCURRENCY,
    notification: e.NOTIFICATION_CONCURRENCY,
    jobs: e.JOBS_CONCURRENCY,
  };
}

function secretsConfig(e: VariableValues, env: Variables) {
  return secretsIn(
    env,
    [
      ...[e.SECRET_KEY, e.SECRET_KEY_OLD, e.ADMIN_PASSWORD, e.AI_API_KEY, e.METRICS_TOKEN],
      ...[e.OIDC_CLIENT_SECRET, e.SERVICE_LICENSE_KEY],
      ...[e.AWS_SECRET_ACCESS_KEY, e.AWS_SESSION_TOKEN],
      ...e.CONFIG_VARIABLES.map((it) => env[it]),
    ],
  );
}

function queueConfig(e: VariableValues) {
  return {
    leaseMs: e.LEASE_MS,
    retryBaseMs: e.RETRY_BASE_MS,
    retryCapMs: e.RETRY_CAP_MS,
    pollMs: e.QUEUE_POLL_MS,
    relayTimeoutMs: e.LEASE_MS,
    deaths: e.TASK_DEATHS,
    prefix: e.QUEUE_PREFIX,
  };
}

function submissionConfig(e: VariableValues) {
  return {
    sending: e.SENDING === "on",
    breaker: {
      failures: e.BREAKER_FAILURES,
      windowMs: e.BREAKER_WINDOW_MS,
      openMs: e.BREAKER_OPEN_MS,
    },
    settleMs: e.PA_SETTLE_MS,
    retriesPerSecond: e.PA_RETRIES_PER_SECOND,
  };
}

function childEnvironment(env: Variables) {
  return {
    PATH: env["PATH"] ?? "/usr/bin:/bin",
    ...env["DENO_DIR"] && { DENO_DIR: env["DENO_DIR"] },
    ...env["XDG_CACHE_HOME"] && { XDG_CACHE_HOME: env["XDG_CACHE_HOME"] },
  };
}

function contradictions(e: VariableValues): Sentence[] {
  const problems = [...accessProblems(e), ...filesProblems(e)];
  if (e.REDIS_URL && !e.DATABASE_URL) {
    problems.push(say`REDIS_URL needs DATABASE_URL: the embedded product has no fleet`);
  }
  if (e.AUTH === "off" && e.HOST && !isLoopback(e.HOST)) {
    problems.push(
      say`HOST=${e.HOST} needs AUTH=on: without sign-in the product listens on this machine only`,
    );
  }
  if (e.AUTH === "off" && e.CORS_ORIGINS?.includes("*")) {
    problems.push(say`CORS_ORIGINS=* needs AUTH=on: every page of the web could use this product`);
  }
  if (e.CONFIG_DIR && isInside(e.DATA_DIR, e.CONFIG_DIR)) {
    problems.push(
      say`CONFIG_DIR=${e.CONFIG_DIR} is inside DATA_DIR, where users with access to files could read the settings`,
    );
  }
  return problems;
}

function isInside(folder: string, path: string): boolean {
  return (resolve(path) + sep).startsWith(resolve(folder) + sep);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}
