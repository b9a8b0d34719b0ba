import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import { toSentences } from "#src/kernel/i18n/schema.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import {
  type CompactJWSHeaderParameters,
  CompactSign,
  compactVerify,
  createLocalJWKSet,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  importJWK,
  importSPKI,
  type JWK,
} from "jose";
import { z } from "zod";
import { toMessage } from "#src/kernel/errors.ts";
import type { Clock } from "#src/ports/clock.ts";
import type { License, LicenseState } from "#src/ports/license.ts";

const ALGORITHM = "EdDSA";
/** Not a JWT's type: an access token can never pass for a licence. */
const TYPE = "license+jws";
const AUDIENCE = "passerelle";
const TOLERANCE = 300;

const Payload = z.object({
  iss: z.string(),
  sub: z.string(),
  aud: z.literal(AUDIENCE),
  jti: z.string(),
  iat: z.int(),
  nbf: z.int().optional(),
  exp: z.int(),
  license: z.object({
    customer: z.string(),
    edition: z.string(),
    features: z.array(z.string()).default([]),
    limits: z.record(z.string(), z.number()).default({}),
  }),
});
type Payload = z.infer<typeof Payload>;

interface LicenceOptions {
  /** The key as the environment has it at this moment. */
  readonly read: () => Promise<string | undefined>;
  /** A JWK, a JWKS or a PEM of the vendor's public key or keys. */
  readonly publicKeys: string | undefined;
  readonly clock: Clock;
}

/** Creates the licence of this process. It blocks nothing itself: stored data stays readable in every state. */
export function createLicense({ read, publicKeys, clock }: LicenceOptions): License {
  const key = newSharedValue(read);
  return {
    current: async () => await validateKey(await key.get(), { publicKeys, clock }),
    reload: async () => await validateKey(await key.reload(), { publicKeys, clock }),
  };
}

async function validateKey(
  key: string | undefined,
  { publicKeys, clock }: { publicKeys: string | undefined; clock: Clock },
): Promise<LicenseState> {
  if (!key) return getState("absent");
  if (!publicKeys) {
    return getState("invalid", { reason: say`No public key is configured to verify it with` });
  }
  const opened = await verifyKey(key, publicKeys);
  if ("reason" in opened) return getState("invalid", opened);
  const { payload } = opened;
  const now = clock.now().getTime() / 1000;
  if ((payload.nbf ?? payload.iat) > now + TOLERANCE) {
    return getState("invalid", { payload, reason: say`It is not valid yet` });
  }
  return getState(payload.exp + TOLERANCE < now ? "expired" : "valid", { payload });
}

async function verifyKey(
  key: string,
  publicKeys: string,
): Promise<{ payload: Payload } | { reason: Sentence }> {
  try {
    const find = await keyFinder(publicKeys);
    const { payload, protectedHeader } = await compactVerify(key.trim(), find, {
      algorithms: [ALGORITHM],
    });
    if (protectedHeader.typ !== TYPE) return { reason: say`Its type is not ${TYPE}` };
    const given: unknown = JSON.parse(new TextDecoder().decode(payload));
    const parsed = Payload.safeParse(given);
    if (!parsed.success) {
      return { reason: say`Its payload cannot be read: ${toSentences(parsed.error, given)}` };
    }
    return { payload: parsed.data };
  } catch (error) {
    return { reason: say`Its signature cannot be verified: ${toMessage(error)}` };
  }
}

async function keyFinder(
  publicKeys: string,
): Promise<(header: CompactJWSHeaderParameters) => Promise<CryptoKey>> {
  if (publicKeys.trimStart().startsWith("-----BEGIN")) {
    const key = await importSPKI(publicKeys, ALGORITHM);
    return () => Promise.resolve(key);
  }
  const parsed = JSON.parse(publicKeys) as JWK | { keys: JWK[] };
  const keys = ("keys" in parsed ? parsed.keys : [parsed]) as JWK[];
  const find = createLocalJWKSet({ keys });
  return (header) => find(header);
}

function getState(
  status: LicenseState["status"],
  { payload, reason }: { payload?: Payload; reason?: Sentence } = {},
): LicenseState {
  const at = (seconds: number | undefined) =>
    seconds === undefined ? undefined : new Date(seconds * 1000);
  return {
    status,
    reason,
    id: payload?.jti,
    issuedAt: at(payload?.iat),
    expiresAt: at(payload?.exp),
    payload: payload?.license,
  };
}

/** Content of a licence that the vendor signs. */
export interface LicenseOrder {
  readonly customer: string;
  readonly edition: string;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
  readonly days: number;
  readonly issuer: string;
}

/** A vendor's private key. */
export type LicenseKey = JWK;

/** Signs a licence with a vendor's private key, given as a JWK. */
export async function issueLicense(
  order: LicenseOrder,
  { key, now }: { key: LicenseKey; now: Date },
): Promise<string> {
  const { customer, edition, features, limits } = order;
  const iat = Math.floor(now.getTime() / 1000);
  const payload = {
    iss: order.issuer,
    sub: customer,
    aud: AUDIENCE,
    jti: crypto.randomUUID(),
    iat,
    nbf: iat,
    exp: iat + order.days * 86_400,
    license: { customer, edition, features, limits },
  };
  return await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, ...key.kid && { kid: key.kid } })
    .sign(await importJWK(key, ALGORITHM));
}

/** Returns a new vendor's key pair as JWKs. */
export async function createLicenseKeyPair(): Promise<{ privateJwk: JWK; publicJwk: JWK }> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const kid = crypto.randomUUID();
  return {
    privateJwk: { ...await exportJWK(privateKey), kid, alg: ALGORITHM },
    publicJwk: { ...await exportJWK(publicKey), kid, alg: ALGORITHM, use: "sig" },
  };
}
