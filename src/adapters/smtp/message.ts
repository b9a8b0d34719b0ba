import { Buffer } from "node:buffer";
import type { Mail, MailPicture } from "#src/ports/mailer.ts";

/** Converts a mail to nodemailer's format; addresses are objects, so that nothing is parsed again. */
export function messageFor(
  { messageId, from, fromName, to, cc = [], subject, text, date, attachments = [], picture }: Mail,
) {
  return {
    messageId: `<${messageId}>`,
    from: { name: fromName ?? "", address: from },
    to: to.map(bare),
    cc: cc.map(bare),
    envelope: { from, to: [...to, ...cc] },
    subject,
    text,
    ...picture && { html: buildHtml(text, picture) },
    date,
    headers: { "Auto-Submitted": "auto-generated" },
    attachments: [
      ...attachments.map(({ name, type, content }) => ({
        filename: name,
        contentType: type,
        content: Buffer.from(content),
      })),
      ...picture
        ? [{
          filename: "chart.png",
          contentType: "image/png",
          content: Buffer.from(picture.content),
          contentDisposition: "inline" as const,
          cid: PICTURE,
        }]
        : [],
    ],
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Within its message alone. */
const PICTURE = "picture@passerelle.invalid";

/** Returns the same text for readers of HTML, where nothing of it is a tag. */
function buildHtml(text: string, { alt }: MailPicture): string {
  return `<div style="white-space:pre-wrap;font-family:sans-serif">${escape(text)}</div>` +
    `<p><img src="cid:${PICTURE}" alt="${escape(alt)}" width="800" style="max-width:100%"></p>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
}

function bare(address: string) {
  return { name: "", address };
}
