import { availableParallelism } from "node:os";
import { z } from "zod";
import { CRASH_SPEC } from "#src/kernel/crash_points.ts";
import { LANGUAGES } from "#src/kernel/language.ts";
import { flag, url, whole } from "./environment.ts";
import { hosts, httpUrl, names, number, text, variable } from "./variable_schemas.ts";

export const invoices = {
  SENDING: variable(
    flag.default("on"),
    "`off` keeps invoices and status messages from the PA; they wait. See [A clone for tests](../how-to/clone-for-tests.md).",
  ),
  POLL_SECONDS: variable(
    whole(0, 86400).default(30),
    "Time between two polls of the PA. 0 polls only after a notification.",
    { unit: "seconds" },
  ),
  SANDBOX_PA: variable(flag.optional(), "Runs the sandbox PA in this process.", {
    preset: "`on` when embedded, else `off`",
  }),
  SANDBOX_PA_PORT: variable(
    whole(0, 65535).default(0),
    "Port of that sandbox PA. 0 chooses a free port.",
  ),
  BREAKER_FAILURES: variable(
    whole(1, 1000).default(5),
    "Failures in a row, within `BREAKER_WINDOW_MS`, after which calls to the PA pause.",
  ),
  BREAKER_WINDOW_MS: variable(
    whole(10, 600_000).default(30_000),
    "Time in which these failures count.",
    { unit: "ms" },
  ),
  BREAKER_OPEN_MS: variable(
    whole(10, 3_600_000).default(60_000),
    "Length of that pause, and of the pause of a mail server that does not answer.",
    {
      unit: "ms",
    },
  ),
  PA_SETTLE_MS: variable(
    whole(0, 600_000).default(10_000),
    "Shortest time between a submission and the next one of the same document, if the PA reports that it lacks the document.",
    { unit: "ms" },
  ),
  PA_RETRIES_PER_SECOND: variable(
    whole(1, 10_000).default(10),
    "Retries that each process may make per second, in addition to a tenth of the first attempts.",
  ),
  REGISTRY_URL: variable(
    httpUrl().default("https://recherche-entreprises.api.gouv.fr"),
    "Address of the company search.",
  ),
  KEEP_DAYS: variable(
    whole(0, 36_500).default(365),
    "Time for which sent notifications and finished downloads are stored; 0 stores them for ever. Invoices, histories and evidence are never deleted.",
    { unit: "days" },
  ),
};

export const reach = {
  PRIVATE_HOSTS: variable(
    hosts(),
    "Hosts in a private network that connectors, the PA and its directory may use: `name` or `name:port`, separated by commas. The included sandbox PA needs no entry.",
    { example: "erp.lan,pa.lan:8443" },
  ),
  PA_PRIVATE_HOSTS: variable(
    hosts(),
    "Former name of that list. It counts for the PA and its directory only.",
  ),
  CONFIG_VARIABLES: variable(
    names("names of variables separated by commas", /^[A-Za-z_]\w*$/),
    "Names, separated by commas, of the variables that `${NAME}` in a section may read. Sections read no other variable.",
    { example: "ERP_PASSWORD,ERP_HOST" },
  ),
  SQLITE_DIRS: variable(
    names("absolute paths separated by commas", /^\//),
    "Further folders in which SQLite files of pools may be stored: absolute paths, separated by commas.",
    { example: "/srv/erp" },
  ),
};

export const assistant = {
  AI_BASE_URL: variable(
    httpUrl().optional(),
    "Address of a language model with the API of OpenAI.",
    { example: "https://models.example/v1" },
  ),
  AI_API_KEY: variable(text().optional(), "Key of the language model."),
  AI_MODELS: variable(
    z.string().default(""),
    "Models that callers may choose, separated by commas. Required with `AI_BASE_URL`.",
    { example: "mistral-large-latest" },
  ),
  AI_DAILY_TOKENS: variable(
    whole(1, 1_000_000_000).default(1_000_000),
    "Tokens that one user may use per day (UTC).",
  ),
  AI_TURN_SECONDS: variable(
    number(0.1, 600).default(60),
    "Longest duration of one turn of the assistant.",
    { unit: "seconds" },
  ),
  AI_KEEP_DAYS: variable(
    whole(0, 36_500).default(90),
    "Time without a message after which a conversation is deleted, with its results and link. 0 keeps conversations for ever.",
    { unit: "days" },
  ),
};

export const work = {
  SERVICE_LANG: variable(
    z.enum(LANGUAGES).default("fr"),
    "Language of the installation, for callers of the invoicing API that name no language.",
  ),
  RUN_WAIT_SECONDS: variable(
    whole(0, 600).default(60),
    "Time that `/api/run` waits for the end of its run.",
    { unit: "seconds" },
  ),
  PROCESSING_CONCURRENCY: variable(
    whole(1, 64).default(Math.max(2, availableParallelism())),
    "Processing tasks in parallel, for each worker.",
    { preset: "number of cores, at least 2" },
  ),
  SUBMISSION_CONCURRENCY: variable(
    whole(1, 64).default(16),
    "Submissions and status messages in parallel, for each worker.",
  ),
  NOTIFICATION_CONCURRENCY: variable(
    whole(1, 64).default(2),
    "Notifications in parallel, for each worker.",
  ),
  JOBS_CONCURRENCY: variable(
    whole(1, 64).default(10),
    "Runs of jobs in parallel, for each worker.",
  ),
  XSLT_PROCESSES: variable(
    whole(1, 64).default(Math.max(1, Math.min(4, availableParallelism()))),
    "Child processes for stylesheets, for each process.",
    { preset: "number of cores, at most 4" },
  ),
  XSLT_TIMEOUT_SECONDS: variable(whole(1, 600).default(30), "Longest time of one transform.", {
    unit: "seconds",
  }),
  MAX_UPLOAD_MB: variable(whole(1, 4096).default(512), "Largest upload.", { unit: "MB" }),
  UPLOAD_DAILY_MB: variable(
    whole(1, 1_048_576).default(20_480),
    "Largest amount that a user adds per day (UTC) to the files. Calls that write are counted separately, with the same limit.",
    { unit: "MB" },
  ),
  UPLOAD_STALL_SECONDS: variable(
    number(0.1, 600).default(30),
    "Window in which an upload must make progress.",
    { unit: "seconds" },
  ),
  BODIES_IN_FLIGHT_MB: variable(
    whole(16, 65_536).default(128),
    "Memory for the request bodies that one process buffers at once.",
    { unit: "MB" },
  ),
  BODY_STALL_SECONDS: variable(
    number(0.1, 600).default(10),
    "Window in which a request body must make progress. See [Budgets](../explanation/security.md#budgets).",
    { unit: "seconds" },
  ),
  TASK_DEATHS: variable(
    whole(2, 1000).default(2),
    "A task is quarantined after this number of processes died while it was their only task. Use more if processes are often killed.",
  ),
  LEASE_MS: variable(whole(200, 600_000).default(30_000), "Lease of a task.", { unit: "ms" }),
  RETRY_BASE_MS: variable(
    whole(1, 600_000).default(2_000),
    "First delay between two attempts. Later delays grow.",
    { unit: "ms" },
  ),
  RETRY_CAP_MS: variable(
    whole(1, 86_400_000).default(3_600_000),
    "Longest delay between two attempts.",
    { unit: "ms" },
  ),
  QUEUE_POLL_MS: variable(
    whole(10, 60_000).default(1_000),
    "Interval at which the queue is polled.",
    { unit: "ms" },
  ),
  QUEUE_PREFIX: variable(
    z.string().regex(/^[\w-]+$/).default("passerelle"),
    "Prefix of the queue's keys in Redis. Installations that share a Redis need different prefixes.",
  ),
  // Only the tests that kill the product set it, so it has no description.
  CRASH_AT: z.string().regex(CRASH_SPEC).optional(),
};

/** The names of OpenTelemetry are those that its libraries read. */
export const telemetry = {
  SERVICE_LOG_LEVEL: variable(
    z.enum(["DEBUG", "INFO", "WARN", "ERROR"]).default("INFO"),
    "Least level of the log.",
  ),
  LOG_KEEP_DAYS: variable(
    whole(1, 3_650).default(14),
    "Time for which log entries stay in the database, for `GET /api/logs`.",
    { unit: "days" },
  ),
  LOG_KEEP_ENTRIES: variable(
    whole(0, 10_000_000).default(100_000),
    "Number of log entries in the database. 0 stores none.",
  ),
  METRICS_TOKEN: variable(
    z.string().min(16).optional(),
    "Token for `/metrics`, at least 16 characters.",
  ),
  METRICS_PORT: variable(
    whole(1, 65535).optional(),
    "Port on which a worker serves `/metrics`.",
    { example: "9464" },
  ),
  METRICS_HOST: variable(text().default("127.0.0.1"), "Address for that port."),
  OTEL_DENO: variable(
    z.string().optional(),
    "`true` sends traces and metrics over OTLP. On Node the endpoint suffices.",
    { example: "true" },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable(
    url("http:", "https:").optional(),
    "Address for OTLP. The other variables of OpenTelemetry work too, such as `OTEL_SERVICE_NAME`.",
    { example: "http://collector.example:4318" },
  ),
  OTEL_METRIC_EXPORT_INTERVAL: variable(
    whole(100, 3_600_000).default(60_000),
    "Time between two exports of metrics on Node.",
    { unit: "ms" },
  ),
  BUILD_ID: variable(
    z.string().regex(/^[\w.+-]{1,64}$/).optional(),
    "Build that `/api/healthz`, `/metrics` (`passerelle_info`) and `doctor` show. `docker build --build-arg BUILD_ID=…` sets it.",
    { preset: "commit of the checkout" },
  ),
};
