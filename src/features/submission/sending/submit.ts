import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Deps } from "#src/deps.ts";
import type { Preflight } from "#src/features/directory/mod.ts";
import { type Pa, PaError } from "#src/ports/pa.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { attemptCall } from "../pa/attempt.ts";
import { type HeldFlow, transmit, type TransmitOutcome } from "../pa/transmit.ts";
import { bestOf, lookUp, type LookUpKey } from "../pa/look_up.ts";
import { nextAfter } from "../pa/next_attempt.ts";
import { mismatchOf } from "../pa/verify_flow.ts";
import { type AcceptanceWriter, acceptAttempts } from "./accept.ts";
import { flowOf, type Payload } from "./payload.ts";
import { preflight } from "./preflight.ts";
import { reconcileDuplicate } from "./reconcile_duplicate.ts";
import type { RetryBudget } from "./retry_budget.ts";
import {
  askLater,
  dropPayload,
  endAsDuplicate,
  park,
  refuse,
  type SettleNeeds,
  waitForRetry,
  waitForSearch,
} from "./settle.ts";
import { beginAttempts, type Begun, flowsOfOthers, turnIntoSending } from "./store.ts";
import type { Together } from "./together.ts";

type SubmitNeeds = SettleNeeds & Pick<Deps, "pa" | "rules" | "vault"> & {
  readonly accepting: AcceptanceWriter;
  readonly together: Together;
  readonly budget: RetryBudget;
  readonly preflight: Preflight;
};

/** One attempt, with what its steps work with. */
interface Sending {
  readonly pa: Pa;
  readonly begun: Begun;
  readonly payload: Payload;
  readonly attempt: Attempt;
  /** On the monotonic clock: later than this the task may be another worker's. */
  readonly mineUntil: number;
}

/**
 * Takes one generation of sending one step further. That an attempt is made is committed before anything leaves; when
 * it is not known whether the PA has the invoice, the PA is asked before anything is sent again.
 */
export function submitInvoice(
  needs: SubmitNeeds,
  submissionId: string,
  attempt: Attempt,
): Promise<void> {
  return needs.accepting.during(() => submit(needs, submissionId, attempt));
}

async function submit(needs: SubmitNeeds, id: string, attempt: Attempt): Promise<void> {
  const mineUntil = performance.now() + needs.settings.leaseMs;
  const pa = await needs.together.open();
  keepToBudget(needs, attempt);
  await attemptCall(needs, pa.name, {
    begin: ({ admitted }) => beginSending(needs, { id, pa: pa.name, admitted }),
    prepare: async (begun) => {
      const payload = await prepare(needs, begun);
      return payload && { pa, begun, payload, attempt, mineUntil };
    },
    call: (sending) => call(needs, sending),
    settle: (sending, answer) => settleAnswer(needs, sending, answer),
    fail: (sending, error) => settleFailure(needs, sending, error),
  });
}

/** Who is admitted by itself, after it was not begun with others, begins by itself. */
async function beginSending(
  { db, together }: SubmitNeeds,
  { id, pa, admitted }: { id: string; pa: string; admitted: boolean },
): Promise<Begun | undefined> {
  if (!admitted) return await together.begin({ id, pa });
  return (await beginAttempts(db, [id], { pa, admitted }))[0];
}

function keepToBudget({ budget }: SubmitNeeds, { number }: Attempt): void {
  if (number === 1) return budget.earn();
  const waitMs = budget.spend();
  if (waitMs) {
    throw new RetryLater(say`Retries are kept to a part of the traffic`, {
      delayMs: waitMs,
      free: true,
    });
  }
}

/** What is sent; undefined where the document was replaced, or the directory says that its buyer cannot have it. */
async function prepare(needs: SubmitNeeds, begun: Begun): Promise<Payload | undefined> {
  needs.crash("submit.afterBegin");
  const payload = await needs.together.payload(begun);
  if (!payload) return void await dropPayload(needs, begun);
  const blocked = begun.n === 1 ? await preflight(needs, { begun, payload }) : undefined;
  if (blocked === undefined) return payload;
  await refuse(needs, begun, new PaError(say`${blocked}`, { outcome: "not-sent" }));
  return undefined;
}

function call(needs: SubmitNeeds, sending: Sending): Promise<TransmitOutcome> {
  const { pa, begun, payload, attempt: { signal }, mineUntil } = sending;
  return transmit(pa, {
    flow: flowOf(begun, payload),
    sought: soughtOf(needs, sending),
    probe: begun.probe,
    sinceSentMs: begun.sinceSentMs,
    mineUntil,
    signal,
    turnIntoSending: () => turnIntoSending(needs.db, begun),
    steps: {
      probed: () => needs.crash("submit.afterProbe"),
      sending: () => needs.crash("submit.beforeSend"),
      sent: () => needs.crash("submit.afterSend"),
    },
  }, needs.settings.submission);
}

function soughtOf({ clock, db }: SubmitNeeds, { begun, payload }: Sending): LookUpKey {
  const { id, payloadSha256: sha256, createdAt: since } = begun;
  const ofOthers = (flowIds: readonly string[]) => flowsOfOthers(db, id, flowIds);
  return { id, name: payload.name, sha256, since, now: clock.now(), ofOthers };
}

async function settleAnswer(
  needs: SubmitNeeds,
  { begun, attempt }: Sending,
  answer: TransmitOutcome,
): Promise<void> {
  if (answer.kind === "held") await needs.accepting.accept(begun, answer.held);
  if (answer.kind === "unclear") await settleNext(needs, { begun, attempt }, answer.error);
  if (answer.kind === "not-yet") await waitForSearch(needs, begun, answer.waitMs);
}

async function settleFailure(
  needs: SubmitNeeds,
  sending: Sending,
  error: PaError,
): Promise<void> {
  const { begun } = sending;
  const { outcome, httpStatus, errorCode } = error;
  needs.log.warn("submission.failed", {
    submission: begun.id,
    attempt: begun.n,
    outcome,
    httpStatus,
    errorCode,
  });
  if (error.alreadyExists) await settleConflict(needs, sending, error);
  else await settleNext(needs, sending, error);
}

async function settleNext(
  needs: SubmitNeeds,
  { begun, attempt }: Pick<Sending, "begun" | "attempt">,
  error: PaError,
): Promise<void> {
  const { next, probes, reason } = nextAfter(error, begun, attempt);
  if (next === "refuse") await refuse(needs, begun, error, reason);
  if (next === "park") await park(needs, begun, { error, probes });
  if (next === "ask") await askLater(needs, begun, { error, probes });
  if (next === "again") await waitForRetry(needs, begun, error);
}

/** The PA holds it already: this very sending, a copy an earlier one left, or what is not ours; each ends otherwise. */
async function settleConflict(needs: SubmitNeeds, sending: Sending, error: PaError): Promise<void> {
  const { pa, begun } = sending;
  const unclear = (why: Sentence) =>
    settleNext(needs, sending, new PaError(why, { outcome: "ambiguous" }));
  const held = await heldAs(needs, sending, error);
  if (held && "flowId" in held) {
    return await acceptAttempts(needs, [{ answer: error.excerpt, ...held, begun }]);
  }
  if (held) return await unclear(held.why);
  const { id, invoiceId } = begun;
  const word = { invoiceId, paEventId: `${id}#conflict`, message: error.sentence };
  const found = await reconcileDuplicate(needs, pa, word);
  if (found.kind === "ours") return await endAsDuplicate(needs, begun, { error, ...found });
  if (found.kind === "foreign") return await refuse(needs, begun, error);
  await unclear(found.why);
}

/** The flow this very sending is known as; why that cannot be said; undefined when the conflict is about another one. */
async function heldAs(
  needs: SubmitNeeds,
  sending: Sending,
  { existingFlowId }: PaError,
): Promise<HeldFlow | { why: Sentence } | undefined> {
  const { pa, begun: { id }, attempt: { signal } } = sending;
  const sought = soughtOf(needs, sending);
  if (existingFlowId !== undefined) {
    if ((await flowsOfOthers(needs.db, id, [existingFlowId])).size) return undefined;
    const mismatch = await mismatchOf(pa, existingFlowId, { ...sought, signal });
    return mismatch === undefined ? { flowId: existingFlowId } : undefined;
  }
  const found = await lookUp(pa, sought, signal);
  return found.kind === "known"
    ? bestOf(found.flows)
    : found.kind === "unclear"
    ? found
    : undefined;
}
