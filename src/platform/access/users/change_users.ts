import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { canonicalUsername, problemOfPassword } from "#src/domain/permission/account.ts";
import type { Claims } from "#src/domain/permission/claims.ts";
import { ADMIN_ROLE, ANONYMOUS_ROLE } from "#src/domain/permission/given_roles.ts";
import { collectHoldings } from "#src/domain/permission/holdings.ts";
import { type AuditEntry, recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { checkCurrent, toEtag } from "#src/kernel/etag.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Actor } from "#src/ports/access.ts";
import type { AccessDeps } from "../needs.ts";
import { checkCovers, checkRolesExist, holdingsOfActor } from "./grants.ts";
import { changeAccess } from "./change_access.ts";
import { readRoleBook } from "./role_store.ts";
import {
  type Account,
  endSessions,
  findAccount,
  hasOtherAdmin,
  insertUser,
  replaceRoles,
  updateUser,
} from "./user_store.ts";

interface NewUser {
  readonly username: string;
  readonly displayName?: string | undefined;
  readonly email?: string | null | undefined;
  readonly language?: Language | null | undefined;
  /** Password; without it the account signs in only through the identity provider. */
  readonly password?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
  readonly claims?: Claims | undefined;
}
type UserChange = Omit<NewUser, "username" | "password">;

/** Resolves to the canonical username. */
export async function createUser(deps: AccessDeps, user: NewUser, by: Actor): Promise<string> {
  const { displayName = "", email, language, password, roles = [], active = true, claims = {} } =
    user;
  const username = canonicalUsername(user.username);
  if (username === undefined) {
    throw new AppError(
      "refused",
      say`${
        JSON.stringify(user.username.slice(0, 100))
      } cannot be a username: letters, digits and . _ @ + -`,
    );
  }
  const passwordHash = password === undefined ? null : await hashPassword(deps, username, password);
  await changeAccess(deps, async (tx) => {
    const account = { displayName, email: email ?? null, roles, claims };
    await checkGrants(tx, roles, { before: [] });
    await checkMayHave(deps, tx, account, { by, what: say`Creating ${username}` });
    const passwordChangedAt = passwordHash === null ? null : deps.clock.now();
    const row = {
      username,
      displayName,
      email: email ?? null,
      language,
      passwordHash,
      active,
      claims,
      passwordChangedAt,
    };
    if (!await insertUser(tx, row)) {
      throw new AppError("conflict", say`A user named ${username} exists already`);
    }
    await replaceRoles(tx, username, unique(roles));
    const after = {
      display_name: displayName,
      email,
      roles: unique(roles),
      active,
      claims,
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

/**
 * Changes an account; fields that are left out stay. The caller must cover the account before and after the change: a
 * new password could be sent to its address.
 */
export async function changeUser(
  deps: AccessDeps,
  { username, change, by, ifMatch }: {
    username: string;
    change: UserChange;
    by: Actor;
    ifMatch?: string | undefined;
  },
): Promise<void> {
  await changeAccess(deps, async (tx) => {
    const before = await mustFind(tx, username);
    checkCurrent(ifMatch, { current: toEtag(before.epoch), what: say`The user ${username}` });
    const roles = change.roles ? unique(change.roles) : before.roles;
    const active = change.active ?? before.active;
    const { displayName = before.displayName, email = before.email, language = before.language } =
      change;
    const claims = change.claims ?? before.claims;
    const may = { by, what: say`Changing ${username}` };
    await checkMayHave(deps, tx, before, may);
    await checkGrants(tx, roles, { before: before.roles });
    await checkMayHave(deps, tx, { displayName, email, roles, claims }, may);
    await checkAdminRemains(tx, before, { roles, active });
    await updateUser(tx, username, { displayName, email, language, active, claims });
    await replaceRoles(tx, username, roles);
    if (!active) await endSessions(tx, username);
    const after = getView({ ...before, displayName, email, language, active, claims, roles });
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.changed",
      target: username,
      before: getView(before),
      after,
    });
  }, [username]);
}

/** Ends every session of the account. The caller could sign in with the new password, so they must cover the account. */
export async function setPassword(
  deps: AccessDeps,
  { username, password, by, ifMatch }: {
    username: string;
    password: string;
    by: Actor;
    ifMatch?: string | undefined;
  },
): Promise<void> {
  await mustFind(deps.db, username);
  const passwordHash = await hashPassword(deps, username, password);
  await changeAccess(deps, async (tx) => {
    const account = await mustFind(tx, username);
    checkCurrent(ifMatch, { current: toEtag(account.epoch), what: say`The user ${username}` });
    await checkMayHave(deps, tx, account, { by, what: say`Setting the password of ${username}` });
    await storePassword({ ...deps, db: tx }, { username, passwordHash, by });
  }, [username]);
}

/** Stores a password and ends every session except `keep`, in the caller's transaction. */
export async function storePassword(
  deps: Pick<Deps, "clock" | "db">,
  { username, passwordHash, by, keep }: {
    username: string;
    passwordHash: string;
    by: AuditEntry["actor"];
    /** Keeps sessions: moves them to the new epoch. */
    keep?: (epoch: number) => Promise<void>;
  },
): Promise<void> {
  await updateUser(deps.db, username, { passwordHash, passwordChangedAt: deps.clock.now() });
  const epoch = await endSessions(deps.db, username);
  await keep?.(epoch);
  await recordAudit(deps, { actor: by, event: "user.password_set", target: username });
}

/** Throws AppError `refused` for a password that may not be one. */
export async function hashPassword(
  deps: AccessDeps,
  username: string,
  password: string,
): Promise<string> {
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

/** Throws 403 naming the first permission that the account has, or would have, and the caller lacks. */
export async function checkMayHave(
  deps: Pick<Deps, "configuration">,
  tx: Deps["db"],
  account: Pick<Account, "claims" | "displayName" | "email" | "roles">,
  { by, what }: { by: Actor; what: Sentence },
): Promise<void> {
  const book = await readRoleBook(tx);
  const holder = holdingsOfActor(by, book);
  checkCovers(deps, { holder, other: collectHoldings(account, book), what });
}

async function checkGrants(
  tx: Deps["db"],
  roles: readonly string[],
  { before }: { before: readonly string[] },
): Promise<void> {
  checkRolesExist(await readRoleBook(tx), roles);
  if (roles.includes(ANONYMOUS_ROLE) && !before.includes(ANONYMOUS_ROLE)) {
    throw new AppError("refused", say`The role ${ANONYMOUS_ROLE} is of callers without a token`);
  }
}

async function checkAdminRemains(
  tx: Deps["db"],
  before: Account,
  { roles, active }: { roles: readonly string[]; active: boolean },
): Promise<void> {
  const was = before.active && before.roles.includes(ADMIN_ROLE);
  const stays = active && roles.includes(ADMIN_ROLE);
  if (was && !stays && !await hasOtherAdmin(tx, before.username)) {
    throw new AppError("conflict", say`${before.username} is the last active administrator`);
  }
}

function getView({ displayName, email, language, active, claims, roles }: Account) {
  return { display_name: displayName, email, language, active, claims, roles };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
