import { PaError } from "#src/ports/pa.ts";
import {
  type Admission,
  admit,
  type BreakerNeeds,
  reportAnswer,
  reportError,
  withdraw,
} from "./breaker.ts";

/** What was committed before a call: at least whether the PA has failures on record. */
interface BegunCall {
  readonly troubled: boolean;
}

/** One attempt to have something of the PA: what is particular to a sending, a status message, a reading. */
interface AttemptSteps<Begun extends BegunCall, Ready, Answer, End> {
  /**
   * Commits that an attempt is made. Undefined when there is nothing to attempt, or while the breaker stands in the way
   * of who is not `admitted` by it: one that is admitted is begun in the same statement.
   */
  begin(admission: { readonly admitted: boolean }): Promise<Begun | undefined>;
  /** What the call needs; undefined when the attempt ended without one, which is settled here. */
  prepare(begun: Begun): Promise<Ready | undefined>;
  /** The calls to the PA, and nothing that writes what they mean. */
  call(ready: Ready): Promise<Answer>;
  /** Writes what the answer means. */
  settle(ready: Ready, answer: Answer): Promise<End>;
  /** Writes what the failure means; throws `RetryLater` where another attempt is to come. */
  fail(ready: Ready, error: PaError): Promise<End>;
}

/**
 * The one way to call a PA for work: the breaker admits, the attempt is committed, the call is made, the breaker hears
 * how that went, and the outcome is written. Throws `RetryLater` while the breaker lets nobody through. The breaker
 * hears before the outcome is written, for that may end by throwing; of a call that this process cut itself, and of a
 * fault of ours, it hears nothing.
 */
export async function attemptCall<Begun extends BegunCall, Ready, Answer, End>(
  needs: BreakerNeeds,
  pa: string,
  steps: AttemptSteps<Begun, Ready, Answer, End>,
): Promise<End | undefined> {
  const { begun, admission } = await begin(needs, pa, steps);
  const standing = { ...admission, troubled: begun?.troubled ?? false };
  const ready = begun && await orWithdraw(needs, pa, standing, () => steps.prepare(begun));
  if (ready === undefined) return void await withdraw(needs, pa, standing);
  const outcome = await steps.call(ready).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  if ("answer" in outcome) {
    await reportAnswer(needs, pa, standing);
    return await steps.settle(ready, outcome.answer);
  }
  await reportError(needs, pa, { ...standing, error: outcome.error });
  if (!(outcome.error instanceof PaError)) throw outcome.error;
  return await steps.fail(ready, outcome.error);
}

/** The breaker is asked by itself only where it stands in the way. */
async function begin<Begun extends BegunCall, Ready, Answer, End>(
  needs: BreakerNeeds,
  pa: string,
  steps: AttemptSteps<Begun, Ready, Answer, End>,
): Promise<{ begun: Begun | undefined; admission: Admission }> {
  const begun = await steps.begin({ admitted: false });
  if (begun) return { begun, admission: { trial: false } };
  const admission = await admit(needs, pa);
  return {
    begun: await orWithdraw(needs, pa, admission, () => steps.begin({ admitted: true })),
    admission,
  };
}

async function orWithdraw<T>(
  needs: BreakerNeeds,
  pa: string,
  admission: Admission,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await withdraw(needs, pa, admission);
    throw error;
  }
}
