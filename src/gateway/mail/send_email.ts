import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { MAX_RECIPIENTS, parseAddressList } from "#src/domain/mail/address.ts";
import { renderPdf, storedXml } from "#src/gateway/renderings/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import { MailError } from "#src/ports/mailer.ts";
import { type MailDeps, sendMail, type SentMail } from "./send_mail.ts";

interface EmailRequest {
  /** UUID from which the message id is derived, to recognise repetitions; random by default. */
  readonly id?: string;
  /** Separated by `,` or `;`. */
  readonly to: string;
  readonly cc: string;
  readonly subject: string;
  readonly body: string;
  readonly invoice?: InvoiceKey | undefined;
  readonly language: Language;
}

type SendEmailDeps = MailDeps & Pick<Deps, "pdf">;

/** Sends one message at a user's request, with the PDF and UBL of an invoice if named; all or nothing. */
export async function sendEmail(deps: SendEmailDeps, request: EmailRequest): Promise<SentMail> {
  const to = addresses("to", request.to);
  const cc = addresses("cc", request.cc).filter((it) => !to.includes(it));
  if (!to.length) throw new AppError("refused", say`to: an address is needed`);
  if (to.length + cc.length > MAX_RECIPIENTS) {
    throw new AppError(
      "refused",
      say`${to.length + cc.length} recipients; ${MAX_RECIPIENTS} are allowed`,
    );
  }
  if (/\p{Cc}|\u2028|\u2029/u.test(request.subject)) {
    throw new AppError("refused", say`subject: line breaks and control characters are not allowed`);
  }
  const { invoice, language, subject, body: text } = request;
  const attachments = invoice
    ? [await renderPdf(deps, invoice, language), await storedXml(deps, invoice)]
    : [];
  try {
    const sent = await sendMail(deps, {
      id: request.id ?? crypto.randomUUID(),
      to,
      cc,
      subject,
      text,
      attachments,
    });
    deps.log.info("mail.sent", {
      messageId: sent.messageId,
      via: sent.via,
      recipients: to.length + cc.length,
    });
    return sent;
  } catch (error) {
    throw explainFailure(deps, error);
  }
}

/** Logs a failure of the mail server and returns it as an AppError; other errors stay as they are. */
export function explainFailure({ log }: Pick<Deps, "log">, error: unknown): unknown {
  if (!(error instanceof MailError)) return error;
  log.error("mail.failed", { reason: error.message });
  const retry = error.retryAfterMs === undefined ? {} : { retryAfter: error.retryAfterMs / 1000 };
  return new AppError(
    error.retryAfterMs === undefined ? "upstream" : "unavailable",
    error.sentence,
    { ...retry, cause: error },
  );
}

function addresses(field: string, text: string): readonly string[] {
  const { addresses, wrong } = parseAddressList(text);
  if (wrong[0] !== undefined) {
    throw new AppError(
      "refused",
      say`${field}: ${JSON.stringify(wrong[0].slice(0, 100))} is no address`,
    );
  }
  return addresses;
}
