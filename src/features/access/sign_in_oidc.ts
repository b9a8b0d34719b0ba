import type { Deps } from "#src/deps.ts";
import { canonicalUsername } from "#src/domain/permission/account.ts";
import { ADMIN_ROLE, ANONYMOUS_ROLE } from "#src/domain/permission/given_roles.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { OidcIdentity } from "#src/ports/oidc.ts";
import { inTurn } from "./in_turn.ts";
import type { AccessNeeds } from "./needs.ts";
import { issuePair, openSession, type TokenPair } from "./open_session.ts";
import { readRoleBook } from "./role_store.ts";
import type { SessionMethod } from "./session_store.ts";
import {
  findAccount,
  findIdentity,
  insertIdentity,
  insertUser,
  replaceRoles,
  updateUser,
} from "./user_store.ts";

/**
 * A session for an identity the provider vouches for. The account is known by issuer and subject alone: a name or
 * address that another account has gives no way into it. The provider's groups replace the account's roles.
 */
export async function signInFederated(
  deps: AccessNeeds,
  { identity, method, address, expected }: {
    identity: OidcIdentity;
    method: SessionMethod;
    address: string | undefined;
    /** The account the caller says this is; another one is refused. */
    expected?: string | undefined;
  },
): Promise<TokenPair> {
  const opened = await inTurnAudited(deps, { identity, address }, async (tx) => {
    const username = await findIdentity(tx, identity.issuer, identity.subject) ??
      await provision(deps, tx, identity);
    const account = await findAccount(tx, username);
    if (!account?.active || expected !== undefined && canonicalUsername(expected) !== username) {
      throw new AppError("unauthenticated", "The account cannot be used");
    }
    await takeRoles(deps, tx, { username, before: account.roles, groups: identity.groups });
    const session = await openSession(deps, tx, { username, method, address });
    await recordAudit({ ...deps, db: tx }, {
      actor: { username, address },
      event: "auth.signed_in",
      after: { method: "oidc", issuer: identity.issuer },
    });
    return session;
  });
  return await issuePair(deps, opened);
}

/** What is refused leaves nothing but its record. */
async function inTurnAudited<T>(
  deps: AccessNeeds,
  { identity, address }: { identity: OidcIdentity; address: string | undefined },
  work: (tx: Deps["db"]) => Promise<T>,
): Promise<T> {
  try {
    return await inTurn(deps, work);
  } catch (error) {
    if (error instanceof AppError) {
      const actor = { username: identity.username, address };
      const after = { method: "oidc", issuer: identity.issuer, reason: error.message };
      await recordAudit(deps, { actor, event: "auth.sign_in_failed", after });
    }
    throw error;
  }
}

async function provision(
  deps: AccessNeeds,
  tx: Deps["db"],
  identity: OidcIdentity,
): Promise<string> {
  const { issuer, subject, displayName, email } = identity;
  const username = canonicalUsername(identity.username);
  if (username === undefined) {
    throw new AppError(
      "refused",
      `${JSON.stringify(identity.username.slice(0, 100))} cannot be a username`,
    );
  }
  if (!await insertUser(tx, { username, displayName, email: email ?? null })) {
    throw new AppError("refused", `The name ${username} belongs to another account`);
  }
  await insertIdentity(tx, { issuer, subject, username });
  const after = { issuer, subject, display_name: displayName, email };
  await recordAudit({ ...deps, db: tx }, {
    actor: { username: issuer },
    event: "user.created",
    target: username,
    after,
  });
  return username;
}

/** Groups without a role of their name are left out; `admin` comes from a provider only where that is configured. */
async function takeRoles(
  deps: AccessNeeds,
  tx: Deps["db"],
  { username, before, groups }: {
    username: string;
    before: readonly string[];
    groups: readonly string[];
  },
): Promise<void> {
  const book = await readRoleBook(tx);
  const { oidcAdmin } = deps.settings.access;
  const roles = [...new Set(groups)].filter((it) =>
    book.has(it) && it !== ANONYMOUS_ROLE && (it !== ADMIN_ROLE || oidcAdmin)
  ).sort();
  const unknown = groups.length - roles.length;
  if (unknown) deps.log.info("auth.oidc.groups_left_out", { user: username, count: unknown });
  if (roles.join("\n") === [...before].sort().join("\n")) return;
  await replaceRoles(tx, username, roles);
  await updateUser(tx, username, {});
  const audit = {
    actor: { username: "identity provider" },
    event: "user.changed",
    target: username,
    before: { roles: before },
    after: { roles },
  };
  await recordAudit({ ...deps, db: tx }, audit);
}
