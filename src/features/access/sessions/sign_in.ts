import { canonicalUsername, MAX_PASSWORD } from "#src/domain/permission/account.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { AccessNeeds } from "../needs.ts";
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
 * A session for whoever knows the password; every way to fail looks and lasts alike. Checking takes long: what was
 * checked is compared with the account as it is when the session begins, so that a sign-in under way with the old
 * password ends with it.
 */
export async function signIn(
  deps: AccessNeeds,
  credentials: Credentials,
  method: SessionMethod,
): Promise<TokenPair> {
  const checked = await checkPassword(deps, credentials);
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
  if (!opened) throw await failed(deps, { username, address, reason: "ended while under way" });
  return await issuePair(deps, opened);
}

/** Whether nothing ended the account's sessions since its password was checked, as setting another one does. */
export function isAsChecked(
  checked: Pick<Account, "sessionEpoch">,
  now: Account | undefined,
): boolean {
  return now !== undefined && now.active && now.sessionEpoch === checked.sessionEpoch;
}

/** The account whose password this is. Throws AppError `unauthenticated`, `throttled` or `refused` (too long). */
export async function checkPassword(
  deps: Pick<AccessNeeds, "clock" | "db" | "passwords" | "log">,
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
    const reason = reasonOf(account, matches);
    throw await failed(deps, { username: username ?? given, address, reason });
  }
  await attempt.succeeded();
  if (outdated) {
    const to = await deps.passwords.hash(password);
    await replacePasswordHash(deps.db, account.username, { from: account.passwordHash, to });
  }
  return account;
}

/** The reason is for the audit; callers hear the same in every case. */
async function failed(
  deps: Pick<AccessNeeds, "clock" | "db" | "log">,
  { username, address, reason }: { username: string; address: string | undefined; reason: string },
): Promise<AppError> {
  const actor = { username, address };
  await recordAudit(deps, { actor, event: "auth.sign_in_failed", after: { reason } });
  deps.log.info("auth.sign_in_failed", { user: canonicalUsername(username) });
  return new AppError("unauthenticated", say`The username or the password is wrong`);
}

function reasonOf(account: Account | undefined, matches: boolean): string {
  if (!account) return "unknown user";
  return matches ? "inactive" : "wrong password";
}
