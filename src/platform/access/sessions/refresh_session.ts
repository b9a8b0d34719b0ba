import { computeSha256 } from "#src/kernel/sha256.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { AccessDeps } from "../needs.ts";
import { findAccount } from "../users/accounts.ts";
import { announceChange } from "../users/change_access.ts";
import {
  addRefreshToken,
  isOpenFor,
  issuePair,
  readClaims,
  type TokenPair,
} from "./open_session.ts";
import { endSession, findUsedToken, markUsed, useRefreshToken } from "./store.ts";

/**
 * Exchanges a refresh token, which can be used once, for a new pair. One of several concurrent calls succeeds. A reused
 * token counts as stolen, so its session ends (RFC 9700, 4.14.2).
 */
export async function refreshSession(
  deps: AccessDeps,
  { token, address }: { token: string; address: string | undefined },
): Promise<TokenPair> {
  const arrivedAt = deps.clock.now();
  const tokenSha256 = computeSha256(token);
  const renewed = await deps.db.transaction(async (tx) => {
    const session = await useRefreshToken(tx, tokenSha256, deps.clock.now());
    const account = session && await findAccount(tx, session.username);
    if (!account || !isOpenFor(account, session)) return undefined;
    const refresh = await addRefreshToken(tx, session, deps.clock.now());
    const claims = await readClaims(tx, account, session.id);
    await markUsed(tx, tokenSha256, deps.clock.now()); // the moment of the answer, as near as can be
    return { claims, expiresAt: session.expiresAt, refresh };
  });
  if (renewed) return await issuePair(deps, renewed);
  await endStolen(deps, { tokenSha256, arrivedAt, address });
  throw new AppError("unauthenticated", say`The refresh token is used, expired or not valid`);
}

async function endStolen(
  deps: AccessDeps,
  { tokenSha256, arrivedAt, address }: {
    tokenSha256: string;
    arrivedAt: Date;
    address: string | undefined;
  },
): Promise<void> {
  const found = await findUsedToken(deps.db, tokenSha256, arrivedAt);
  if (!found || arrivedAt < found.usedAt) return;
  const { id, username } = found.session;
  const account = await findAccount(deps.db, username);
  if (!account || !isOpenFor(account, found.session)) return;
  await deps.db.transaction(async (tx) => {
    await endSession(tx, id, { at: arrivedAt, by: "reuse of a refresh token" });
    await announceChange(deps, tx, [username]);
    await recordAudit({ ...deps, db: tx }, {
      actor: { username, address },
      event: "auth.refresh_reused",
      target: id,
    });
  });
  deps.log.warn("auth.refresh.reused", { user: username, session: id });
}
