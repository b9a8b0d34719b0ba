import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { canonicalUsername, problemOfPassword } from "#src/domain/permission/account.ts";
import { claimBeyond, type Claims } from "#src/domain/permission/claims.ts";
import { ADMIN_ROLE, ANONYMOUS_ROLE } from "#src/domain/permission/given_roles.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { checkCurrent, tagOf } from "#src/kernel/etag.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Actor } from "#src/ports/access.ts";
import type { AccessNeeds } from "../needs.ts";
import { checkHolds, checkRolesExist, codesOf } from "./grants.ts";
import { changeAccess } from "./change_access.ts";
import { readRoleBook } from "./role_store.ts";
import {
  type Account,
  endSessionsOf,
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
  /** Without one the account signs in at the identity provider only. */
  readonly password?: string | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly active?: boolean | undefined;
  readonly claims?: Claims | undefined;
}
type UserChange = Omit<NewUser, "username" | "password">;

/** Resolves to the canonical username. */
export async function createUser(deps: AccessNeeds, user: NewUser, by: Actor): Promise<string> {
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
  const passwordHash = password === undefined ? null : await hashOf(deps, username, password);
  await changeAccess(deps, async (tx) => {
    await checkGrants(tx, roles, { before: [], by });
    checkClaims({ before: {}, after: claims, by });
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
 * What is left out stays as it is. Whoever changes the account of somebody else must hold all that it gives: an address
 * is where a new password could be sent.
 */
export async function changeUser(
  deps: AccessNeeds,
  { username, change, by, ifMatch }: {
    username: string;
    change: UserChange;
    by: Actor;
    ifMatch?: string | undefined;
  },
): Promise<void> {
  await changeAccess(deps, async (tx) => {
    const before = await mustFind(tx, username);
    checkCurrent(ifMatch, { current: tagOf(before.epoch), what: say`The user ${username}` });
    const roles = change.roles ? unique(change.roles) : before.roles;
    const active = change.active ?? before.active;
    await checkMayChange(tx, before, { by, what: say`Changing ${username}` });
    await checkGrants(tx, roles, { before: before.roles, by });
    const claims = change.claims ?? before.claims;
    checkClaims({ before: before.claims, after: claims, by });
    await checkAdminRemains(tx, before, { roles, active });
    const { displayName = before.displayName, email = before.email, language = before.language } =
      change;
    await updateUser(tx, username, { displayName, email, language, active, claims });
    await replaceRoles(tx, username, roles);
    if (!active) await endSessionsOf(tx, username);
    const after = viewOf({ ...before, displayName, email, language, active, claims, roles });
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
  { username, password, by, ifMatch }: {
    username: string;
    password: string;
    by: Actor;
    ifMatch?: string | undefined;
  },
): Promise<void> {
  await mustFind(deps.db, username);
  const passwordHash = await hashOf(deps, username, password);
  await changeAccess(deps, async (tx) => {
    const account = await mustFind(tx, username);
    checkCurrent(ifMatch, { current: tagOf(account.epoch), what: say`The user ${username}` });
    await checkMayChange(tx, account, { by, what: say`Setting the password of ${username}` });
    await storePassword({ ...deps, db: tx }, { username, passwordHash, by });
  }, [username]);
}

/** With the end of every session but `keep`'s, in the caller's transaction. */
export async function storePassword(
  deps: Pick<Deps, "clock" | "db">,
  { username, passwordHash, by, keep }: {
    username: string;
    passwordHash: string;
    by: Actor;
    /** Lets sessions go on: those moved to the epoch of what begins from now on. */
    keep?: (epoch: number) => Promise<void>;
  },
): Promise<void> {
  await updateUser(deps.db, username, { passwordHash, passwordChangedAt: deps.clock.now() });
  const epoch = await endSessionsOf(deps.db, username);
  await keep?.(epoch);
  await recordAudit(deps, { actor: by, event: "user.password_set", target: username });
}

/** Throws AppError `refused` for a password that may not be one. */
export async function hashOf(
  deps: AccessNeeds,
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

/** Throws 403 naming the first code the account gives and the caller lacks. */
async function checkMayChange(
  tx: Deps["db"],
  { username, roles }: Account,
  { by, what }: { by: Actor; what: Sentence },
): Promise<void> {
  if (by.username !== username) checkHolds(by, codesOf(await readRoleBook(tx), roles), what);
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
    throw new AppError("refused", say`The role ${ANONYMOUS_ROLE} is of callers without a token`);
  }
  for (const role of added) checkHolds(by, codesOf(book, [role]), say`Granting the role ${role}`);
}

/** A claim opens rows to queries: nobody gives one they do not have themselves, but administrators. */
function checkClaims({ before, after, by }: { before: Claims; after: Claims; by: Actor }): void {
  if (by.permissions.codes.includes("*")) return;
  const name = claimBeyond({ before, after, held: by.profile?.claims ?? {} });
  if (name === undefined) return;
  throw new AppError("forbidden", say`The claim ${name} is not yours to give: you do not have it`);
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

function viewOf({ displayName, email, language, active, claims, roles }: Account) {
  return { display_name: displayName, email, language, active, claims, roles };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
