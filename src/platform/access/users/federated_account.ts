import { isDeepStrictEqual } from "node:util";
import type { Deps } from "#src/deps.ts";
import type { Claims } from "#src/domain/permission/claims.ts";
import { canonicalUsername } from "#src/domain/permission/account.ts";
import { ADMIN_ROLE, ANONYMOUS_ROLE } from "#src/domain/permission/given_roles.ts";
import { type AuditEntry, recordAudit } from "#src/platform/audit/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { OidcIdentity } from "#src/ports/oidc.ts";
import type { AccessDeps } from "../needs.ts";
import { readRoleBook } from "./role_store.ts";
import {
  type Account,
  findAccount,
  findIdentity,
  insertIdentity,
  insertUser,
  replaceRoles,
  updateUser,
} from "./user_store.ts";

/**
 * Returns the account of a provider's identity, created at its first sign-in, with the roles of its groups. Only issuer
 * and subject identify it: an equal name or address gives no access to another account.
 */
export async function federatedAccount(
  deps: AccessDeps,
  tx: Deps["db"],
  identity: OidcIdentity,
): Promise<Account> {
  const username = await findIdentity(tx, identity.issuer, identity.subject) ??
    await provision(deps, tx, identity);
  const account = await findAccount(tx, username);
  if (!account) throw notFound("User", username);
  const taken = account.active && await takeRights(deps, tx, { account, identity });
  return taken ? await findAccount(tx, username) ?? account : account;
}

async function provision(
  deps: AccessDeps,
  tx: Deps["db"],
  identity: OidcIdentity,
): Promise<string> {
  const { issuer, subject, displayName, email } = identity;
  const username = canonicalUsername(identity.username);
  if (username === undefined) {
    throw new AppError(
      "refused",
      say`${JSON.stringify(identity.username.slice(0, 100))} cannot be a username`,
    );
  }
  if (!await insertUser(tx, { username, displayName, email: email ?? null })) {
    throw new AppError("refused", say`The name ${username} belongs to another account`);
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

/**
 * Updates roles and claims from the provider, which sends them at each sign-in. Returns true when they changed. Ignores
 * groups without a role of the same name; `admin` comes from a provider only if that is configured.
 */
async function takeRights(
  deps: AccessDeps,
  tx: Deps["db"],
  { account, identity }: { account: Account; identity: OidcIdentity },
): Promise<boolean> {
  const { username, roles: before } = account;
  const { groups } = identity;
  const claims = Object.fromEntries(
    Object.entries({ ...account.claims, ...identity.claims }).filter(([, it]) => it !== undefined),
  ) as Claims;
  const sameClaims = isDeepStrictEqual(claims, account.claims);
  const book = await readRoleBook(tx);
  const { oidcAdmin } = deps.settings.access;
  const roles = [...new Set(groups)].filter((it) =>
    book.has(it) && it !== ANONYMOUS_ROLE && (it !== ADMIN_ROLE || oidcAdmin)
  ).sort();
  const unknown = groups.length - roles.length;
  if (unknown) deps.log.info("auth.oidc.groups_left_out", { user: username, count: unknown });
  if (sameClaims && roles.join("\n") === [...before].sort().join("\n")) return false;
  await replaceRoles(tx, username, roles);
  await updateUser(tx, username, { claims });
  const audit: AuditEntry = {
    actor: { username: "identity provider" },
    event: "user.changed",
    target: username,
    before: { roles: before, ...!sameClaims && { claims: account.claims } },
    after: { roles, ...!sameClaims && { claims } },
  };
  await recordAudit({ ...deps, db: tx }, audit);
  return true;
}
