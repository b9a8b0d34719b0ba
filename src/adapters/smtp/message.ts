import { Buffer } from "node:buffer";
import type { Mail, MailPicture } from "#src/ports/mailer.ts";

/** In nodemailer's terms; addresses as objects, so that nothing is parsed again. */
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
    ...picture && { html: htmlOf(text, picture) },
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

/** The same text for readers of HTML, where nothing of it is a tag. */
function htmlOf(text: string, { alt }: MailPicture): string {
  return `<div style="white-space:pre-wrap;font-family:sans-serif">${escaped(text)}</div>` +
    `<p><img src="cid:${PICTURE}" alt="${escaped(alt)}" width="800" style="max-width:100%"></p>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`);
}

function bare(address: string) {
  return { name: "", address };
}
