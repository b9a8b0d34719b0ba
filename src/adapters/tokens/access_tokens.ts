import { newSharedValue } from "#src/kernel/concurrency/shared_value.ts";
import {
  type CryptoKey,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
  SignJWT,
} from "jose";
import { z } from "zod";
import type { AccessClaims, Tokens } from "#src/ports/tokens.ts";
import { addKey, ALGORITHM, type KeyDeps, type KeyRing, readKeyRing } from "./signing_keys.ts";

interface TokenOptions {
  /** `iss` and `aud` of the tokens. */
  readonly issuer: string;
  readonly rotateAfterDays: number;
}

const LIFETIME = 600;
/** Allowed difference between the clocks of a fleet, in seconds. */
const TOLERANCE = 60;
const TYPE = "at+jwt"; // RFC 9068
const DAY = 86_400_000;
/** Keys are read again after this time, so that a key forgotten elsewhere stops verifying here. */
const RING_AGE = 30_000;
/** Minimum interval between searches for unknown keys. */
const UNKNOWN_KEY_PAUSE = 1_000;
/** Headers of more than 8 KB are refused by common proxies. */
const MAX_PERMISSIONS = 4_096;

const Claims = z.object({
  sub: z.string().min(1),
  sid: z.uuid(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()).optional(),
  epoch: z.int(),
  iat: z.int(),
  exp: z.int(),
});

/** Access tokens: one algorithm, our issuer and audience, a key known by its id (RFC 8725). */
export function accessTokens(deps: KeyDeps, { issuer, rotateAfterDays }: TokenOptions): Tokens {
  const life = { rotateAfterMs: rotateAfterDays * DAY, keptMs: (LIFETIME + 2 * TOLERANCE) * 1000 };
  const keys = keptRing(() => readKeyRing(deps, life));
  return {
    lifetimeSeconds: LIFETIME,
    async issue(claims) {
      const { signing } = await keys.get();
      const now = Math.floor(deps.clock.now().getTime() / 1000);
      return await new SignJWT(getPayload(claims))
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid: signing.kid })
        .setIssuer(issuer).setAudience(issuer).setSubject(claims.username)
        .setIssuedAt(now).setExpirationTime(now + LIFETIME).setJti(crypto.randomUUID())
        .sign(signing.privateKey);
    },
    async verify(token) {
      const key = await readKey(keys, token);
      if (!key) return undefined;
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer,
          audience: issuer,
          clockTolerance: TOLERANCE,
          currentDate: deps.clock.now(),
          requiredClaims: ["sub", "exp", "iat"],
        });
        return readClaims(payload, deps.clock.now());
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
        throw error;
      }
    },
    async jwks() {
      return { keys: [...(await keys.get()).publicJwks] };
    },
    async rotate({ forget = false } = {}) {
      await addKey(deps, { forget });
      return (await keys.reload()).signing.kid;
    },
  };
}

function getPayload(
  { session, roles, permissions, epoch }: Omit<AccessClaims, "expiresAt">,
): JWTPayload {
  const fits = permissions && JSON.stringify(permissions).length <= MAX_PERMISSIONS;
  return { sid: session, roles, epoch, ...fits && { permissions } };
}

/** Reads the claims; a token with a longer life than ours is not ours. */
function readClaims(payload: JWTPayload, now: Date): AccessClaims | undefined {
  const parsed = Claims.safeParse(payload);
  if (!parsed.success) return undefined;
  const { sub, sid, roles, permissions, epoch, iat, exp } = parsed.data;
  if (exp - iat > LIFETIME || iat > now.getTime() / 1000 + TOLERANCE) return undefined;
  return { username: sub, session: sid, roles, permissions, epoch, expiresAt: exp };
}

async function readKey(
  keys: ReturnType<typeof keptRing>,
  token: string,
): Promise<CryptoKey | undefined> {
  let kid: string | undefined;
  try {
    kid = decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
  if (typeof kid !== "string") return undefined;
  return await keys.find(kid);
}

/** Reads the ring once for any number of callers and again when it is old, or lacks a key that may be new elsewhere. */
function keptRing(read: () => Promise<KeyRing>) {
  const { get, reload } = newSharedValue(read, (_, ageMs) => ageMs < RING_AGE);
  let missedAt = -Infinity;
  return {
    get,
    reload,
    async find(kid: string): Promise<CryptoKey | undefined> {
      const kept = await get();
      const found = kept.verifying.get(kid);
      if (found || performance.now() - missedAt < UNKNOWN_KEY_PAUSE) return found;
      missedAt = performance.now();
      return (await reload()).verifying.get(kid);
    },
  };
}
