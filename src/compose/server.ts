import { sql } from "drizzle-orm";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { type Db, getRows } from "#src/ports/db.ts";

/** Minimum version of PostgreSQL: 15. */
const MIN_VERSION = 150_000;

/** Database in readable form: `host:port/name` and its user. */
export interface DatabaseAddress {
  readonly where: string;
  readonly user: string;
}

/** Parses a database URL; the defaults are `localhost` and 5432. */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const { hostname, port, pathname, username } = new URL(url);
  return {
    where: `${hostname || "localhost"}:${port || 5432}${decodeURIComponent(pathname)}`,
    user: decodeURIComponent(username),
  };
}

interface Facts {
  readonly version: number;
  readonly encoding: string;
  readonly writes: boolean;
  /** True if the user may create schemas, or they exist, and may create tables in the schema public. */
  readonly creates: boolean;
}

/**
 * Checks the server before any statement runs, to report a clearer cause. Throws AppError `unavailable` if the server
 * cannot be reached or rejects the user. Throws `refused` if the database does not suit the product.
 */
export async function checkServer(db: Db, place: DatabaseAddress): Promise<void> {
  const facts = await readFacts(db).catch((cause) => {
    throw new AppError("unavailable", explainUnreachable(place.where, cause), { cause });
  });
  const problem = toProblem(facts, place);
  if (problem) throw new AppError("refused", problem);
}

/** Checks the server of `DATABASE_URL` like `checkServer`, and reports the server's own error to the operator. */
export async function reachServer(db: Db, url: string): Promise<void> {
  await checkServer(db, parseDatabaseUrl(url)).catch((error) => {
    if (!(error instanceof AppError) || error.cause === undefined) throw error;
    const { code, sentence, cause } = error;
    throw new AppError(code, say`${sentence} (${toMessage(cause)})`, { cause });
  });
}

async function readFacts(db: Db): Promise<Facts | undefined> {
  return getRows<Facts>(
    await db.execute(sql`select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') = 'off' as writes,
      (to_regclass('public.schema_migrations') is not null or
        has_database_privilege(current_database(), 'create')) and
        coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false) as creates`),
  )[0];
}

function toProblem(
  facts: Facts | undefined,
  { where, user }: DatabaseAddress,
): Sentence | undefined {
  if (facts === undefined || facts.version < MIN_VERSION) {
    return say`The server of ${where} is older than PostgreSQL 15`;
  }
  if (facts.encoding !== "UTF8") {
    return say`The database ${where} holds texts as ${facts.encoding}; it has to be made with UTF8`;
  }
  if (!facts.writes) {
    return say`The database ${where} takes no writes: it is a copy for reading, or was set so`;
  }
  return facts.creates
    ? undefined
    : say`The user ${user} may make no tables in ${where}; it has to own this database`;
}

/** Explains how to fix a TLS failure; other failures get one general sentence. */
function explainUnreachable(where: string, error: unknown): Sentence {
  const cause = error instanceof Error ? error.cause ?? error : error;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  if (/does not support SSL/.test(String(message))) {
    return say`The server of ${where} speaks no TLS; where the way to it is safe, ssl.mode disable does without`;
  }
  if (
    /CERT|ALTNAME|SELF_SIGNED|LEAF_SIGNATURE/.test(String(code)) ||
    /certificate/i.test(String(message))
  ) {
    return say`The certificate of ${where} is not trusted: set ssl.ca_file to the certificate file of its authority`;
  }
  return say`The database ${where} cannot be reached, or does not let this user in`;
}
