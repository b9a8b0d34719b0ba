import { sql } from "drizzle-orm";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { type Db, rowsOf } from "#src/ports/db.ts";

/** PostgreSQL 15. */
const LEAST_VERSION = 150_000;

/** A database as people know it: `host:port/name`, and who signs in. */
export interface Place {
  readonly where: string;
  readonly user: string;
}

/** Of an address; `localhost` and 5432 where it names none. */
export function placeOf(url: string): Place {
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
  /** The user may make tables in the schema public, and schemas beside it where they were not made already. */
  readonly creates: boolean;
}

/**
 * Asked before anything is begun: a statement that fails on the way says less. Throws AppError `unavailable` where the server
 * cannot be reached or lets nobody in, `refused` where the product cannot live in this database.
 */
export async function checkServer(db: Db, place: Place): Promise<void> {
  const facts = await factsOf(db).catch((cause) => {
    throw new AppError("unavailable", unreached(place.where, cause), { cause });
  });
  const problem = problemOf(facts, place);
  if (problem) throw new AppError("refused", problem);
}

/** As `checkServer`, of `DATABASE_URL`, with the server's own reason: whoever reads it is at this machine. */
export async function reachServer(db: Db, url: string): Promise<void> {
  await checkServer(db, placeOf(url)).catch((error) => {
    if (!(error instanceof AppError) || error.cause === undefined) throw error;
    const { code, sentence, cause } = error;
    throw new AppError(code, say`${sentence} (${messageOf(cause)})`, { cause });
  });
}

async function factsOf(db: Db): Promise<Facts | undefined> {
  return rowsOf<Facts>(
    await db.execute(sql`select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      current_setting('transaction_read_only') = 'off' as writes,
      (to_regclass('public.schema_migrations') is not null or
        has_database_privilege(current_database(), 'create')) and
        coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false) as creates`),
  )[0];
}

function problemOf(facts: Facts | undefined, { where, user }: Place): Sentence | undefined {
  if (facts === undefined || facts.version < LEAST_VERSION) {
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

/** What there is to mend where TLS is not agreed on; else one sentence, whatever lies there. */
function unreached(where: string, error: unknown): Sentence {
  const cause = error instanceof Error ? error.cause ?? error : error;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  if (/does not support SSL/.test(String(message))) {
    return say`The server of ${where} speaks no TLS; where the way to it is safe, ssl.mode disable does without`;
  }
  if (
    /CERT|ALTNAME|SELF_SIGNED|LEAF_SIGNATURE/.test(String(code)) ||
    /certificate/i.test(String(message))
  ) {
    return say`The certificate of ${where} proves nothing: ssl.ca_file names the file of whoever signed it`;
  }
  return say`The database ${where} cannot be reached, or does not let this user in`;
}
