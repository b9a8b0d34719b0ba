import { randomBytes } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { explainFailure, readMailSettings, sendMail } from "#src/gateway/mail/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import { computeSha256 } from "#src/kernel/sha256.ts";
import {
  type Account,
  changeAccess,
  checkMayHave,
  findAccount,
  limitUses,
} from "#src/platform/access/mod.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { type Invitation, putInvitation, removeInvitation } from "./store.ts";

export type InviteDeps = Pick<
  Deps,
  | "clock"
  | "configuration"
  | "db"
  | "live"
  | "log"
  | "mailer"
  | "passwords"
  | "settings"
  | "storage"
  | "tokens"
  | "vault"
>;

const HOURS_VALID = 72;
/** Invitations of one user before a wait, so that nobody floods a mailbox. */
const FREE_INVITATIONS = 5;

interface Invited {
  readonly expiresAt: Date;
  /** Address that received the link. */
  readonly sentTo: string | null;
  /** Link for the administrator, shown once; null when it was sent. */
  readonly link: string | null;
  /** Setting or address without which the link cannot be sent; null when it was sent. */
  readonly missing: Missing | null;
}

export const MISSING = ["address", "mail_server", "public_url"] as const;
type Missing = typeof MISSING[number];

/**
 * Invites a user without a password to choose one. The link goes to the user's address if a mail server and the public
 * address are set up, else to the caller. The link is worth the account, so the caller must cover it.
 */
export async function inviteUser(
  deps: InviteDeps,
  { username, by, language }: { username: string; by: Actor; language: Language },
): Promise<Invited> {
  const token = randomBytes(32).toString("base64url");
  const tokenSha256 = computeSha256(token);
  const { publicUrl } = deps.settings.access;
  const createdAt = deps.clock.now();
  const expiresAt = new Date(createdAt.getTime() + HOURS_VALID * 3_600_000);
  const { server } = await readMailSettings(deps).catch((error) => {
    // Without the public address nothing is sent, so unusable settings stop nobody.
    if (publicUrl === undefined && error instanceof AppError) return { server: undefined };
    throw error;
  });
  const unset = server === undefined
    ? "mail_server"
    : publicUrl === undefined
    ? "public_url"
    : undefined;
  // Counted first, since a refused call must not replace the link that was sent before.
  if (!unset) await limitUses(deps, { what: "invite", of: username, free: FREE_INVITATIONS });
  const account = await changeAccess(deps, async (tx) => {
    const account = await mustBeInvitable(tx, username);
    await checkMayHave(deps, tx, account, { by, what: say`Inviting ${username}` });
    const invitation: Invitation = {
      username,
      tokenSha256,
      email: account.email,
      epoch: account.sessionEpoch,
      createdBy: by.username,
      createdAt,
      expiresAt,
    };
    await putInvitation(tx, invitation);
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.invited",
      target: username,
      after: { email: account.email, expires_at: expiresAt.toISOString() },
    });
    return account;
  }, [username]);
  // After `#` the token reaches no server and no log before the page sends it.
  const link = `${publicUrl ?? ""}/invitation#${token}`;
  if (unset || account.email === null) {
    const missing = account.email === null ? "address" : unset ?? null;
    return { expiresAt, sentTo: null, link, missing };
  }
  const to = account.email;
  await sendMail(deps, {
    id: crypto.randomUUID(),
    to: [to],
    ...writeMail(account, { link, language: account.language ?? language }),
  }).catch(async (error) => {
    await removeInvitation(deps.db, username, tokenSha256);
    throw explainFailure(deps, error);
  });
  return { expiresAt, sentTo: to, link: null, missing: null };
}

/** Makes the link void. Does nothing if no invitation is open. */
export async function revokeInvitation(
  deps: InviteDeps,
  { username, by }: { username: string; by: Actor },
): Promise<void> {
  await changeAccess(deps, async (tx) => {
    const account = await findAccount(tx, username);
    if (!account) throw notFound("User", username);
    await removeInvitation(tx, username);
    await recordAudit({ ...deps, db: tx }, {
      actor: by,
      event: "user.invitation_revoked",
      target: username,
    });
  }, [username]);
}

async function mustBeInvitable(tx: Deps["db"], username: string): Promise<Account> {
  const account = await findAccount(tx, username);
  if (!account) throw notFound("User", username);
  if (!account.active) {
    throw new AppError("conflict", say`${username} is blocked: let the user sign in first`);
  }
  if (account.passwordHash !== null) {
    throw new AppError(
      "conflict",
      say`${username} has a password already: set a new one instead of an invitation`,
    );
  }
  return account;
}

function writeMail(
  { username, displayName }: Account,
  { link, language }: { link: string; language: Language },
): { subject: string; text: string } {
  const name = displayName.replace(/\p{C}+/gu, " ") || username;
  const lines = [
    say`Hello ${name},`,
    say`You have an account in Passerelle, the gateway for electronic invoices. Your username is ${username}.`,
    say`Choose your password with this link. It works once, for ${HOURS_VALID} hours:`,
  ].map((it) => translate(it, language));
  const end = translate(
    say`If you do not expect this e-mail, ignore it: nobody can sign in without the link.`,
    language,
  );
  return {
    subject: translate(say`Your access to Passerelle`, language),
    text: [...lines, link, end].join("\n\n") + "\n",
  };
}
