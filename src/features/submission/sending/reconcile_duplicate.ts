import { kept, type SentenceOrText } from "#src/kernel/sentences/kept.ts";
import { say, Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import { applyEvent } from "#src/domain/invoice/lifecycle.ts";
import { isDeposited, STATUS } from "#src/domain/invoice/status.ts";
import {
  eventsOf,
  lockInvoiceById,
  recordStatus,
  updateInvoice,
} from "#src/features/invoices/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { type Flow, type Pa, PaError } from "#src/ports/pa.ts";
import { bestOf, lookUp } from "../pa/look_up.ts";
import { payloadOf } from "./payload.ts";
import {
  countSends,
  flowsOfOthers,
  lockSubmission,
  type SubmissionRow,
  submissionsOf,
  updateSubmission,
} from "./store.ts";

type Needs = Pick<Deps, "clock" | "db" | "live" | "notifier">;

/** A word of the PA that it held an invoice already: `AlreadyExistingFlow` about a flow, or a 213 DOUBLON. */
export interface DuplicateReport {
  readonly invoiceId: number;
  /** The refused flow, where the word names it. */
  readonly refusedFlowId?: string | undefined;
  /** Identity of the word, so that it is recorded once. */
  readonly paEventId: string;
  readonly message: SentenceOrText;
}

/**
 * `ours` the PA holds a first copy of ours, which goes on: `apply` records that in the caller's transaction, and the
 * valid invoice is not rejected · `foreign` somebody else's invoice has the number: the refusal stands · `unclear` the
 * PA cannot say: a person decides.
 */
type Reconciled =
  | { readonly kind: "ours"; readonly flowId: string; readonly apply: (tx: Db) => Promise<void> }
  | { readonly kind: "foreign" }
  | { readonly kind: "unclear"; readonly why: Sentence };

/** A second copy of our own. */
export type OwnCopy = Extract<Reconciled, { kind: "ours" }>;

/**
 * Finds out whether a refusal as duplicate speaks of a second copy of our own, of the same bytes. Asks the PA only when
 * two may have left.
 */
export async function reconcileDuplicate(
  needs: Needs,
  pa: Pa,
  word: DuplicateReport,
): Promise<Reconciled> {
  const { invoiceId } = word;
  const submissions = await submissionsOf(needs.db, invoiceId);
  const refused = submissions.find((it) => it.flowId === word.refusedFlowId) ?? submissions.at(-1);
  if (await countSends(needs.db, invoiceId) < 2 || await isForeign(needs.db, invoiceId)) {
    return { kind: "foreign" };
  }
  // Another version of the document does not stand for the one that was refused.
  const same = submissions.filter((it) => it.payloadSha256 === refused?.payloadSha256);
  for (const submission of same) {
    const found = await copiesOf(needs, pa, submission);
    if (found instanceof Sentence) return { kind: "unclear", why: found };
    const first = bestOf(
      found.filter((it) => it.flowId !== word.refusedFlowId && it.ack.status !== "Error"),
    );
    if (!first) continue;
    // Without the refused flow's id, one copy alone can only be the refused one itself.
    if (word.refusedFlowId === undefined && found.length < 2 && same.length < 2) continue;
    return {
      kind: "ours",
      flowId: first.flowId,
      apply: (tx) => holdTo(needs, tx, { submission, flowId: first.flowId, word }),
    };
  }
  return { kind: "foreign" };
}

/** The PA has refused the number before, when no copy of ours could be the reason. */
async function isForeign(db: Db, invoiceId: number): Promise<boolean> {
  const events = await eventsOf(db, invoiceId);
  return events.some((it) => it.statusCode === STATUS.rejected && it.reasonCode === "DOUBLON");
}

/** The PA's flows of one sending; a sentence when it cannot tell. */
async function copiesOf(
  needs: Needs,
  pa: Pa,
  submission: SubmissionRow,
): Promise<readonly Flow[] | Sentence> {
  const payload = await payloadOf(needs.db, submission);
  const sought = {
    id: submission.id,
    name: payload?.name ?? "",
    sha256: submission.payloadSha256,
    since: submission.createdAt,
    now: needs.clock.now(),
    ofOthers: (flowIds: readonly string[]) => flowsOfOthers(needs.db, submission.id, flowIds),
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

/** Makes the first copy the one that counts, and the status the one the PA's own words lead to. */
async function holdTo(
  needs: Needs,
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
  for (const later of await submissionsOf(tx, word.invoiceId)) {
    const gone = later.generation > submission.generation && later.state !== "superseded" &&
      later.state !== "intent";
    if (gone) {
      await updateSubmission(tx, later.id, {
        state: "duplicate",
        ...kept("lastError", word.message),
      });
    }
  }
  await updateSubmission(tx, id, { state: "accepted", flowId, ...kept("lastError", null) });
  await updateInvoice(tx, invoice.id, { generation: submission.generation });
  const standing = await standingBefore(tx, word.invoiceId);
  const event = {
    code: standing.status,
    at: standing.at === undefined ? needs.clock.now() : new Date(standing.at),
    source: "pa",
    message: say`The PA holds it already as flow ${flowId}: ${word.message}`,
    reasonCode: "DOUBLON",
    paEventId: word.paEventId,
    generation: submission.generation,
  };
  await recordStatus(needs, tx, {
    invoice: { ...invoice, generation: submission.generation },
    event,
    paUuid: flowId,
  });
}

/** Where what the PA and the parties have said leads from pending; how the copies fared does not count. */
async function standingBefore(tx: Db, invoiceId: number) {
  let standing: { status: string; at: string | undefined } = {
    status: STATUS.pending,
    at: undefined,
  };
  for (const { statusCode: code, occurredAt } of await eventsOf(tx, invoiceId)) {
    if (isDeposited(code)) standing = applyEvent(standing, { code, at: occurredAt.toISOString() });
  }
  return standing;
}
