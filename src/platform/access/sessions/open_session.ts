import { computeSha256 } from "#src/kernel/sha256.ts";
import { randomBytes } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import type { AccessClaims } from "#src/ports/tokens.ts";
import type { AccessDeps } from "../needs.ts";
import { type Account, readRights, recordSignIn } from "../users/accounts.ts";
import {
  insertRefreshToken,
  insertSession,
  pruneSessions,
  type SessionMethod,
  type SessionRow,
} from "./store.ts";

const DAY = 86_400_000;
/** A refresh token waits so long to be used; the session as a whole ends after thirty days whatever happens. */
const REFRESH_MS = 7 * DAY;
const SESSION_MS = 30 * DAY;

export interface TokenPair {
  readonly accessToken: string;
  /** Absent for sessions that live as long as one access token. */
  readonly refreshToken: string | undefined;
  /** Seconds. */
  readonly expiresIn: number;
  readonly refreshExpiresAt: Date;
}

/** A session as the transaction that opened or renewed it left it; its tokens are made after the commit. */
interface OpenedSession {
  readonly claims: Omit<AccessClaims, "expiresAt">;
  readonly expiresAt: Date;
  readonly refresh: NewRefreshToken | undefined;
}

/** Starts a session in the caller's transaction; `token` sessions cannot be refreshed. */
export async function openSession(
  deps: AccessDeps,
  tx: Deps["db"],
  { account, method, address }: {
    account: Account;
    method: SessionMethod;
    address: string | undefined;
  },
): Promise<OpenedSession> {
  const now = deps.clock.now();
  const id = crypto.randomUUID();
  const lifetime = method === "token" ? deps.tokens.lifetimeSeconds * 1000 : SESSION_MS;
  const expiresAt = new Date(now.getTime() + lifetime);
  await insertSession(tx, {
    id,
    username: account.username,
    epoch: account.sessionEpoch,
    method,
    address: address ?? null,
    createdAt: now,
    expiresAt,
  });
  await recordSignIn(tx, account.username, now);
  await pruneSessions(tx, new Date(now.getTime() - DAY));
  const refresh = method === "token"
    ? undefined
    : await addRefreshToken(tx, { id, expiresAt }, now);
  return { claims: await readClaims(tx, account, id), expiresAt, refresh };
}

/** Returns true for an active account whose sessions were not all ended since this one began. */
export function isOpenFor(
  { active, sessionEpoch }: Pick<Account, "active" | "sessionEpoch">,
  { epoch }: Pick<SessionRow, "epoch">,
): boolean {
  return active && epoch === sessionEpoch;
}

interface NewRefreshToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** 256 random bits; only their hash is stored. */
export async function addRefreshToken(
  tx: Deps["db"],
  session: { id: string; expiresAt: Date },
  now: Date,
): Promise<NewRefreshToken> {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(Math.min(now.getTime() + REFRESH_MS, session.expiresAt.getTime()));
  await insertRefreshToken(tx, {
    tokenSha256: computeSha256(token),
    sessionId: session.id,
    issuedAt: now,
    expiresAt,
  });
  return { token, expiresAt };
}

export async function readClaims(
  tx: Deps["db"],
  account: Account,
  session: string,
): Promise<OpenedSession["claims"]> {
  const { permissions, ...rights } = await readRights(tx, account);
  return { username: account.username, session, ...rights, permissions: permissions.codes };
}

export async function issuePair(
  { tokens }: Pick<Deps, "tokens">,
  opened: OpenedSession,
): Promise<TokenPair> {
  return {
    accessToken: await tokens.issue(opened.claims),
    refreshToken: opened.refresh?.token,
    expiresIn: tokens.lifetimeSeconds,
    refreshExpiresAt: opened.refresh?.expiresAt ?? opened.expiresAt,
  };
}
