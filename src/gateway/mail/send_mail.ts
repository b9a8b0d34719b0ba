import type { Deps } from "#src/deps.ts";
import { recordUse } from "#src/platform/connection_states/mod.ts";
import { type Mail, type MailAttachment, MailError, type MailPicture } from "#src/ports/mailer.ts";
import { readMailSettings } from "./mail_settings.ts";

/** Folder inside the data folder that receives messages while no mail server is configured. */
const MAIL_FOLDER = "mail";

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

/** Sends a message to the mail server, or writes it to a file when none is configured. Throws MailError. */
export async function sendMail(
  deps: Pick<Deps, "clock" | "db" | "log" | "mailer" | "storage" | "vault">,
  { id, ...message }: OutgoingMail,
  signal?: AbortSignal,
): Promise<SentMail> {
  const { server, from, fromName } = await readMailSettings(deps);
  const messageId = `${id}@${from.slice(from.indexOf("@") + 1)}`;
  const mail: Mail = { ...message, messageId, from, fromName, date: deps.clock.now() };
  if (server) {
    const { refused } = await deps.mailer.send(mail, { server, signal }).catch(async (error) => {
      // Other failures may be about one message or recipient.
      const isOfServer = error instanceof MailError && error.outcome === "unreachable";
      if (isOfServer) await recordUse(deps, { kind: "mail" }, error);
      throw error;
    });
    await recordUse(deps, { kind: "mail" });
    return { messageId, via: "smtp", refused };
  }
  const file = await deps.storage.confine(`${MAIL_FOLDER}/${id}.eml`);
  await deps.storage.write(file, await deps.mailer.compose(mail));
  return { messageId, via: "folder", file, refused: [] };
}
