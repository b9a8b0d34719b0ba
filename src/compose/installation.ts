import { sql } from "drizzle-orm";
import { stat } from "node:fs/promises";
import { authorities } from "#src/adapters/pools/open_pool.ts";
import { openPostgres } from "#src/adapters/postgres/database.ts";
import type { Config } from "#src/config/config.ts";
import { tlsMode } from "#src/definitions/pools.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { type Database, type Db, rowsOf } from "#src/ports/db.ts";
import type { Installation } from "#src/ports/installation.ts";
import type { Vault } from "#src/ports/vault.ts";
import { databaseFolder } from "./database.ts";
import { movedTo, rememberMove, urlOf } from "./moved.ts";

/** PostgreSQL 15. */
const LEAST_VERSION = 150_000;

/** The transaction on the server waits while a large table of the embedded database is read through. */
const IDLE_TRANSACTION_MS = 3_600_000;

/** Where an embedded database lies: the folder itself, which a copy of it is not. */
export async function folderHome(config: Pick<Config, "privateDir">): Promise<string> {
  const { dev, ino } = await stat(databaseFolder(config), { bigint: true });
  return `folder ${dev}/${ino}`;
}

export function composeInstallation(
  config: Config,
  { database, vault }: { database: Database; vault: Vault },
): Installation {
  return {
    isEmbedded: async () => database.embedded && await movedTo(config) === undefined,
    async open(address) {
      const { host, port, database: name, ssl } = address;
      const where = `${host}:${port}/${name}`;
      await checkAuthorities({ mode: tlsMode(host, ssl), caFile: ssl?.ca_file });
      const server = openPostgres(urlOf(address), {
        max: 2,
        idleTransactionMs: IDLE_TRANSACTION_MS,
      });
      const facts = await factsOf(server.db).catch(async (error) => {
        await server[Symbol.asyncDispose]();
        throw new AppError("unavailable", unreached(where, error));
      });
      const problem = problemOf(facts, { where, user: address.user });
      if (!problem) return server;
      await server[Symbol.asyncDispose]();
      throw new AppError("refused", problem);
    },
    async freeze() {
      await database.script("set default_transaction_read_only = on");
      return () => database.script("set default_transaction_read_only = off");
    },
    moveTo: (address) => rememberMove(config, { address, vault }),
  };
}

interface Facts {
  readonly version: number;
  readonly encoding: string;
  /** The user may make tables in the schema public, and schemas beside it. */
  readonly creates: boolean;
}

async function factsOf(db: Db): Promise<Facts | undefined> {
  return rowsOf<Facts>(
    await db.execute(sql`select current_setting('server_version_num')::int as version,
      current_setting('server_encoding') as encoding,
      has_database_privilege(current_database(), 'create') and
        coalesce(has_schema_privilege(to_regnamespace('public'), 'create'), false) as creates`),
  )[0];
}

/** Asked before anything is begun: a statement that fails on the way says less. */
function problemOf(
  facts: Facts | undefined,
  { where, user }: { where: string; user: string },
): Sentence | undefined {
  if (facts === undefined || facts.version < LEAST_VERSION) {
    return say`The server of ${where} is older than PostgreSQL 15`;
  }
  if (facts.encoding !== "UTF8") {
    return say`The database ${where} holds texts as ${facts.encoding}; it has to be made with UTF8`;
  }
  return facts.creates
    ? undefined
    : say`The user ${user} may make no tables in ${where}; it has to own this database`;
}

/** Here the caller named the file, no administrator before: the call is refused, the product is not at fault. */
async function checkAuthorities(ssl: Parameters<typeof authorities>[0]["ssl"]): Promise<void> {
  try {
    await authorities({ ssl });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError("refused", error.sentence, { cause: error });
  }
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
