import type { SentenceOrText } from "#src/kernel/i18n/kept.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import {
  needsOfRule,
  readRule,
  type RuleTemplate,
  type StatusNotice,
} from "#src/domain/notification/mod.ts";
import type { Acting } from "#src/domain/permission/need.ts";
import { checkOwnerHolds } from "#src/platform/access/mod.ts";
import { AppError, notFound, toSentence } from "#src/kernel/errors.ts";
import type { SendDeps } from "./channels/channel.ts";
import { CHANNELS } from "./channels/mod.ts";
import { deliver } from "./deliver.ts";
import { pdfMaker, prepare, type PreparedNotification } from "./prepare.ts";
import { type CallRecord, runCalls } from "./run_calls.ts";
import { invoiceValues } from "./invoice_values.ts";

type TestRuleDeps = SendDeps & Pick<Deps, "accounts" | "connectors" | "live" | "pdf" | "tasks">;

interface TestReport {
  readonly success: boolean;
  /** Records written, messages sent, calls made. */
  readonly portal: number;
  readonly emails: number;
  readonly actions: number;
  /** The first one. */
  readonly error?: Sentence;
}

const MAX_MS = 60_000;

/**
 * Fires a rule at once through every channel it enables, for real and in the caller's name, and stores no rule.
 * `forbidden` before anything is done when the caller may not read invoices, or send the e-mails it sends.
 */
export async function testRule(
  deps: TestRuleDeps,
  { template, notice, caller }: { template: RuleTemplate; notice: StatusNotice; caller: Acting },
): Promise<TestReport> {
  const read = readRule(template);
  if (!read.ok) {
    throw new AppError("refused", say`${read.problems}`, { details: { fields: read.fields } });
  }
  const { rule } = read;
  checkOwnerHolds(caller, needsOfRule(rule));
  const found = (await invoiceValues(deps.db, [notice], { businessUnit: true })).get(
    formatInvoiceKey(notice),
  );
  if (!found) throw notFound("Invoice", formatInvoiceKey(notice));
  const eventId = crypto.randomUUID();
  const occasion = { notice, invoice: found.values, pdfs: pdfMaker(deps, notice) };
  const signal = AbortSignal.timeout(MAX_MS);
  const failures: SentenceOrText[] = [];
  const outcomes = await runCalls(
    deps,
    {
      rule,
      callerNow: () => Promise.resolve(caller),
      record: createTestRecord(eventId, failures),
      signal,
    },
    occasion,
  );
  const prepared = await prepare(deps, { rule, author: caller, outcomes }, occasion);
  const records = prepared.drafts.filter((it) => CHANNELS[it.channel].kind === "record");
  const { recorded: portal } = await deps.db.transaction((tx) =>
    deliver(deps, tx, [{ eventId, notice, prepared: [{ ...prepared, drafts: records }] }])
  );
  const mails = await sendAll(deps, { prepared, notice, caller, signal });
  const [failure = mails.error] = failures;
  const error = failure === undefined ? undefined : say`${failure}`;
  const report = { portal, emails: mails.sent, actions: outcomes.length };
  return error === undefined ? { success: true, ...report } : { success: false, ...report, error };
}

async function sendAll(
  deps: TestRuleDeps,
  { prepared, notice, caller, signal }: {
    prepared: PreparedNotification;
    notice: StatusNotice;
    caller: Acting;
    signal: AbortSignal;
  },
): Promise<{ sent: number; error: Sentence | undefined }> {
  const { rule, subject, drafts, pdf } = prepared;
  let sent = 0;
  let error: Sentence | undefined;
  for (const { channel: name, addresses, text: body } of drafts) {
    const channel = CHANNELS[name];
    if (channel.kind !== "send") continue;
    for (const address of addresses) {
      const message = { id: crypto.randomUUID(), address, subject, body, notice, pdf, rule };
      try {
        await channel.send(deps, message, { owner: caller, signal });
        sent++;
      } catch (failure) {
        error ??= toSentence(failure);
      }
    }
  }
  return { sent, error };
}

/** Returns a record for a test, which is never resumed; it collects only failures. */
function createTestRecord(eventId: string, failures: SentenceOrText[]): CallRecord {
  return {
    begin: () => Promise.resolve(undefined),
    end(_, __, { error }) {
      if (error !== undefined) failures.push(error);
      return Promise.resolve();
    },
    keyOf: (n) => `${eventId}-${n}`,
  };
}
