import type { Deps } from "#src/deps.ts";
import { parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { checkPermission } from "#src/http/guard.ts";
import { MB } from "#src/http/intake.ts";
import { body, failing, json, newRouter, route } from "#src/http/router.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { EmailBody, EmailSent } from "./schemas.ts";
import { sendEmail } from "./send_email.ts";

const email = route({
  method: "post",
  operationId: "sendEmail",
  "x-audit": "email.sent",
  path: "/api/email",
  "x-permission": "email:send",
  tags: ["E-mail"],
  summary: "Send an e-mail",
  description:
    "For users who send documents. With `invoiceId` the PDF and the UBL are attached, which also requires `invoices:read`.",
  request: { body: body(EmailBody, { limit: 2 * MB }) },
  responses: {
    200: json(
      EmailSent,
      "The mail server accepted the e-mail, or it was written into the folder `mail`",
    ),
    ...failing(404, 502, 503),
  },
});

export function mailRoutes(deps: Deps) {
  return newRouter("invoicing").openapi(email, async (c) => {
    const { to, cc, invoiceId, subject, body } = c.req.valid("json");
    const invoice = invoiceId === undefined ? undefined : parseInvoiceKey(invoiceId);
    if (invoiceId !== undefined && !invoice) {
      throw new AppError(
        "refused",
        say`invoiceId: ${JSON.stringify(invoiceId.slice(0, 100))} is not <doc>-<dct>-<kco>`,
      );
    }
    if (invoice) await checkPermission(c, "invoices:read");
    const { messageId, via, file, refused } = await sendEmail(deps, {
      to: text(to),
      cc: text(cc ?? ""),
      subject,
      body,
      invoice,
      language: c.var.language,
    });
    return c.json({
      success: true as const,
      messageId,
      via,
      ...file !== undefined && { file },
      ...refused.length > 0 && { refused: [...refused] },
    }, 200);
  });
}

/** Each list entry is one address; a separator inside would split it. */
function text(addresses: string | string[]): string {
  if (typeof addresses === "string") return addresses;
  const wrong = addresses.find((it) => /[,;]/.test(it));
  if (wrong !== undefined) {
    throw new AppError("refused", say`${JSON.stringify(wrong.slice(0, 100))} is no address`);
  }
  return addresses.join(",");
}
