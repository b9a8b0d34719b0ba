import type { Deps } from "#src/deps.ts";
import { canonicalUsername, problemOfPassword } from "#src/domain/permission/account.ts";
import { ADMIN_ROLE, ANONYMOUS_ROLE } from "#src/domain/permission/given_roles.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import type { Actor } from "#src/ports/access.ts";
import { checkHolds, checkRolesExist, codesOf } from "./grants.ts";
import { inTurn } from "./in_turn.ts";
import type { AccessNeeds } from "./needs.ts";
import { readRoleBook } from "./role_store.ts";
import { endSessions } from "./session_store.ts";
import {
  type Account,
  findAccount,
  hasOtherAdmin,
  insertUser,
  replaceRoles,
  updateUser,
} from "./user_store.ts";

export interface NewUser {
  readonly username: string;
  readonly displayName?: string | undefined;
  readonly email?: string | undefined;
  readonly language?: "en" | "fr" | undefined;
  /** Without one the account signs in at the identity provider only. */
  readonly password?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
}
export type UserChange = Omit<NewUser, "username" | "password">;

/** Resolves to the canonical username. */
export async function createUser(deps: AccessNeeds, user: NewUser, by: Actor): Promise<string> {
  const { displayName = "", email, language = "en", password, roles = [], active = true } = user;
  const username = canonicalUsername(user.username);
  if (username === undefined) {
    throw new AppError(
      "refused",
      `${
        JSON.stringify(user.username.slice(0, 100))
      } cannot be a username: letters, digits and . _ @ + -`,
    );
  }
  const passwordHash = password === undefined ? null : await hashOf(deps, username, password);
  await inTurn(deps, async (tx) => {
    await checkGrants(tx, roles, { before: [], by });
    const passwordChangedAt = passwordHash === null ? null : deps.clock.now();
    const row = {
      username,
      displayName,
      email: email ?? null,
      language,
      passwordHash,
      active,
      passwordChangedAt,
    };
    if (!await insertUser(tx, row)) {
      throw new AppError("conflict", `A user named ${username} exists already`);
    }
    await replaceRoles(tx, username, unique(roles));
    const after = {
      display_name: displayName,
      email,
      roles: unique(roles),
      active,
      has_password: passwordHash !== null,
    };
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.created",
      target: username,
      after,
    });
  }, [username]);
  return username;
}

/** What is left out stays as it is. */
export async function changeUser(
  deps: AccessNeeds,
  { username, change, by }: { username: string; change: UserChange; by: Actor },
): Promise<void> {
  await inTurn(deps, async (tx) => {
    const before = await mustFind(tx, username);
    const roles = change.roles ? unique(change.roles) : before.roles;
    const active = change.active ?? before.active;
    await checkGrants(tx, roles, {
      before: before.active ? before.roles : active ? [] : before.roles,
      by,
    });
    await checkAdminRemains(tx, before, { roles, active });
    const { displayName = before.displayName, email = before.email, language = before.language } =
      change;
    await updateUser(tx, username, { displayName, email, language, active });
    await replaceRoles(tx, username, roles);
    if (!active) {
      await endSessions(tx, username, {
        at: deps.clock.now(),
        by: `deactivated by ${by.username}`,
      });
    }
    const after = viewOf({ ...before, displayName, email, language, active, roles });
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.changed",
      target: username,
      before: viewOf(before),
      after,
    });
  }, [username]);
}

/** Ends every session of the account. Whoever sets a password could sign in with it, so they must hold what it gives. */
export async function setPassword(
  deps: AccessNeeds,
  { username, password, by, keepSession }: {
    username: string;
    password: string;
    by: Actor;
    keepSession?: string | undefined;
  },
): Promise<void> {
  await mustFind(deps.db, username);
  const passwordHash = await hashOf(deps, username, password);
  await inTurn(deps, async (tx) => {
    const { roles } = await mustFind(tx, username);
    if (by.username !== username) {
      checkHolds(by, codesOf(await readRoleBook(tx), roles), `Setting the password of ${username}`);
    }
    const at = deps.clock.now();
    await updateUser(tx, username, { passwordHash, passwordChangedAt: at });
    await endSessions(tx, username, {
      at,
      by: `password set by ${by.username}`,
      except: keepSession,
    });
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.password_set",
      target: username,
    });
  }, [username]);
}

/** Resolves to the number of sessions that were open. */
export async function revokeSessions(
  deps: AccessNeeds,
  username: string,
  by: Actor,
): Promise<number> {
  return await inTurn(deps, async (tx) => {
    await mustFind(tx, username);
    const sessions = await endSessions(tx, username, {
      at: deps.clock.now(),
      by: `revoked by ${by.username}`,
    });
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.sessions_revoked",
      target: username,
      after: { sessions },
    });
    return sessions;
  }, [username]);
}

async function hashOf(deps: AccessNeeds, username: string, password: string): Promise<string> {
  const problem = problemOfPassword(password, {
    username,
    minLength: deps.settings.access.minPasswordLength,
  });
  if (problem) throw new AppError("refused", problem);
  return await deps.passwords.hash(password);
}

async function mustFind(db: Deps["db"], username: string): Promise<Account> {
  const account = await findAccount(db, username);
  if (!account) throw notFound("User", username);
  return account;
}

/** Only what is new must be held by the grantor. */
async function checkGrants(
  tx: Deps["db"],
  roles: readonly string[],
  { before, by }: { before: readonly string[]; by: Actor },
): Promise<void> {
  const added = roles.filter((it) => !before.includes(it));
  const book = await readRoleBook(tx);
  checkRolesExist(book, roles);
  if (added.includes(ANONYMOUS_ROLE)) {
    throw new AppError("refused", `The role ${ANONYMOUS_ROLE} is of callers without a token`);
  }
  for (const role of added) checkHolds(by, codesOf(book, [role]), `Granting the role ${role}`);
}

async function checkAdminRemains(
  tx: Deps["db"],
  before: Account,
  { roles, active }: { roles: readonly string[]; active: boolean },
): Promise<void> {
  const was = before.active && before.roles.includes(ADMIN_ROLE);
  const stays = active && roles.includes(ADMIN_ROLE);
  if (was && !stays && !await hasOtherAdmin(tx, before.username)) {
    throw new AppError("conflict", `${before.username} is the last active administrator`);
  }
}

function viewOf({ displayName, email, language, active, roles }: Account) {
  return { display_name: displayName, email, language, active, roles };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
