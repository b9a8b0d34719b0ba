import { type SentenceOrText, toColumns } from "#src/kernel/i18n/kept.ts";
import { say, Sentence } from "#src/kernel/i18n/sentence.ts";
import type { Deps } from "#src/deps.ts";
import {
  attentionAfter,
  isIndependent,
  type StoredAttention,
} from "#src/domain/invoice/attention.ts";
import { applyEvent } from "#src/domain/invoice/lifecycle.ts";
import { isDeposited, STATUS } from "#src/domain/invoice/status.ts";
import {
  attentionColumn,
  lockInvoiceById,
  readEvents,
  recordStatus,
  updateInvoice,
} from "#src/gateway/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { chooseFlow, lookUp } from "../pa/look_up.ts";
import { loadPayload } from "./payload.ts";
import {
  countSends,
  flowsOfOthers,
  latestSubmission,
  lockSubmission,
  readSubmissions,
  type SubmissionRow,
  updateSubmission,
} from "./store.ts";

type ReconcileDuplicateDeps = Pick<Deps, "clock" | "db" | "live" | "notifier">;

/** Duplicate report of the PA: `AlreadyExistingFlow` about a flow, or a 213 DOUBLON. */
export interface DuplicateReport {
  readonly invoiceId: number;
  /** The refused flow, where the word names it. */
  readonly refusedFlowId?: string | undefined;
  /** Identity of the report, so that it is recorded once. */
  readonly paEventId: string;
  readonly message: SentenceOrText;
}

/**
 * Result of checking a refusal as duplicate.
 * `ours`: the PA has a first copy of ours. `apply` records that in the caller's transaction, and the valid invoice is
 * not rejected.
 * `foreign`: an invoice of another sender has the number, so the submission has failed.
 * `unclear`: the PA cannot tell, so a person decides.
 */
type Reconciled =
  | { readonly kind: "ours"; readonly flowId: string; readonly apply: (tx: Db) => Promise<void> }
  | { readonly kind: "foreign" }
  | { readonly kind: "unclear"; readonly why: Sentence };

/** A second copy of our own. */
export type OwnCopy = Extract<Reconciled, { kind: "ours" }>;

/**
 * Finds out if a refusal as duplicate concerns our own second copy with equal bytes. Queries the PA only when two
 * copies may have been sent.
 */
export async function reconcileDuplicate(
  deps: ReconcileDuplicateDeps,
  pa: Pa,
  word: DuplicateReport,
): Promise<Reconciled> {
  const { invoiceId } = word;
  const submissions = await readSubmissions(deps.db, invoiceId);
  const refused = submissions.find((it) => it.flowId === word.refusedFlowId) ?? submissions.at(-1);
  if (await countSends(deps.db, invoiceId) < 2 || await isForeign(deps.db, invoiceId)) {
    return { kind: "foreign" };
  }
  // A different version of the document cannot replace the refused one.
  const same = submissions.filter((it) => it.payloadSha256 === refused?.payloadSha256);
  for (const submission of same) {
    const found = await readCopies(deps, pa, submission);
    if (found instanceof Sentence) return { kind: "unclear", why: found };
    const first = chooseFlow(
      found.filter((it) => it.flowId !== word.refusedFlowId && it.ack.status !== "Error"),
    );
    if (!first) continue;
    // Without the refused flow's id, a single copy must be the refused one.
    if (word.refusedFlowId === undefined && found.length < 2 && same.length < 2) continue;
    return {
      kind: "ours",
      flowId: first.flowId,
      apply: (tx) => holdTo(deps, tx, { submission, flowId: first.flowId, word }),
    };
  }
  return { kind: "foreign" };
}

/** The PA has refused the number before, when no copy of ours could be the reason. */
async function isForeign(db: Db, invoiceId: number): Promise<boolean> {
  const events = await readEvents(db, invoiceId);
  return events.some((it) => it.statusCode === STATUS.sendFailed && it.reasonCode === "DOUBLON");
}

/** Returns the PA's flows of one submission; a sentence when the PA cannot tell. */
async function readCopies(
  deps: ReconcileDuplicateDeps,
  pa: Pa,
  submission: SubmissionRow,
): Promise<readonly Flow[] | Sentence> {
  const payload = await loadPayload(deps.db, submission);
  const sought = {
    id: submission.id,
    name: payload?.name ?? "",
    sha256: submission.payloadSha256,
    since: submission.createdAt,
    now: deps.clock.now(),
    ofOthers: (flowIds: readonly string[]) => flowsOfOthers(deps.db, submission.id, flowIds),
  };
  const found = await lookUp(pa, sought);
  if (found.kind === "unclear") return found.why;
  const flows = found.kind === "known" ? [...found.flows] : [];
  if (submission.flowId === null || flows.some((it) => it.flowId === submission.flowId)) {
    return flows;
  }
  try {
    return [...flows, await pa.metadata(submission.flowId)];
  } catch (error) {
    if (error instanceof PaError && error.outcome === "refused") return flows;
    throw error;
  }
}

/** Makes the first copy the valid one, and sets the status that follows from the PA's messages. */
async function holdTo(
  deps: ReconcileDuplicateDeps,
  tx: Db,
  { submission: { id }, flowId, word }: {
    submission: SubmissionRow;
    flowId: string;
    word: DuplicateReport;
  },
): Promise<void> {
  const invoice = await lockInvoiceById(tx, word.invoiceId);
  const submission = await lockSubmission(tx, id);
  if (!invoice || !submission) return;
  for (const later of await readSubmissions(tx, word.invoiceId)) {
    const gone = later.generation > submission.generation && later.state !== "superseded" &&
      later.state !== "intent";
    if (gone) {
      await updateSubmission(tx, later.id, {
        state: "duplicate",
        ...toColumns("lastError", word.message),
      });
    }
  }
  await updateSubmission(tx, id, { state: "accepted", flowId, ...toColumns("lastError", null) });
  const standing = await standingBefore(tx, word.invoiceId);
  const others = (invoice.attention ?? []).filter(isIndependent);
  const attention = attentionColumn([...standing.attention, ...others]);
  await updateInvoice(tx, invoice.id, { generation: submission.generation, attention });
  const event = {
    code: standing.status,
    at: standing.at === undefined ? deps.clock.now() : new Date(standing.at),
    source: "pa",
    message: say`The PA holds it already as flow ${flowId}: ${word.message}`,
    reasonCode: "DOUBLON",
    paEventId: word.paEventId,
    generation: submission.generation,
  };
  await recordStatus(deps, tx, {
    invoice: { ...invoice, generation: submission.generation, attention },
    event,
    paUuid: flowId,
  });
}

/** Ends the accepted submission whose only copy the PA refused as a duplicate: it has failed, and can be sent again. */
export async function failAsDuplicate(
  tx: Db,
  invoiceId: number,
  message: SentenceOrText = "",
): Promise<void> {
  const latest = await latestSubmission(tx, invoiceId);
  if (latest?.state !== "accepted") return;
  await updateSubmission(tx, latest.id, { state: "rejected", ...toColumns("lastError", message) });
}

/**
 * Returns the status that follows pending according to the messages of the PA and the parties, and those awaiting a
 * person after it. Results of the copies do not count.
 */
async function standingBefore(tx: Db, invoiceId: number) {
  let standing: { status: string; at: string | undefined } = {
    status: STATUS.pending,
    at: undefined,
  };
  let attention: readonly StoredAttention[] = [];
  for (const { statusCode: code, occurredAt, reasonCode } of await readEvents(tx, invoiceId)) {
    if (!isDeposited(code) || code === STATUS.rejected && reasonCode === "DOUBLON") continue;
    const effect = applyEvent(standing, { code, at: occurredAt.toISOString() });
    attention = attentionAfter(attention, { code, reasonCode }, effect);
    standing = effect;
  }
  return { ...standing, attention };
}
