import type { Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { parseAddress } from "#src/domain/mail/address.ts";
import {
  type CallOutputs,
  type InvoiceValues,
  lookupOf,
  messagesOf,
  needsOfRule,
  type NotificationRule,
  portalAddress,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { type Acting, refusalOf } from "#src/domain/permission/need.ts";
import { renderPdf } from "#src/features/renderings/mod.ts";
import { messageOf } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";

/** Everything of one rule that is to be delivered for one event, said and addressed. */
export interface Prepared {
  readonly rule: NotificationRule;
  readonly subject: string;
  readonly body: string;
  /** Undefined when the rule does not use the portal. */
  readonly portal: { readonly address: string; readonly message: string } | undefined;
  readonly emails: readonly string[];
  /** In whose name the e-mails are sent. */
  readonly owner: string | null;
  /** Why none of the e-mails may be sent; undefined when they may. */
  readonly refusal: Sentence | undefined;
  readonly pdf: Uint8Array | undefined;
}

interface PdfMaker {
  /** Undefined when it could not be rendered, which is logged and never fails an e-mail. */
  render(language: Language): Promise<Uint8Array | undefined>;
}

/** Renders an invoice at most once in each language, for whatever rules want it. */
export function pdfMaker(deps: Pick<Deps, "db" | "log" | "pdf">, notice: StatusNotice): PdfMaker {
  const made = new Map<string, Promise<Uint8Array | undefined>>();
  const make = async (language: Language) => {
    try {
      return (await renderPdf(deps, notice, language)).content;
    } catch (error) {
      const { doc, dct, kco } = notice;
      deps.log.error("notification.pdf.failed", { doc, dct, kco, reason: messageOf(error) });
      return undefined;
    }
  };
  return {
    render(language) {
      const pdf = made.get(language) ?? make(language);
      made.set(language, pdf);
      return pdf;
    },
  };
}

export interface Occasion {
  readonly notice: StatusNotice;
  readonly invoice: InvoiceValues;
  readonly pdfs: PdfMaker;
}

/** `author` is whose rights decide, as of now, whether the e-mails may leave; each asks again when it does. */
export async function prepare(
  deps: Pick<Deps, "accounts">,
  { rule, author, outcomes = [] }: {
    rule: NotificationRule;
    author: Acting;
    outcomes?: readonly CallOutputs[];
  },
  { notice, invoice, pdfs }: Occasion,
): Promise<Prepared> {
  const emails = await emailsOf(deps, rule);
  const refusal = rule.email ? refusalOf(author, needsOfRule(rule)) : undefined;
  const sends = emails.length > 0 && refusal === undefined;
  const { subject, body, portalMessage } = messagesOf(
    rule,
    lookupOf({ rule, notice, invoice, outcomes }),
    outcomes,
  );
  return {
    rule,
    subject,
    body,
    portal: rule.portal
      ? { address: portalAddress(rule.target), message: portalMessage }
      : undefined,
    emails,
    refusal,
    owner: author.username || null,
    pdf: sends && rule.attachPdf ? await pdfs.render(rule.language) : undefined,
  };
}

/** The list, and the address of the portal's user where users are known. */
export async function emailsOf(
  { accounts }: Pick<Deps, "accounts">,
  rule: NotificationRule,
): Promise<readonly string[]> {
  if (!rule.email) return [];
  const { target } = rule;
  const own = accounts.enabled && rule.portal && target.kind === "user"
    ? parseAddress(await accounts.emailOf(target.name) ?? "")
    : undefined;
  return [...new Set([...rule.emails, ...own === undefined ? [] : [own]])];
}
