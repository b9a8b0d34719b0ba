import { Buffer } from "node:buffer";
import type { Mail } from "#src/ports/mailer.ts";

/** In nodemailer's terms; addresses as objects, so that nothing is parsed again. */
export function messageFor(
  { messageId, from, fromName, to, cc = [], subject, text, date, attachments = [] }: Mail,
) {
  return {
    messageId: `<${messageId}>`,
    from: { name: fromName ?? "", address: from },
    to: to.map(bare),
    cc: cc.map(bare),
    envelope: { from, to: [...to, ...cc] },
    subject,
    text,
    date,
    headers: { "Auto-Submitted": "auto-generated" },
    attachments: attachments.map(({ name, type, content }) => ({
      filename: name,
      contentType: type,
      content: Buffer.from(content),
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function bare(address: string) {
  return { name: "", address };
}
