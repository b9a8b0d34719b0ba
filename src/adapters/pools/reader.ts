import { createHash, createHmac, pbkdf2Sync } from "node:crypto";
import { sql } from "drizzle-orm";
import pg from "pg";
import type { PgliteClient } from "#src/adapters/pglite/client.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import type { Pool } from "#src/ports/pool.ts";
import { pglitePool } from "./pglite/pool.ts";
import { postgresPool } from "./postgres/pool.ts";

/** The schema of views that the reader of the product's own database sees, and nothing else of ours. */
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
 * On a server: a role that signs in by itself, for whoever only takes on a role within a session can lay it down again. The
 * product makes it where it may; else `POOL_PASSERELLE_URL` names one. Throws AppError `unavailable` where there is none.
 */
export async function serverReader(
  db: Db,
  { url, given, secret }: { url: string; given: string | undefined; secret: string },
): Promise<Pool> {
  const reader = given ?? await ownReader(db, { url, secret });
  await allow(db, decodeURIComponent(new URL(reader).username));
  return postgresPool({ url: reader, connections: CONNECTIONS, session: SESSION });
}

/** Its name is the database's, its password follows from the installation's secret: every process makes the same. */
async function ownReader(
  db: Db,
  { url, secret }: { url: string; secret: string },
): Promise<string> {
  const address = new URL(url);
  const role = `${ROLE}_${
    createHash("sha256").update(address.pathname).digest("hex").slice(0, 12)
  }`;
  const password = createHmac("sha256", secret).update(role).digest("hex");
  const name = sql.raw(pg.escapeIdentifier(role));
  const verifier = sql.raw(pg.escapeLiteral(scramVerifier(password, role)));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    const there = await tx.select({ one: sql`1` }).from(sql`pg_roles where rolname = ${role}`);
    if (!there.length) await tx.execute(sql`create role ${name}`);
    await tx.execute(
      sql`alter role ${name} with login nocreatedb nocreaterole password ${verifier}`,
    );
  }).catch((cause) => {
    throw new AppError(
      "unavailable",
      say`The product may not make a role that reads its database; POOL_PASSERELLE_URL names one`,
      { cause },
    );
  });
  return Object.assign(address, { username: role, password }).href;
}

async function allow(db: Db, role: string): Promise<void> {
  const [views, name] = [VIEWS, role].map((it) => sql.raw(pg.escapeIdentifier(it)));
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    await tx.execute(sql`grant usage on schema ${views} to ${name}`);
    await tx.execute(sql`grant select on all tables in schema ${views} to ${name}`);
  });
}

/** As PostgreSQL keeps it (RFC 5803), so that no log of the server holds the password. */
function scramVerifier(password: string, name: string): string {
  const rounds = 4096;
  const salt = createHash("sha256").update(`salt of ${name}`).digest().subarray(0, 16);
  const salted = pbkdf2Sync(password, salt, rounds, 32, "sha256");
  const keyed = (what: string) => createHmac("sha256", salted).update(what).digest();
  const stored = createHash("sha256").update(keyed("Client Key")).digest("base64");
  const server = keyed("Server Key").toString("base64");
  return `SCRAM-SHA-256$${rounds}:${salt.toString("base64")}$${stored}:${server}`;
}

/**
 * Embedded there is one session, a superuser's. Its reader is a role taken on for a transaction, in a database where nobody but the
 * superuser may call what lays a role down again, nor what holds up the one connection.
 */
export async function embeddedReader(client: PgliteClient): Promise<Pool> {
  await client.exec(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${ROLE}') then create role ${ROLE}; end if;
    end $$;
    grant usage on schema ${VIEWS} to ${ROLE};
    grant select on all tables in schema ${VIEWS} to ${ROLE};
    revoke execute on function pg_catalog.set_config(text, text, boolean), pg_catalog.pg_sleep(double precision),
      pg_catalog.pg_sleep_for(interval), pg_catalog.pg_sleep_until(timestamptz) from public`);
  return pglitePool(client, { role: ROLE, searchPath: VIEWS, maxCost: MAX_COST });
}
