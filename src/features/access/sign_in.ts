import { canonicalUsername, MAX_PASSWORD } from "#src/domain/permission/account.ts";
import { recordAudit } from "#src/features/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { AccessNeeds } from "./needs.ts";
import { issuePair, openSession, type TokenPair } from "./open_session.ts";
import type { SessionMethod } from "./session_store.ts";
import { countSignIn } from "./throttle.ts";
import { type Account, findAccount, replacePasswordHash } from "./user_store.ts";

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly address: string | undefined;
}

/** A session for whoever knows the password; every way to fail looks and lasts alike. */
export async function signIn(
  deps: AccessNeeds,
  credentials: Credentials,
  method: SessionMethod,
): Promise<TokenPair> {
  const account = await checkPassword(deps, credentials);
  const { username } = account;
  const { address } = credentials;
  const opened = await deps.db.transaction(async (tx) => {
    const session = await openSession(deps, tx, { username, method, address });
    await recordAudit({ ...deps, db: tx }, {
      actor: { username, address },
      event: "auth.signed_in",
      after: { method },
    });
    return session;
  });
  return await issuePair(deps, opened);
}

/** The account whose password this is. Throws AppError `unauthenticated`, `throttled` or `refused` (too long). */
export async function checkPassword(
  deps: Pick<AccessNeeds, "clock" | "db" | "passwords" | "log">,
  { username: given, password, address }: Credentials,
): Promise<Account> {
  if (password.length > MAX_PASSWORD) {
    throw new AppError("refused", `The password has more than ${MAX_PASSWORD} characters`);
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
    const actor = { username: username ?? given, address };
    await recordAudit(deps, {
      actor,
      event: "auth.sign_in_failed",
      after: { reason: reasonOf(account, matches) },
    });
    deps.log.info("auth.sign_in_failed", { user: username });
    throw new AppError("unauthenticated", "The username or the password is wrong");
  }
  await attempt.succeeded();
  if (outdated) {
    await replacePasswordHash(deps.db, account.username, await deps.passwords.hash(password));
  }
  return account;
}

function reasonOf(account: Account | undefined, matches: boolean): string {
  if (!account) return "unknown user";
  return matches ? "inactive" : "wrong password";
}
