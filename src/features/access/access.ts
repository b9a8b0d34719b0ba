import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { type PermissionSet, permissionSet } from "#src/domain/permission/permission_set.ts";
import { effectiveCodes } from "#src/domain/permission/roles.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Access, Actor } from "#src/ports/access.ts";
import type { AccessClaims } from "#src/ports/tokens.ts";
import { boundedCache } from "./bounded_cache.ts";
import { ACCESS_TOPIC } from "./in_turn.ts";
import { readRoleBook } from "./role_store.ts";
import { epochOf } from "./session_store.ts";
import { rolesOf } from "./user_store.ts";

const TOKEN_MS = 5_000;
const STANDING_MS = 1_000;
const LIMIT = 10_000;
const BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

type Needs = Pick<Deps, "clock" | "db" | "live" | "log" | "tokens">;

interface Verified {
  readonly claims: AccessClaims;
  readonly permissions: PermissionSet;
}

/** What the database says of a session at this moment. */
interface Standing {
  readonly username: string;
  readonly epoch: number;
  /** Read only when a token tells another epoch than the user's. */
  rights(): Promise<Pick<Actor, "epoch" | "roles" | "permissions">>;
}

/**
 * Who may do what. A token is verified once in five seconds, its session and the user's epoch looked up once in a
 * second and after every change any process announces, so that a change bites on the next call.
 */
export function createAccess(deps: Needs): Access {
  const tokens = boundedCache<Verified | undefined>({ ms: TOKEN_MS, limit: LIMIT });
  const standings = boundedCache<Standing | undefined>({ ms: STANDING_MS, limit: LIMIT });
  deps.live.subscribe((event) => event.topic === ACCESS_TOPIC && standings.clear());

  const standingOf = (session: string) => standings.get(session, () => readStanding(deps, session));
  return {
    async authenticate({ authorization, address }) {
      const token = BEARER.exec(authorization ?? "")?.[1];
      if (!token) throw new AppError("unauthenticated", "A bearer token is needed");
      const verified = await tokens.get(hashOf(token), () => verify(deps, token));
      const actor = verified && isCurrent(verified.claims, deps) &&
        await actorOf(verified, standingOf);
      if (!actor) {
        throw new AppError("unauthenticated", "The token is expired, revoked or not valid");
      }
      return { ...actor, address };
    },
    allows: (actor, code) => actor.permissions.grantOf(code) !== undefined,
    async current(actor) {
      const standing = actor.session === undefined ? undefined : await standingOf(actor.session);
      if (!standing || standing.epoch === actor.epoch) return standing && actor;
      return { ...actor, ...await standing.rights() };
    },
    async denied(actor, { code, method, path }) {
      deps.log.info("access.denied", { user: actor.username, permission: code, method, path });
      await recordAudit(deps, {
        actor,
        event: "access.denied",
        target: code,
        after: { method, path },
      })
        .catch((error) => deps.log.error("audit.failed", { error }));
    },
    forget: () => standings.clear(),
  };
}

async function verify({ tokens }: Needs, token: string): Promise<Verified | undefined> {
  const claims = await tokens.verify(token);
  return claims && { claims, permissions: permissionSet(claims.permissions ?? []) };
}

/** A cached token may have expired since. The minute of tolerance for clocks that differ is the verifier's. */
function isCurrent({ expiresAt }: AccessClaims, { clock }: Needs): boolean {
  return expiresAt + 60 > clock.now().getTime() / 1000;
}

async function actorOf(
  { claims, permissions }: Verified,
  standingOf: (session: string) => Promise<Standing | undefined>,
): Promise<Actor | undefined> {
  const { username, session, roles, epoch } = claims;
  const standing = await standingOf(session);
  if (standing?.username !== username) return undefined;
  if (standing.epoch === epoch && claims.permissions) {
    return { username, session, epoch, roles, permissions };
  }
  return { username, session, ...await standing.rights() };
}

async function readStanding(deps: Needs, session: string): Promise<Standing | undefined> {
  const found = await epochOf(deps.db, session, deps.clock.now());
  if (!found) return undefined;
  let rights: ReturnType<Standing["rights"]> | undefined;
  return { ...found, rights: () => rights ??= readRights(deps, found) };
}

async function readRights(
  { db }: Needs,
  { username, epoch }: Pick<Standing, "username" | "epoch">,
) {
  const roles = await rolesOf(db, username);
  return {
    epoch,
    roles,
    permissions: permissionSet(effectiveCodes(await readRoleBook(db), roles)),
  };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("base64");
}
