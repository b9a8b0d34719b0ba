import { desc, eq, isNull, sql } from "drizzle-orm";
import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { signingKeys } from "#drizzle/schema/mod.ts";
import type { Clock } from "#src/ports/clock.ts";
import type { Db } from "#src/ports/db.ts";
import type { Vault } from "#src/ports/vault.ts";

/** Ed25519 (RFC 8037). */
export const ALGORITHM = "EdDSA";
const LOCK = 728_120; // any number, the same in every process

/** What the keys need of the outside. */
export interface KeyNeeds {
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
  /** After so long a new key signs. */
  readonly rotateAfterMs: number;
  /** How long a retired key still verifies: a little longer than any token lives. */
  readonly keptMs: number;
}

/** The keys all processes share, sealed in the database; made when there is none or the newest is too old. */
export async function readKeyRing(needs: KeyNeeds, life: KeyLife): Promise<KeyRing> {
  const rows = await accepted(needs, life);
  const newest = rows[0];
  const tooOld = needs.clock.now().getTime() - life.rotateAfterMs;
  if (newest && newest.createdAt.getTime() > tooOld) return await ringOf(rows, needs.vault);
  await addKey(needs, { unlessNewerThan: new Date(tooOld) });
  return await ringOf(await accepted(needs, life), needs.vault);
}

/** Adds the key that signs from now on and retires the others. One of several processes wins; the rest use its key. */
export function addKey(
  needs: KeyNeeds,
  { unlessNewerThan, forget }: { unlessNewerThan?: Date; forget?: boolean },
): Promise<void> {
  return needs.db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
    const [newest] = await tx.select().from(signingKeys).where(isNull(signingKeys.retiredAt))
      .orderBy(desc(signingKeys.createdAt)).limit(1);
    if (unlessNewerThan && newest && newest.createdAt > unlessNewerThan) return;
    if (forget) await tx.delete(signingKeys);
    await tx.update(signingKeys).set({ retiredAt: needs.clock.now() }).where(
      isNull(signingKeys.retiredAt),
    );
    await tx.insert(signingKeys).values(await newKey(needs));
  });
}

/** Seals the private keys by the vault's key of today; resolves to how many were sealed anew. */
export async function renewSigningKeys({ db, vault }: Pick<KeyNeeds, "db" | "vault">) {
  let renewed = 0;
  for (const { kid, privateJwk } of await db.select().from(signingKeys)) {
    const sealed = vault.renewed(privateJwk, contextOf(kid));
    if (sealed === privateJwk) continue;
    await db.update(signingKeys).set({ privateJwk: sealed }).where(eq(signingKeys.kid, kid));
    renewed++;
  }
  return renewed;
}

async function newKey({ clock, vault }: KeyNeeds): Promise<typeof signingKeys.$inferInsert> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = crypto.randomUUID();
  const publicJwk = { ...await exportJWK(publicKey), kid, alg: ALGORITHM, use: "sig" };
  const privateJwk = vault.seal(JSON.stringify(await exportJWK(privateKey)), contextOf(kid));
  return { kid, privateJwk, publicJwk, createdAt: clock.now() };
}

/** Newest first. */
async function accepted({ clock, db }: KeyNeeds, { keptMs }: KeyLife) {
  const rows = await db.select().from(signingKeys).orderBy(desc(signingKeys.createdAt));
  const oldest = clock.now().getTime() - keptMs;
  return rows.filter((it) => !it.retiredAt || it.retiredAt.getTime() > oldest);
}

async function ringOf(rows: Awaited<ReturnType<typeof accepted>>, vault: Vault): Promise<KeyRing> {
  const newest = rows.find((it) => !it.retiredAt);
  if (!newest) throw new Error("The key that signs was removed while it was read");
  const verifying = await Promise.all(
    rows.map(async (it) => [it.kid, await imported(it.publicJwk)] as const),
  );
  const secret = JSON.parse(vault.open(newest.privateJwk, contextOf(newest.kid))) as JWK;
  return {
    signing: { kid: newest.kid, privateKey: await imported(secret) },
    createdAt: newest.createdAt,
    verifying: new Map(verifying),
    publicJwks: rows.map((it) => it.publicJwk as JWK),
  };
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  return await importJWK(jwk, ALGORITHM) as CryptoKey;
}

function contextOf(kid: string): string {
  return `signing key ${kid}`;
}
