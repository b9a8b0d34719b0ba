import type { SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  needsOfRule,
  readRule,
  type RuleTemplate,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import type { Acting } from "#src/domain/permission/need.ts";
import { checkOwnerHolds } from "#src/features/access/mod.ts";
import { sendMail } from "#src/features/mail/mod.ts";
import { AppError, notFound, sentenceOf } from "#src/kernel/errors.ts";
import { type DrawChart, withChart } from "./chart_of_mail.ts";
import { deliver } from "./deliver.ts";
import { pdfMaker, prepare, type Prepared } from "./prepare.ts";
import { type CallRecord, runCalls } from "./run_calls.ts";
import { invoiceValues } from "./invoice_values.ts";

type Needs =
  & Pick<
    Deps,
    | "accounts"
    | "clock"
    | "connectors"
    | "db"
    | "live"
    | "log"
    | "mailer"
    | "pdf"
    | "storage"
    | "tasks"
    | "vault"
  >
  & { readonly drawChart: DrawChart };

interface TestReport {
  readonly success: boolean;
  /** Records written, messages sent, calls made. */
  readonly portal: number;
  readonly emails: number;
  readonly actions: number;
  /** The first one. */
  readonly error?: Sentence;
}

const LONGEST_MS = 60_000;

/**
 * Fires a rule at once through every channel it enables, for real and in the caller's name, and stores no rule.
 * `forbidden` before anything is done when the caller may not read invoices, or send the e-mails it sends.
 */
export async function testRule(
  needs: Needs,
  { template, notice, caller }: { template: RuleTemplate; notice: StatusNotice; caller: Acting },
): Promise<TestReport> {
  const read = readRule(template);
  if (!read.ok) throw new AppError("refused", say`${read.problems}`);
  const { rule } = read;
  checkOwnerHolds(caller, needsOfRule(rule));
  const found = (await invoiceValues(needs.db, [notice], { businessUnit: true })).get(
    formatInvoiceKey(notice),
  );
  if (!found) throw notFound("Invoice", formatInvoiceKey(notice));
  const eventId = crypto.randomUUID();
  const occasion = { notice, invoice: found.values, pdfs: pdfMaker(needs, notice) };
  const signal = AbortSignal.timeout(LONGEST_MS);
  const failures: SentenceOrText[] = [];
  const outcomes = await runCalls(
    needs,
    {
      rule,
      callerNow: () => Promise.resolve(caller),
      record: unrecorded(eventId, failures),
      signal,
    },
    occasion,
  );
  const prepared = await prepare(needs, { rule, author: caller, outcomes }, occasion);
  const { portal } = await needs.db.transaction((tx) =>
    deliver(needs, tx, [{ eventId, notice, prepared: [{ ...prepared, emails: [] }] }])
  );
  const mails = await sendAll(needs, { prepared, notice, caller, signal });
  const [failure = mails.error] = failures;
  const error = failure === undefined ? undefined : say`${failure}`;
  const report = { portal, emails: mails.sent, actions: outcomes.length };
  return error === undefined ? { success: true, ...report } : { success: false, ...report, error };
}

async function sendAll(
  needs: Needs,
  { prepared, notice, caller, signal }: {
    prepared: Prepared;
    notice: StatusNotice;
    caller: Acting;
    signal: AbortSignal;
  },
): Promise<{ sent: number; error: Sentence | undefined }> {
  const { rule, subject, body, emails, pdf } = prepared;
  const shown = emails.length
    ? await withChart(needs, { rule, owner: caller, text: body }, signal)
    : { text: body };
  const name = `${formatInvoiceKey(notice).replace(/[^\w.-]/g, "_")}.pdf`;
  const attachments = pdf ? [{ name, type: "application/pdf", content: pdf }] : [];
  let sent = 0;
  let error: Sentence | undefined;
  for (const address of emails) {
    try {
      await sendMail(needs, {
        id: crypto.randomUUID(),
        to: [address],
        subject,
        ...shown,
        attachments,
      }, signal);
      sent++;
    } catch (failure) {
      error ??= sentenceOf(failure);
    }
  }
  return { sent, error };
}

/** A test is not resumed: only what went wrong is noted. */
function unrecorded(eventId: string, failures: SentenceOrText[]): CallRecord {
  return {
    begin: () => Promise.resolve(undefined),
    end(_, __, { error }) {
      if (error !== undefined) failures.push(error);
      return Promise.resolve();
    },
    keyOf: (n) => `${eventId}-${n}`,
  };
}
