import { desc, eq, isNull, sql } from "drizzle-orm";
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { signingKeys } from "#drizzle/schema/mod.ts";
import type { Clock } from "#src/ports/clock.ts";
import type { Db } from "#src/ports/db.ts";
import type { Vault } from "#src/ports/vault.ts";

/** Ed25519 (RFC 8037). */
export const ALGORITHM = "EdDSA";
const LOCK = 728_120; // any number, the same in every process

/** Dependencies of the keys. */
export interface KeyDeps {
  readonly clock: Clock;
  readonly db: Db;
  readonly vault: Vault;
}
interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}
/** The key that signs, and those by which tokens are still verified. */
export interface KeyRing {
  readonly signing: SigningKey;
  readonly createdAt: Date;
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  readonly publicJwks: readonly JWK[];
}
interface KeyLife {
  /** Age at which a new key replaces the signing key. */
  readonly rotateAfterMs: number;
  /** Time that a retired key still verifies: a little longer than any token lives. */
  readonly keptMs: number;
}

/**
 * Reads the keys that all processes share, sealed in the database; makes a new one if none exists or the newest
 * is too old.
 */
export async function readKeyRing(deps: KeyDeps, life: KeyLife): Promise<KeyRing> {
  const rows = await listAcceptedKeys(deps, life);
  const newest = rows[0];
  const tooOld = deps.clock.now().getTime() - life.rotateAfterMs;
  if (newest && newest.createdAt.getTime() > tooOld) return await readRing(rows, deps.vault);
  await addKey(deps, { unlessNewerThan: new Date(tooOld) });
  return await readRing(await listAcceptedKeys(deps, life), deps.vault);
}

/** Adds a signing key and retires the others. If several processes do so, one wins and the rest use its key. */
export function addKey(
  deps: KeyDeps,
  { unlessNewerThan, forget }: { unlessNewerThan?: Date; forget?: boolean },
): Promise<void> {
  return deps.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    const [newest] = await tx.select().from(signingKeys).where(isNull(signingKeys.retiredAt))
      .orderBy(desc(signingKeys.createdAt)).limit(1);
    if (unlessNewerThan && newest && newest.createdAt > unlessNewerThan) return;
    if (forget) await tx.delete(signingKeys);
    await tx.update(signingKeys).set({ retiredAt: deps.clock.now() }).where(
      isNull(signingKeys.retiredAt),
    );
    await tx.insert(signingKeys).values(await newKey(deps));
  });
}

/** Seals the private keys with the vault's current key; resolves to the number of keys sealed again. */
export async function renewSigningKeys({ db, vault }: Pick<KeyDeps, "db" | "vault">) {
  let renewed = 0;
  for (const { kid, privateJwk } of await db.select().from(signingKeys)) {
    const sealed = vault.renewed(privateJwk, getContext(kid));
    if (sealed === privateJwk) continue;
    await db.update(signingKeys).set({ privateJwk: sealed }).where(eq(signingKeys.kid, kid));
    renewed++;
  }
  return renewed;
}

async function newKey({ clock, vault }: KeyDeps): Promise<typeof signingKeys.$inferInsert> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = crypto.randomUUID();
  const publicJwk = { ...await exportJWK(publicKey), kid, alg: ALGORITHM, use: "sig" };
  const privateJwk = vault.seal(JSON.stringify(await exportJWK(privateKey)), getContext(kid));
  return { kid, privateJwk, publicJwk, createdAt: clock.now() };
}

/** Newest first. */
async function listAcceptedKeys({ clock, db }: KeyDeps, { keptMs }: KeyLife) {
  const rows = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt));
  const oldest = clock.now().getTime() - keptMs;
  return rows.filter((it) => !it.retiredAt || it.retiredAt.getTime() > oldest);
}

async function readRing(
  rows: Awaited<ReturnType<typeof listAcceptedKeys>>,
  vault: Vault,
): Promise<KeyRing> {
  const newest = rows.find((it) => !it.retiredAt);
  if (!newest) throw new Error("The key that signs was removed while it was read");
  const verifying = await Promise.all(
    rows.map(async (it) => [it.kid, await importKey(it.publicJwk)] as const),
  );
  const secret = JSON.parse(vault.open(newest.privateJwk, getContext(newest.kid))) as JWK;
  return {
    signing: { kid: newest.kid, privateKey: await importKey(secret) },
    createdAt: newest.createdAt,
    verifying: new Map(verifying),
    publicJwks: rows.map((it) => it.publicJwk as JWK),
  };
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  return await importJWK(jwk, ALGORITHM) as CryptoKey;
}

function getContext(kid: string): string {
  return `signing key ${kid}`;
}
