import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { computeSha256 } from "#src/kernel/sha256.ts";
import {
  type Account,
  changeAccess,
  findAccount,
  hashPassword,
  limitUses,
  storePassword,
} from "#src/platform/access/mod.ts";
import { companyProperty } from "#src/domain/template/read_property.ts";
import { findCompany } from "#src/platform/templates/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { InviteDeps } from "./invite.ts";
import { findByToken, removeInvitation } from "./store.ts";

/** Calls from one network before a wait. */
const FREE_CALLS = 20;

/**
 * Sets the password of an invited user, once. A wrong, used, revoked or expired link is refused in the same words, so
 * the answer tells nothing about accounts. Resolves to the username.
 */
export async function acceptInvitation(
  deps: InviteDeps,
  { token, password, address }: { token: string; password: string; address: string | undefined },
): Promise<string> {
  const takeBack = await limitCalls(deps, address);
  const tokenSha256 = computeSha256(token);
  const { username } = await mustBeOpen(deps, deps.db, tokenSha256);
  const passwordHash = await hashPassword(deps, username, password);
  await changeAccess(deps, async (tx) => {
    // Hashing is slow: another call may have used the link meanwhile.
    await mustBeOpen(deps, tx, tokenSha256);
    await removeInvitation(tx, username);
    await storePassword({ ...deps, db: tx }, {
      username,
      passwordHash,
      by: { username, address },
    });
  }, [username]);
  await takeBack(); // many new users may share one network
  return username;
}

/**
 * Returns whom a link invites, and to which company. Refuses in the same words as `acceptInvitation`, and counts
 * against the same limit, so that nobody finds links by trying.
 */
export async function checkInvitation(
  deps: InviteDeps,
  { token, address }: { token: string; address: string | undefined },
): Promise<{ username: string; company: string | null }> {
  const takeBack = await limitCalls(deps, address);
  const { username } = await mustBeOpen(deps, deps.db, computeSha256(token));
  await takeBack();
  const company = await findCompany(deps.db);
  return { username, company: companyProperty(company, "name") ?? null };
}

const limitCalls = (deps: InviteDeps, address: string | undefined) =>
  limitUses(deps, { what: "accept", of: address ?? "local", free: FREE_CALLS });

async function mustBeOpen(
  { clock }: Pick<InviteDeps, "clock">,
  db: Db,
  tokenSha256: string,
): Promise<Account> {
  const invitation = await findByToken(db, tokenSha256);
  const account = invitation && await findAccount(db, invitation.username);
  const isOpen = account !== undefined && account.active && account.passwordHash === null &&
    invitation !== undefined && invitation.expiresAt > clock.now() &&
    invitation.email === account.email && invitation.epoch === account.sessionEpoch;
  if (isOpen) return account;
  throw new AppError(
    "refused",
    say`This link no longer works. Ask an administrator for a new invitation`,
  );
}
