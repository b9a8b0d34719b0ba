import { PaError } from "#src/ports/pa.ts";
import {
  type Admission,
  admit,
  type BreakerDeps,
  reportAnswer,
  reportError,
  withdraw,
} from "./breaker.ts";

/** State committed before a call. It includes at least whether the PA has failures on record. */
interface BegunCall {
  readonly troubled: boolean;
}

/** Steps of one call attempt to the PA, which differ for a submission, a status message and a poll. */
interface AttemptSteps<Begun extends BegunCall, Ready, Answer, End> {
  /**
   * Commits that an attempt is made. Returns undefined when there is nothing to attempt, or while the breaker blocks an
   * attempt that is not `admitted`. An admitted attempt is begun in the same statement.
   */
  begin(admission: { readonly admitted: boolean }): Promise<Begun | undefined>;
  /** Returns the input of the call. Returns undefined when the attempt ended without a call, after settling it. */
  prepare(begun: Begun): Promise<Ready | undefined>;
  /** Calls the PA, and writes nothing about the outcome. */
  call(ready: Ready): Promise<Answer>;
  /** Writes the outcome of the answer. */
  settle(ready: Ready, answer: Answer): Promise<End>;
  /** Writes the outcome of the failure. Throws `RetryLater` when another attempt follows. */
  fail(ready: Ready, error: PaError): Promise<End>;
}

/**
 * Calls a PA on behalf of a task: admits it by the breaker, commits the attempt, calls, reports to the breaker, and
 * writes the outcome. Throws `RetryLater` while the breaker is open. The breaker gets its report first, because writing
 * the outcome may throw. Calls that this process aborted and our own faults are not reported.
 */
export async function attemptCall<Begun extends BegunCall, Ready, Answer, End>(
  deps: BreakerDeps,
  pa: string,
  steps: AttemptSteps<Begun, Ready, Answer, End>,
): Promise<End | undefined> {
  const { begun, admission } = await begin(deps, pa, steps);
  const standing = { ...admission, troubled: begun?.troubled ?? false };
  const ready = begun && await orWithdraw(deps, pa, standing, () => steps.prepare(begun));
  if (ready === undefined) return void await withdraw(deps, pa, standing);
  const outcome = await steps.call(ready).then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  if ("answer" in outcome) {
    await reportAnswer(deps, pa, standing);
    return await steps.settle(ready, outcome.answer);
  }
  await reportError(deps, pa, { ...standing, error: outcome.error });
  if (!(outcome.error instanceof PaError)) throw outcome.error;
  return await steps.fail(ready, outcome.error);
}

/** Begins the attempt; queries the breaker separately only after an attempt was blocked. */
async function begin<Begun extends BegunCall, Ready, Answer, End>(
  deps: BreakerDeps,
  pa: string,
  steps: AttemptSteps<Begun, Ready, Answer, End>,
): Promise<{ begun: Begun | undefined; admission: Admission }> {
  const begun = await steps.begin({ admitted: false });
  if (begun) return { begun, admission: { trial: false } };
  const admission = await admit(deps, pa);
  return {
    begun: await orWithdraw(deps, pa, admission, () => steps.begin({ admitted: true })),
    admission,
  };
}

async function orWithdraw<T>(
  deps: BreakerDeps,
  pa: string,
  admission: Admission,
  step: () => Promise<T>,
): Promise<T> {
  try {
    return await step();
  } catch (error) {
    await withdraw(deps, pa, admission);
    throw error;
  }
}
