import { newPromiseCache } from "#src/kernel/concurrency/promise_cache.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import {
  type CallOutputs,
  type ChannelName,
  createLookup,
  fillMessages,
  type InvoiceValues,
  type NotificationRule,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import { type Acting, explainRefusal } from "#src/domain/permission/need.ts";
import { renderPdf } from "#src/gateway/renderings/mod.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { CHANNELS } from "./channels/mod.ts";

/** Deliveries of one rule for one event by one channel. */
export interface Draft {
  readonly channel: ChannelName;
  readonly addresses: readonly string[];
  readonly text: string;
  /** Explains why nothing may be sent; undefined if messages may be sent. */
  readonly refusal: Sentence | undefined;
}

/** Deliveries of one rule for one event, with texts and addresses. */
export interface PreparedNotification {
  readonly rule: NotificationRule;
  readonly subject: string;
  readonly drafts: readonly Draft[];
  /** User in whose name messages are sent. */
  readonly owner: string | null;
  readonly pdf: Uint8Array | undefined;
}

interface PdfMaker {
  /** Undefined when it could not be rendered, which is logged and never fails an e-mail. */
  render(language: Language): Promise<Uint8Array | undefined>;
}

/** Renders an invoice at most once in each language, for whatever rules want it. */
export function pdfMaker(deps: Pick<Deps, "db" | "log" | "pdf">, notice: StatusNotice): PdfMaker {
  const made = newPromiseCache<Uint8Array | undefined>();
  const make = async (language: Language) => {
    try {
      return (await renderPdf(deps, notice, language)).content;
    } catch (error) {
      const { doc, dct, kco } = notice;
      deps.log.error("notification.pdf.failed", { doc, dct, kco, reason: toMessage(error) });
      return undefined;
    }
  };
  return { render: (language) => made.get(language, () => make(language)) };
}

export interface Occasion {
  readonly notice: StatusNotice;
  readonly invoice: InvoiceValues;
  readonly pdfs: PdfMaker;
}

/**
 * Prepares deliveries. The current rights of `author` decide if messages may be sent; each is checked again when it is
 * sent.
 */
export async function prepare(
  deps: Pick<Deps, "accounts">,
  { rule, author, outcomes = [] }: {
    rule: NotificationRule;
    author: Acting;
    outcomes?: readonly CallOutputs[];
  },
  { notice, invoice, pdfs }: Occasion,
): Promise<PreparedNotification> {
  const texts = fillMessages(rule, createLookup({ rule, notice, invoice, outcomes }), outcomes);
  const drafts: Draft[] = [];
  for (const name of rule.channels) {
    const channel = CHANNELS[name];
    drafts.push({
      channel: name,
      addresses: await channel.addresses(deps, rule),
      text: channel.text(texts),
      refusal: channel.kind === "send" ? explainRefusal(author, channel.needs(rule)) : undefined,
    });
  }
  const sends = drafts.some((it) => isSent(it) && it.addresses.length > 0);
  return {
    rule,
    subject: texts.subject,
    drafts,
    owner: author.username || null,
    pdf: sends && rule.attachPdf ? await pdfs.render(rule.language) : undefined,
  };
}

/** Checks that a channel will send the draft. */
export function isSent({ channel, refusal }: Draft): boolean {
  return CHANNELS[channel].kind === "send" && refusal === undefined;
}
