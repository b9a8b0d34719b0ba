import { newPromiseCache } from "#src/kernel/concurrency/promise_cache.ts";
import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Access, Actor, Profile } from "#src/ports/access.ts";
import type { AccessClaims } from "#src/ports/tokens.ts";
import { findAccount, readRights, type Rights } from "../users/accounts.ts";
import { ACCESS_TOPIC } from "../users/change_access.ts";
import { rolesGranting } from "../users/explain.ts";
import { recordDenials } from "./denials.ts";
import { isOpenFor } from "./open_session.ts";
import { findSession } from "./store.ts";

const TOKEN_MS = 5_000;
const STANDING_MS = 1_000;
const LIMIT = 10_000;
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

type AccessDeps = Pick<Deps, "clock" | "db" | "live" | "log" | "tokens">;

interface Verified {
  readonly claims: AccessClaims;
  readonly permissions: PermissionSet;
}

/** Current state of a session in the database. */
interface Standing {
  readonly username: string;
  readonly epoch: number;
  readonly language: Language | undefined;
  readonly profile: Profile;
  /** Reads the rights; called only when the token's epoch differs from the user's. */
  rights(): Promise<Rights>;
}

/**
 * Checks permissions. Caches verified tokens for five seconds and sessions for one second. Any announced change clears
 * the cache, so that it is effective on the next call.
 */
export function createAccess(deps: AccessDeps): Access {
  const tokens = newPromiseCache<Verified | undefined>({ ms: TOKEN_MS, limit: LIMIT });
  const standings = newPromiseCache<Standing | undefined>({ ms: STANDING_MS, limit: LIMIT });
  deps.live.subscribe((event) => event.topic === ACCESS_TOPIC && standings.clear());

  const denials = recordDenials(deps);
  const getStanding = (session: string) =>
    standings.get(session, () => readStanding(deps, session));
  return {
    async authenticate({ authorization, address }) {
      const token = BEARER.exec(authorization ?? "")?.[1];
      if (!token) throw new AppError("unauthenticated", say`A bearer token is needed`);
      const verified = await tokens.get(hashToken(token), () => verify(deps, token));
      const actor = verified && !isOver(getEnd(verified.claims), deps) &&
        await readActor(verified, getStanding);
      if (!actor) {
        throw new AppError("unauthenticated", say`The token is expired, revoked or not valid`);
      }
      return { ...actor, address };
    },
    allows: (actor, code) => actor.permissions.grantOf(code) !== undefined,
    async current(actor) {
      if (actor.expiresAt && isOver(actor.expiresAt, deps)) return undefined;
      const standing = actor.session === undefined ? undefined : await getStanding(actor.session);
      if (!standing || standing.epoch === actor.epoch) return standing && actor;
      return { ...actor, profile: standing.profile, ...await standing.rights() };
    },
    ...denials,
    granting: async (actor, code) =>
      actor.permissions.grantOf("users:read") ? await rolesGranting(deps, code) : undefined,
    forget: () => standings.clear(),
  };
}

async function verify({ tokens }: AccessDeps, token: string): Promise<Verified | undefined> {
  const claims = await tokens.verify(token);
  return claims && { claims, permissions: permissionSet(claims.permissions ?? []) };
}

/** Returns the end of a token, including the minute of tolerance for different clocks. */
function getEnd({ expiresAt }: AccessClaims): Date {
  return new Date((expiresAt + 60) * 1000);
}

function isOver(end: Date, { clock }: AccessDeps): boolean {
  return end <= clock.now();
}

async function readActor(
  { claims, permissions }: Verified,
  standingOf: (session: string) => Promise<Standing | undefined>,
): Promise<Actor | undefined> {
  const { username, session, roles, epoch } = claims;
  const expiresAt = getEnd(claims);
  const standing = await standingOf(session);
  if (standing?.username !== username) return undefined;
  const { language, profile } = standing;
  if (standing.epoch === epoch && claims.permissions) {
    return { username, session, expiresAt, epoch, roles, permissions, language, profile };
  }
  return { username, session, expiresAt, language, profile, ...await standing.rights() };
}

async function readStanding(deps: AccessDeps, session: string): Promise<Standing | undefined> {
  const found = await findSession(deps.db, session, deps.clock.now());
  const account = found && await findAccount(deps.db, found.username);
  if (!account || !isOpenFor(account, found)) return undefined;
  let rights: Promise<Rights> | undefined;
  const { username, epoch, displayName, email, claims } = account;
  return {
    username,
    epoch,
    language: account.language ?? undefined,
    profile: { displayName, email, claims },
    rights: () => rights ??= readRights(deps.db, account),
  };
}

function hashToken(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
