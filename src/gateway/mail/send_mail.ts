import type { Deps } from "#src/deps.ts";
import { recordUse } from "#src/platform/connection_states/mod.ts";
import {
  admitCall,
  closeBreaker,
  recordAnswer,
  recordFailure,
} from "#src/platform/outbound_limits/mod.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import {
  type Mail,
  type MailAttachment,
  MailError,
  type MailPicture,
  type MailReceipt,
  type MailServer,
} from "#src/ports/mailer.ts";
import { readMailSettings } from "./mail_settings.ts";

/** Folder inside the data folder that receives messages while no mail server is configured. */
const MAIL_FOLDER = "mail";

/** Failures in a row that open the breaker of a mail server. A silent server takes a whole timeout for each. */
const BREAKER = { failures: 3, windowMs: 600_000 };

interface OutgoingMail {
  /** A UUID; the message id follows from it, so that the same message sent twice can be recognised. */
  readonly id: string;
  readonly to: readonly string[];
  readonly cc?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly MailAttachment[];
  readonly picture?: MailPicture | undefined;
}

/** Result of sending a message. */
export interface SentMail {
  readonly messageId: string;
  readonly via: "smtp" | "folder";
  /** Path of the message file. */
  readonly file?: string;
  /** Recipients the server refused while it took the message for others. */
  readonly refused: readonly string[];
}

export type MailDeps = Pick<
  Deps,
  "clock" | "db" | "log" | "mailer" | "settings" | "storage" | "vault"
>;

/** Sends a message to the mail server, or writes it to a file when none is configured. Throws MailError. */
export async function sendMail(
  deps: MailDeps,
  { id, ...message }: OutgoingMail,
  signal?: AbortSignal,
): Promise<SentMail> {
  const { server, from, fromName } = await readMailSettings(deps);
  const messageId = `${id}@${from.slice(from.indexOf("@") + 1)}`;
  const mail: Mail = { ...message, messageId, from, fromName, date: deps.clock.now() };
  if (server) {
    const { refused } = await sendTo(deps, server, { mail, signal });
    return { messageId, via: "smtp", refused };
  }
  const file = await deps.storage.confine(`${MAIL_FOLDER}/${id}.eml`);
  await deps.storage.write(file, await deps.mailer.compose(mail));
  return { messageId, via: "folder", file, refused: [] };
}

/** Sends a test message, also during a pause of the server. A success ends the pause. Throws MailError. */
export async function sendTestMail(
  deps: Pick<Deps, "db" | "mailer">,
  server: MailServer,
  { mail, signal }: { mail: Mail; signal: AbortSignal },
): Promise<void> {
  await deps.mailer.send(mail, { server, signal });
  await closeBreaker(deps.db, getPeer(server));
}

/** Ends a pause of the mail server, so that the next message is really attempted, as a user requests. */
export async function endMailPause({ db, vault }: Pick<Deps, "db" | "vault">): Promise<void> {
  const { server } = await readMailSettings({ db, vault });
  if (server) await closeBreaker(db, getPeer(server));
}

/** Returns the name of the breaker. A changed security has its own: the server may not answer to the wrong one. */
function getPeer({ host, port, security }: MailServer): string {
  return `mail ${host}:${port} ${security}`;
}

/**
 * Sends within the breaker of the server, so that no message waits for a server that does not answer. Any answer closes
 * the breaker, also an untrusted certificate: a refusal may be about one message or recipient.
 */
async function sendTo(
  deps: MailDeps,
  server: MailServer,
  { mail, signal }: { mail: Mail; signal: AbortSignal | undefined },
): Promise<MailReceipt> {
  const { db } = deps;
  const { openMs } = deps.settings.submission.breaker;
  const peer = getPeer(server);
  const admission = await admitCall(db, peer, openMs);
  if (admission.isOpen) {
    const place = `${server.host}:${server.port}`;
    throw new MailError(
      say`The mail server ${place} does not answer at the moment`,
      "unreachable",
      { retryAfterMs: Math.max(1, admission.waitMs) },
    );
  }
  try {
    const receipt = await deps.mailer.send(mail, { server, signal });
    await recordAnswer(db, peer, admission);
    await recordUse(deps, { kind: "mail" });
    return receipt;
  } catch (error) {
    if (!(error instanceof MailError) || error.outcome !== "unreachable") {
      await recordAnswer(db, peer, admission);
      if (error instanceof MailError && error.isSignInRefused) {
        await recordUse(deps, { kind: "mail" }, error);
      }
      throw error;
    }
    await recordUse(deps, { kind: "mail" }, error);
    if (error.isUntrusted) {
      await recordAnswer(db, peer, admission);
      throw error;
    }
    const reason = error.message;
    const opened = await recordFailure(db, peer, {
      ...BREAKER,
      openMs,
      pauseMs: undefined,
      reason,
    });
    if (opened) deps.log.warn("mail.breaker.open", { host: server.host, reason });
    throw error;
  }
}
