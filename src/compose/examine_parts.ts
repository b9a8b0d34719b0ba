import { sql } from "drizzle-orm";
import { Redis } from "ioredis";
import { access, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import process from "node:process";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import { pendingMigrations } from "#src/adapters/postgres/migrate.ts";
import { s3Chunks } from "#src/adapters/s3/s3_chunks.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { readMailSettings } from "#src/gateway/mail/mod.ts";
import { isSendingOff } from "#src/platform/setup/mod.ts";
import { checkPa, isPaConfigured } from "#src/gateway/submission/mod.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { VERSION } from "#src/kernel/version.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import type { Examined } from "#src/ports/examined.ts";
import { buildId } from "./build_id.ts";
import { migrationsMissing, missingReader, shippedMigrations } from "./database.ts";
import { reachServer } from "./server.ts";
import { sealedOtherwise } from "./secrets.ts";
import { variablesSealedOtherwise, withOpenedVariables } from "./sealed_variables.ts";

type Look = () => Promise<Omit<Examined, "what">>;

const NEED_MS = 10_000;
const GB = 1024 ** 3;

/** Examines the machine and its servers; the database comes last. */
export async function* examineMachine(config: Config): AsyncGenerator<Examined> {
  yield { what: say`version`, state: "ok", found: `${VERSION} (${await buildId(config)})` };
  yield await examinePart(say`runtime`, runtime);
  yield await examinePart(say`disk`, () => disk(config));
  if (config.redisUrl) {
    yield await examinePart(say`Redis`, () => redis(config.redisUrl ?? ""), TO_REDIS);
  }
  if (config.files.s3) yield await examinePart(say`S3 bucket`, () => bucket(config), TO_BUCKET);
  if (config.databaseUrl) {
    yield await examinePart(say`database`, () => server(config.databaseUrl ?? ""), TO_DATABASE);
  }
}

/** Examines the parts that an open product knows. */
export async function* examineProduct(deps: Deps, config: Config): AsyncGenerator<Examined> {
  if (!deps.database.embedded) {
    yield await examinePart(say`reading role`, () => reader(deps, config));
  }
  yield await examinePart(say`files`, () => files(deps));
  yield await examinePart(say`secrets`, () => secrets(deps, config), TO_SECRETS);
  yield await examinePart(say`queues`, () => queues(deps));
  yield await examinePart(say`clock`, () => clock(deps));
  yield await examinePart(say`PA`, () => pa(deps, config));
  yield await examinePart(say`mail`, () => mail(deps), TO_MAIL);
}

/** Examines one part. `ifBroken` says what to do if the part cannot be examined. */
async function examinePart(what: Sentence, look: Look, ifBroken?: Sentence): Promise<Examined> {
  try {
    return { what, ...await look() };
  } catch (error) {
    const found = error instanceof AppError ? error.sentence : toMessage(error);
    return { what, state: "failed", found, advice: ifBroken };
  }
}

const TO_REDIS = say`Check REDIS_URL, and that its server takes calls from this machine`;
const TO_DATABASE = say`Check DATABASE_URL, and that its server takes calls from this machine`;
const TO_BUCKET =
  say`Check FILES, AWS_ENDPOINT_URL_S3, AWS_REGION and the keys, and that the bucket is there`;
const TO_SECRETS =
  say`Start with the SECRET_KEY it was sealed by, or name that in SECRET_KEY_OLD; where it is lost, enter the secret again`;
const TO_PA = say`Check URL and proof of identity in the template e-invoicing, and the way there`;
const TO_MAIL = say`Check the properties smtp… of the template global, and the way to the server`;

const runtime: Look = () => {
  const { deno, node = "" } = process.versions as Record<string, string | undefined>;
  const found = deno === undefined ? `Node ${node}` : `Deno ${deno}`;
  if (deno !== undefined || Number(node.split(".")[0]) >= 24) {
    return Promise.resolve({ state: "ok", found });
  }
  return Promise.resolve({ state: "failed", found, advice: say`Node 24 or newer is needed` });
};

async function disk({ dataDir }: Config): ReturnType<Look> {
  let folder = dataDir; // or the folder in which it will be created
  while (!await isThere(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const left = bavail * bsize;
  const found = say`${(left / GB).toFixed(1)} GB left for ${dataDir}`;
  if (left >= GB) return { state: "ok", found };
  return {
    state: "warning",
    found,
    advice: say`Make room: a full disk stops uploads and the embedded database`,
  };
}

export function isThere(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false);
}

async function redis(url: string): ReturnType<Look> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: NEED_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let failure: unknown;
  client.on("error", (error) => void (failure = error));
  try {
    await client.connect().catch((error) => {
      throw new AppError("unavailable", say`It cannot be reached: ${toMessage(failure ?? error)}`);
    });
    const info = await client.info();
    const field = (name: string) => new RegExp(`^${name}:(.*)$`, "m").exec(info)?.[1]?.trim() ?? "";
    const found = say`Redis ${field("redis_version")}, maxmemory-policy ${
      field("maxmemory_policy")
    }`;
    if (field("maxmemory_policy") !== "noeviction") {
      const advice = say`Set maxmemory-policy noeviction: any other throws waiting work away`;
      return { state: "failed", found, advice };
    }
    if (Number(field("redis_version").split(".")[0]) < 7) {
      return { state: "warning", found, advice: say`Redis 7 or newer is supported` };
    }
    return { state: "ok", found };
  } finally {
    client.disconnect();
  }
}

async function bucket(config: Config): ReturnType<Look> {
  const { files } = await withOpenedVariables(config);
  if (!files.s3) throw new Error("No bucket is configured");
  const chunks = s3Chunks({ ...files.s3, timeoutMs: NEED_MS });
  const name = `examined-${crypto.randomUUID()}`;
  await chunks.put(name, 0, new TextEncoder().encode(name));
  const got = await chunks.get(name, 0, { from: 0, length: name.length });
  await chunks.remove(name);
  const found = say`${files.s3.bucket} stores, returns and deletes files`;
  if (got && new TextDecoder().decode(got) === name) return { state: "ok", found };
  return {
    state: "failed",
    found: say`${files.s3.bucket} returned other bytes than were stored`,
  };
}

async function server(url: string): ReturnType<Look> {
  await using database = openPostgres(url, { max: 1 });
  const { db } = database;
  await reachServer(db, url);
  const sent = Date.now();
  const [row] = getRows<{ version: string; now_ms: string }>(
    await db.execute(sql`select current_setting('server_version') as version,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms`),
  );
  const { version = "", now_ms = "0" } = row ?? {};
  const offS = Math.round((Number(now_ms) - (sent + Date.now()) / 2) / 1000);
  const found = say`PostgreSQL ${version}, this machine's clock ${offS} s behind it`;
  const pending = await pendingMigrations(db, await shippedMigrations());
  if (pending.length) {
    return { state: "failed", found, advice: migrationsMissing(pending) };
  }
  if (Math.abs(offS) <= 5) return { state: "ok", found };
  const advice =
    say`Set this machine's clock: the product corrects it, its logs and certificates do not`;
  return { state: "warning", found, advice };
}

/** Introduces the statement that an administrator of the server must run. */
export const READER_MISSING =
  say`The user of the database may not create the role that screens and queries of the product's own data read with; an administrator of the server runs`;

async function reader({ db }: { db: Db }, config: Config): ReturnType<Look> {
  const statement = await missingReader(db, await withOpenedVariables(config));
  if (statement === undefined) return { state: "ok", found: say`it signs in` };
  return { state: "failed", found: READER_MISSING, advice: say`${statement}` };
}

async function files({ storage }: Pick<Deps, "storage">): ReturnType<Look> {
  const [entries, free] = await Promise.all([storage.list(storage.root), storage.free()]);
  // The user who runs the doctor also operates the server.
  const found = say`${entries.length} entries in ${String(storage.root)}, ${
    (free / GB).toFixed(1)
  } GB left`;
  if (free > GB / 10) return { state: "ok", found };
  return { state: "warning", found, advice: say`Make room, or raise FILES_MAX_GB` };
}

async function secrets(
  deps: Parameters<typeof sealedOtherwise>[0],
  config: Config,
): ReturnType<Look> {
  const others = await sealedOtherwise(deps);
  const variables = await variablesSealedOtherwise(config);
  if (variables.length) {
    return {
      state: "warning",
      found: say`${others} places and ${variables} are sealed by SECRET_KEY_OLD still`,
      advice:
        say`deno task -q cli secrets rotate, and encrypt the variables' values again (POST /api/fmw/encrypt); then SECRET_KEY_OLD can go`,
    };
  }
  if (!others) return { state: "ok", found: say`all that are stored open with SECRET_KEY` };
  return {
    state: "warning",
    found: say`${others} places are sealed by SECRET_KEY_OLD still`,
    advice: say`deno task -q cli secrets rotate, then SECRET_KEY_OLD can go`,
  };
}

async function queues({ db }: { db: Db }): ReturnType<Look> {
  const [row] = getRows<{ stopped: number; due: number; oldest_s: number }>(
    await db.execute(sql`
    select count(*) filter (where state in ('dead', 'poisoned'))::int as stopped,
      count(*) filter (where state = 'ready' and run_at <= now())::int as due,
      coalesce(extract(epoch from now() - min(run_at) filter (where state = 'ready' and run_at <= now())), 0)::int as oldest_s
    from tasks`),
  );
  const { stopped = 0, due = 0, oldest_s: oldest = 0 } = row ?? {};
  const found = say`${due} tasks are due, the oldest for ${oldest} s; ${stopped} were given up`;
  if (oldest > 600) {
    return {
      state: "failed",
      found,
      advice: say`No worker takes them: start one (deno task worker)`,
    };
  }
  if (!stopped) return { state: "ok", found };
  return { state: "warning", found, advice: say`Look at them: GET /api/tasks` };
}

async function clock({ db }: { db: Db }): ReturnType<Look> {
  const [row] = getRows<{ at: string; seconds: number; moved: number }>(
    await db.execute(sql`
    select to_char(put_back_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') as at, round(put_back_s)::int as seconds, moved
    from clock_marks where put_back_at > now() - interval '7 days'`),
  );
  if (!row) return { state: "ok", found: say`the database's clock runs forward` };
  return {
    state: "warning",
    found:
      say`the database's clock was put back by ${row.seconds} s at ${row.at}; ${row.moved} due times were moved with it`,
    advice: say`Check the time service (NTP) of the machine of the database`,
  };
}

async function pa(deps: Parameters<typeof checkPa>[0], { sandbox }: Config): ReturnType<Look> {
  if (!await isPaConfigured(deps)) {
    if (sandbox.enabled) {
      return { state: "ok", found: say`the sandbox PA, which starts with the product` };
    }
    const advice = say`Name it in the template e-invoicing`;
    return { state: "failed", found: say`none is configured: nothing can be sent`, advice };
  }
  if (await isSendingOff(deps)) {
    const advice =
      say`Start without SENDING=off, and run deno task -q cli sending on: what waits is sent then`;
    return { state: "warning", found: say`sending is off: nothing leaves`, advice };
  }
  const health = await checkPa(deps, AbortSignal.timeout(NEED_MS));
  if (!health.reachable) {
    return { state: "failed", found: health.error ?? say`it does not answer`, advice: TO_PA };
  }
  const found = say`${health.name} answered in ${health.latencyMs} ms, breaker ${health.breaker}`;
  return { state: health.breaker === "closed" ? "ok" : "warning", found };
}

async function mail(deps: Pick<Deps, "db" | "mailer" | "vault">): ReturnType<Look> {
  const { server: to, from } = await readMailSettings(deps);
  if (!to) {
    const found = say`no mail server: messages are written into a folder`;
    return {
      state: "warning",
      found,
      advice: say`Set smtpHost and smtpFrom in the template global`,
    };
  }
  await deps.mailer.verify(to);
  return { state: "ok", found: say`${to.host}:${to.port} takes mail from ${from}` };
}
