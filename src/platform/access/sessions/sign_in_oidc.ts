import type { Deps } from "#src/deps.ts";
import { canonicalUsername } from "#src/domain/permission/account.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { OidcIdentity } from "#src/ports/oidc.ts";
import type { AccessDeps } from "../needs.ts";
import { federatedAccount } from "../users/federated_account.ts";
import { changeAccess } from "../users/change_access.ts";
import { issuePair, openSession, type TokenPair } from "./open_session.ts";
import type { SessionMethod } from "./store.ts";

/**
 * A session for an identity the provider vouches for. The account is known by issuer and subject alone: a name or
 * address that another account has gives no way into it. The provider's groups replace the account's roles.
 */
export async function signInFederated(
  deps: AccessDeps,
  { identity, method, address, expected }: {
    identity: OidcIdentity;
    method: SessionMethod;
    address: string | undefined;
    /** Returns the account that the caller names; refuses any other. */
    expected?: string | undefined;
  },
): Promise<TokenPair> {
  const opened = await changeAccessAudited(deps, { identity, address }, async (tx) => {
    const account = await federatedAccount(deps, tx, identity);
    const { username, active } = account;
    if (!active || expected !== undefined && canonicalUsername(expected) !== username) {
      throw new AppError("unauthenticated", say`The account cannot be used`);
    }
    const session = await openSession(deps, tx, { account, method, address });
    await recordAudit({ ...deps, db: tx }, {
      actor: { username, address },
      event: "auth.signed_in",
      after: { method: "oidc", issuer: identity.issuer },
    });
    return session;
  });
  return await issuePair(deps, opened);
}

/** Runs the change and records it; a refused change leaves only its audit entry. */
async function changeAccessAudited<T>(
  deps: AccessDeps,
  { identity, address }: { identity: OidcIdentity; address: string | undefined },
  work: (tx: Deps["db"]) => Promise<T>,
): Promise<T> {
  try {
    return await changeAccess(deps, work);
  } catch (error) {
    if (error instanceof AppError) {
      const actor = { username: identity.username, address };
      const after = { method: "oidc", issuer: identity.issuer, reason: error.message };
      await recordAudit(deps, { actor, event: "auth.sign_in_failed", after });
    }
    throw error;
  }
}
