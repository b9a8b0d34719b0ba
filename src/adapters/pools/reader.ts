import { computeSha256 } from "#src/kernel/sha256.ts";
import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { sql } from "drizzle-orm";
import pg from "pg";
import type { PgliteClient, StartedPglite } from "#src/adapters/pglite/client.ts";
import { AppError, findCause, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { DatabasePool } from "#src/ports/pool.ts";
import { pglitePool } from "./pglite/pool.ts";
import { postgresPool } from "./postgres/pool.ts";

/** Schema of the views that the reader of the product's own database sees; all else is hidden. */
const VIEWS = "passerelle";
const ROLE = "passerelle_reader";
/** Some seconds of the embedded database; a list of 100,000 invoices costs a hundredth of it. */
const MAX_COST = 1_000_000;
const LOCK = 728_151; // any number, the same in every process

const CONNECTIONS = { min: 0, max: 4, acquireMs: 5_000, idleMs: 30_000, lifetimeMs: 1_800_000 };
const SESSION = {
  applicationName: "passerelle-reader",
  timeZone: "UTC",
  searchPath: [VIEWS],
  idleInTransactionMs: 60_000,
};

/**
 * Opens the reading role of a server. The role signs in itself: a role taken on within a session could be laid
 * down again. The product creates it if it may; otherwise `POOL_PASSERELLE_URL` names one. Throws AppError
 * `unavailable` if the role is missing.
 */
export async function serverReader(
  db: Db,
  { url, given, secret }: { url: string; given: string | undefined; secret: string },
): Promise<DatabasePool> {
  const reader = given ?? await ownReader(db, { url, secret });
  await allow(db, decodeURIComponent(new URL(reader).username));
  return postgresPool({ url: reader, connections: CONNECTIONS, session: SESSION });
}

/**
 * Returns the statement that an administrator of the server runs where the product may not create its reader;
 * undefined where the reader can sign in. The statement contains a SCRAM verifier, which is useless for signing
 * in.
 */
export async function readerStatement(
  db: Db,
  given: Parameters<typeof serverReader>[1],
): Promise<string | undefined> {
  try {
    const pool = await serverReader(db, given);
    await pool.read({ text: "select 1", values: [] }, CHECK).finally(() => pool.close());
    return undefined;
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    const isDenied = getCode(cause) === FORBIDDEN || getCode(cause) === WRONG_PASSWORD;
    if (given.given !== undefined || !isDenied) throw error;
    const { role, verifier } = getCredentials(given);
    const verb = await hasRole(db, role) ? "alter" : "create";
    const [name, password] = [pg.escapeIdentifier(role), pg.escapeLiteral(verifier)];
    return `${verb} role ${name} with login nocreatedb nocreaterole password ${password};`;
  }
}

const CHECK = { timeoutMs: 5_000, maxRows: 1, maxBytes: 1_000 };
const FORBIDDEN = "42501";
const WRONG_PASSWORD = "28P01";

function getCode(error: unknown): unknown {
  return (findCause(error) as { code?: unknown } | undefined)?.code;
}

/** Its name is the database's, its password follows from the installation's secret: every process makes the same. */
async function ownReader(db: Db, given: { url: string; secret: string }): Promise<string> {
  const { role, password, verifier } = getCredentials(given);
  const [name, kept] = [
    sql.raw(pg.escapeIdentifier(role)),
    sql.raw(pg.escapeLiteral(verifier)),
  ];
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    if (!await hasRole(tx, role)) await tx.execute(sql`create role ${name}`);
    await tx.execute(sql`alter role ${name} with login nocreatedb nocreaterole password ${kept}`);
  }).catch(async (cause) => {
    // An administrator created it by `readerStatement`; only its owner may change it.
    if (getCode(cause) === FORBIDDEN && await hasRole(db, role)) return;
    throw new AppError("unavailable", say`The reading role of the database is missing`, {
      cause,
      reason:
        say`the product may not create the role ${role}: run the statement that deno task -q cli doctor prints, or set POOL_PASSERELLE_URL (${
          toMessage(cause)
        })`,
    });
  });
  return Object.assign(new URL(given.url), { username: role, password }).href;
}

async function hasRole(db: Db, role: string): Promise<boolean> {
  return (await db.select({ one: sql`1` }).from(sql`pg_roles where rolname = ${role}`)).length > 0;
}

function getCredentials({ url, secret }: { url: string; secret: string }) {
  const digest = computeSha256(new URL(url).pathname);
  const role = `${ROLE}_${digest.slice(0, 12)}`;
  const password = createHmac("sha256", secret).update(role).digest("hex");
  return { role, password, verifier: scramVerifier(password, role) };
}

async function allow(db: Db, role: string): Promise<void> {
  const [views, name] = [VIEWS, role].map((it) => sql.raw(pg.escapeIdentifier(it)));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    await tx.execute(sql`grant usage on schema ${views} to ${name}`);
    await tx.execute(sql`grant select on all tables in schema ${views} to ${name}`);
  });
}

/** Computes the verifier that PostgreSQL stores (RFC 5803), so that no log of the server contains the password. */
function scramVerifier(password: string, name: string): string {
  const rounds = 4096;
  const salt = createHash("sha256").update(`salt of ${name}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, rounds, 32, "sha256");
  const key = (what: string) => createHmac("sha256", salted).update(what).digest();
  const stored = createHash("sha256").update(key("Client Key")).digest("base64");
  const server = key("Server Key").toString("base64");
  return `SCRAM-SHA-256$${rounds}:${salt.toString("base64")}$${stored}:${server}`;
}

/**
 * Opens the reading role of the embedded database, which has one session, a superuser's. The role is taken on for
 * each transaction. Only the superuser may call functions that lay down a role or block the one connection.
 */
export async function embeddedReader(
  client: PgliteClient & Partial<Pick<StartedPglite, "abandon">>,
): Promise<DatabasePool> {
  await client.exec(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE}; end if;
    end $$;
    grant usage on schema ${VIEWS} to ${ROLE};
    grant select on all tables in schema ${VIEWS} to ${ROLE};
    revoke execute on function pg_catalog.set_config(text, text, boolean), pg_catalog.pg_sleep(double precision),
      pg_catalog.pg_sleep_for(interval), pg_catalog.pg_sleep_until(timestamptz) from public`);
  const { abandon } = client;
  const bounds = { role: ROLE, searchPath: VIEWS, maxCost: MAX_COST };
  return pglitePool(client, abandon ? { ...bounds, abandon } : bounds);
}
