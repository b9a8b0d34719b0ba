import { canonicalUsername, MAX_PASSWORD } from "#src/domain/permission/account.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { AccessDeps } from "../needs.ts";
import { type Account, findAccount, lockAccount, replacePasswordHash } from "../users/accounts.ts";
import { issuePair, openSession, type TokenPair } from "./open_session.ts";
import type { SessionMethod } from "./store.ts";
import { countSignIn } from "./throttle.ts";

interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly address: string | undefined;
}

/**
 * Opens a session for a correct password; all failures look alike and take equally long. The password check is slow, so
 * the account is compared again when the session begins. A password change therefore also stops a running sign-in with
 * the old password.
 */
export async function signIn(
  deps: AccessDeps,
  credentials: Credentials,
  method: SessionMethod,
): Promise<TokenPair> {
  const checked = await authenticate(deps, credentials);
  const { username } = checked;
  const { address } = credentials;
  const opened = await deps.db.transaction(async (tx) => {
    const account = await lockAccount(tx, username);
    if (!account || !isAsChecked(checked, account)) return undefined;
    const session = await openSession(deps, tx, { account, method, address });
    await recordAudit({ ...deps, db: tx }, {
      actor: { username, address },
      event: "auth.signed_in",
      after: { method },
    });
    return session;
  });
  if (!opened) {
    throw await recordFailure(deps, { username, address, reason: "ended while under way" });
  }
  return await issuePair(deps, opened);
}

/** Returns true unless the account's sessions were ended since its password was checked, as a new password does. */
export function isAsChecked(
  checked: Pick<Account, "sessionEpoch">,
  now: Account | undefined,
): boolean {
  return now !== undefined && now.active && now.sessionEpoch === checked.sessionEpoch;
}

/** Returns the account with this password. Throws AppError `unauthenticated`, `throttled` or `refused` (too long). */
export async function authenticate(
  deps: Pick<AccessDeps, "clock" | "db" | "passwords" | "log">,
  { username: given, password, address }: Credentials,
): Promise<Account> {
  if (password.length > MAX_PASSWORD) {
    throw new AppError("refused", say`The password has more than ${MAX_PASSWORD} characters`);
  }
  const username = canonicalUsername(given);
  const attempt = await countSignIn(deps, { username: username ?? given.slice(0, 256), address });
  const account = username === undefined ? undefined : await findAccount(deps.db, username);
  const { matches, outdated } = await deps.passwords.verify(
    password,
    account?.passwordHash ?? undefined,
  )
    .catch(async (error) => {
      await attempt.takeBack();
      throw error;
    });
  if (!matches || !account?.active) {
    const reason = findReason(account, matches);
    throw await recordFailure(deps, { username: username ?? given, address, reason });
  }
  await attempt.succeeded();
  if (outdated) {
    const to = await deps.passwords.hash(password);
    await replacePasswordHash(deps.db, account.username, { from: account.passwordHash, to });
  }
  return account;
}

/** The reason is for the audit; callers hear the same in every case. */
async function recordFailure(
  deps: Pick<AccessDeps, "clock" | "db" | "log">,
  { username, address, reason }: { username: string; address: string | undefined; reason: string },
): Promise<AppError> {
  const actor = { username, address };
  await recordAudit(deps, { actor, event: "auth.sign_in_failed", after: { reason } });
  deps.log.info("auth.sign_in_failed", { user: canonicalUsername(username) });
  return new AppError("unauthenticated", say`The username or the password is wrong`);
}

function findReason(account: Account | undefined, matches: boolean): string {
  if (!account) return "unknown user";
  return matches ? "inactive" : "wrong password";
}
