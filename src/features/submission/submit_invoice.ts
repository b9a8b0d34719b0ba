import type { Deps } from "#src/deps.ts";
import type { Preflight } from "#src/features/directory/mod.ts";
import { endRunIfDone } from "#src/features/runs/mod.ts";
import { type Pa, PaError } from "#src/ports/pa.ts";
import { type Attempt, RetryLater } from "#src/ports/task_queue.ts";
import { type Admission, admit, reportAnswer, reportError, withdraw } from "./breaker.ts";
import { bestOf, lookUp, type Sought } from "./look_up.ts";
import { openPa } from "./pa_settings.ts";
import { reconcileDuplicate } from "./reconcile_duplicate.ts";
import { strangeness } from "./verify_flow.ts";
import { flowOf, type Payload, payloadOf } from "./payload.ts";
import { preflight } from "./preflight_sending.ts";
import type { RetryBudget } from "./retry_budget.ts";
import type { Accepting } from "./settle_together.ts";
import {
  accept,
  dropPayload,
  giveBack,
  giveWay,
  type Held,
  notYet,
  refuse,
  type SettleNeeds,
  unknown,
} from "./settle_attempt.ts";
import {
  beginAttempt,
  type Begun,
  findSubmission,
  flowsOfOthers,
  turnIntoSending,
} from "./submission_store.ts";

export type SubmitNeeds = SettleNeeds & Pick<Deps, "pa" | "vault"> & {
  readonly accepting: Accepting;
  readonly budget: RetryBudget;
  readonly preflight: Preflight;
};

/** What a step works with. */
interface Hand {
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
export async function submitInvoice(
  needs: SubmitNeeds,
  submissionId: string,
  attempt: Attempt,
): Promise<void> {
  const mineUntil = performance.now() + needs.settings.leaseMs;
  const pa = await openPa(needs);
  keepToBudget(needs, attempt);
  const { begun, admission } = await begin(needs, submissionId, pa.name);
  needs.crash("submit.afterBegin");
  const payload = begun && await payloadOf(needs.db, begun);
  if (!begun || !payload) {
    await withdraw(needs, pa.name, admission);
    if (begun) await dropPayload(needs, begun);
    else await endItsRun(needs, submissionId);
    return; // accepted, refused or replaced meanwhile
  }
  const blocked = begun.n === 1 ? await preflight(needs, { begun, payload }) : undefined;
  if (blocked !== undefined) {
    await withdraw(needs, pa.name, admission);
    return await refuse(needs, begun, new PaError(blocked, { outcome: "not-sent" }));
  }
  await take(needs, { pa, begun, payload, attempt, mineUntil }, admission);
}

/** The breaker is asked by itself only where it stands in the way. */
async function begin(
  needs: SubmitNeeds,
  id: string,
  pa: string,
): Promise<{ begun: Begun | undefined; admission: Admission }> {
  const begun = await beginAttempt(needs.db, id, { pa, admitted: false });
  if (begun) return { begun, admission: { trial: false } };
  const admission = await admit(needs, pa);
  return { begun: await beginAttempt(needs.db, id, { pa, admitted: true }), admission };
}

/** Accepted, refused or replaced meanwhile: also by an attempt that died before it could end the run. */
async function endItsRun(needs: SubmitNeeds, submissionId: string): Promise<void> {
  const runId = (await findSubmission(needs.db, submissionId))?.runId;
  if (runId) await endRunIfDone(needs, runId);
}

function keepToBudget({ budget }: SubmitNeeds, { number }: Attempt): void {
  if (number === 1) return budget.earn();
  const waitMs = budget.spend();
  if (waitMs) {
    throw new RetryLater("Retries are kept to a part of the traffic", {
      delayMs: waitMs,
      free: true,
    });
  }
}

/** The calls to the PA, and what their outcome means for the sending and for the PA's breaker. */
async function take(needs: SubmitNeeds, hand: Hand, admission: Admission): Promise<void> {
  const { pa, begun } = hand;
  let held: Held | undefined;
  try {
    held = begun.probe ? await ask(needs, hand) : await send(needs, hand);
  } catch (error) {
    await reportError(needs, pa.name, { ...admission, troubled: begun.troubled, error });
    if (!(error instanceof PaError)) throw error;
    return await settleFailure(needs, hand, error);
  }
  await reportAnswer(needs, pa.name, { ...admission, troubled: begun.troubled });
  if (held) await needs.accepting(begun, held);
}

/** What the PA says of the invoice once it is known to have it; undefined when this attempt ended without an answer. */
async function ask(needs: SubmitNeeds, hand: Hand): Promise<Held | undefined> {
  const { pa, begun, attempt } = hand;
  const found = await lookUp(needs, pa, soughtOf(hand), attempt.signal);
  needs.crash("submit.afterProbe");
  if (found.kind === "known") return bestOf(found.flows);
  if (found.kind === "unclear") {
    return await unknown(
      needs,
      begun,
      new PaError(`${pa.name} cannot tell: ${found.why}`, { outcome: "ambiguous" }),
    );
  }
  const lagMs = needs.settings.submission.settleMs - (begun.sinceSentMs ?? Infinity);
  if (lagMs > 0) return await notYet(needs, begun, lagMs);
  if (!await turnIntoSending(needs.db, begun)) return undefined;
  return await send(needs, hand);
}

function soughtOf({ begun, payload }: Hand): Sought {
  const { id, payloadSha256: sha256, createdAt: since } = begun;
  return { id, name: payload.name, sha256, since };
}

async function send(
  needs: SubmitNeeds,
  { pa, begun, payload, attempt, mineUntil }: Hand,
): Promise<Held> {
  if (performance.now() > mineUntil || attempt.signal.aborted) {
    throw new PaError("The worker was held up for longer than its lease", {
      outcome: "not-sent",
      errorCode: "HELD_UP",
    });
  }
  needs.crash("submit.beforeSend");
  const receipt = await pa.submit(flowOf(begun, payload), { signal: attempt.signal });
  needs.crash("submit.afterSend");
  return receipt;
}

async function settleFailure(
  needs: SubmitNeeds,
  hand: Hand,
  error: PaError,
): Promise<void> {
  const { pa, begun, attempt } = hand;
  const { outcome, httpStatus, errorCode } = error;
  needs.log.warn("submission.failed", {
    submission: begun.id,
    attempt: begun.n,
    outcome,
    httpStatus,
    errorCode,
  });
  if (error.alreadyExists) return await settleConflict(needs, hand, error);
  if (outcome === "refused") return await refuse(needs, begun, error);
  if (outcome === "ambiguous" || begun.probe) return void await unknown(needs, begun, error);
  if (attempt.isLast && outcome !== "throttled") return await refuse(needs, begun, error);
  await giveBack(needs, begun, { error, pa: pa.name });
}

/** The PA holds it already: this very sending, a copy an earlier one left, or what is not ours; each ends otherwise. */
async function settleConflict(needs: SubmitNeeds, hand: Hand, error: PaError): Promise<void> {
  const { pa, begun } = hand;
  const held = await heldAs(needs, hand, error);
  if (held && "flowId" in held) return await accept(needs, begun, { told: error.excerpt, ...held });
  if (held) {
    return void await unknown(needs, begun, new PaError(held.why, { outcome: "ambiguous" }));
  }
  const { id, invoiceId } = begun;
  const word = { invoiceId, paEventId: `${id}#conflict`, message: error.message };
  const found = await reconcileDuplicate(needs, pa, word);
  if (found.kind === "ours") return await giveWay(needs, begun, { error, ...found });
  if (found.kind === "foreign") return await refuse(needs, begun, error);
  await unknown(needs, begun, new PaError(found.why, { outcome: "ambiguous" }));
}

/** The flow this very sending is known as; why that cannot be said; undefined when the conflict is about another one. */
async function heldAs(
  { db }: SubmitNeeds,
  hand: Hand,
  { existingFlowId }: PaError,
): Promise<{ flowId: string } | { why: string } | undefined> {
  const { pa, begun: { id }, attempt: { signal } } = hand;
  const sought = soughtOf(hand);
  if (existingFlowId !== undefined) {
    if ((await flowsOfOthers(db, id, [existingFlowId])).size) return undefined;
    const strange = await strangeness(pa, existingFlowId, { ...sought, signal });
    return strange === undefined ? { flowId: existingFlowId } : undefined;
  }
  const found = await lookUp({ db }, pa, sought, signal);
  return found.kind === "known"
    ? bestOf(found.flows)
    : found.kind === "unclear"
    ? found
    : undefined;
}
