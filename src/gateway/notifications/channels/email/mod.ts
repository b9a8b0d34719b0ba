import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { parseAddress } from "#src/domain/mail/address.ts";
import { needsOfRule } from "#src/domain/notification/mod.ts";
import { endMailPause, sendMail } from "#src/gateway/mail/mod.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { MailError } from "#src/ports/mailer.ts";
import type { SendChannel } from "../channel.ts";
import { withChart } from "./chart_of_mail.ts";

/** Mail to the addresses of the rule, and to the portal's user if that user has an address. */
export const email: SendChannel = {
  kind: "send",
  event: "mail",
  async addresses({ accounts }, { channels, emails, target }) {
    const own = accounts.enabled && channels.includes("portal") && target.kind === "user"
      ? parseAddress(await accounts.emailOf(target.name) ?? "")
      : undefined;
    return [...new Set([...emails, ...own === undefined ? [] : [own]])];
  },
  text: ({ body }) => body,
  needs: ({ chart }) => needsOfRule({ channels: ["email"], chart }),
  async send(deps, { id, address, subject, body, notice, pdf, rule }, { owner, signal }) {
    const shown = rule
      ? await withChart(deps, { rule, owner, text: body }, signal)
      : { text: body };
    const name = `${formatInvoiceKey(notice).replace(/[^\w.-]/g, "_")}.pdf`;
    const attachments = pdf ? [{ name, type: "application/pdf", content: pdf }] : [];
    const mail = { id, to: [address], subject, ...shown, attachments };
    const { via } = await sendMail(deps, mail, signal);
    if (via === "smtp") return undefined;
    return say`No mail server is set up, so the e-mail was only written to a file`;
  },
  endPause: endMailPause,
  failureOf: (error) =>
    error instanceof MailError
      ? { isFinal: error.outcome === "permanent", waitMs: error.retryAfterMs }
      : { isFinal: false },
};
