import type { Deps } from "#src/deps.ts";
import {
  admitCall,
  type BreakerSettings,
  type Pace,
  recordAnswer,
  recordFailure,
  returnTrial,
  takeRateSlot,
} from "#src/platform/outbound_limits/mod.ts";
import { backoff, delay } from "#src/kernel/delay.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";

/** Rules for calling the peer of a connector, independent of the connector's definition format. */
export interface OutboundPolicy {
  /** Name of the connector for people. */
  readonly connector: string;
  /** Breaker and pace of the peer go by it, in all processes. */
  readonly peer: string;
  readonly retry: RetryPolicy;
  /** No try begins later than this after the call. */
  readonly wholeMs: number;
  readonly pace?: Pace | undefined;
  readonly breaker?: BreakerSettings | undefined;
}

export interface RetryPolicy {
  readonly mostTries: number;
  readonly firstMs: number;
  readonly factor: number;
  readonly longestMs: number;
  readonly jitter: boolean;
  /** Causes that justify a retry: statuses, and `network` where no answer came. */
  readonly on: readonly (string | number)[];
}

export const DEFAULT_RETRY: RetryPolicy = {
  mostTries: 3,
  firstMs: 500,
  factor: 2,
  longestMs: 10_000,
  jitter: true,
  on: ["network", 429, 502, 503, 504],
};

export interface OutboundCall {
  /** One try. */
  send(): Promise<EgressAnswer>;
  /** Sent twice it has no effect more than sent once. */
  readonly isSafe: boolean;
  /** The peer answered 401: true when another try may do better. */
  renew?(): boolean;
  readonly signal?: AbortSignal | undefined;
}

type CallPeerDeps = Pick<Deps, "db" | "log">;

/** Returns true for methods whose repetition has no further effect (RFC 9110, 9.2.2). */
export function isIdempotent(method: string): boolean {
  return ["GET", "HEAD", "PUT", "DELETE"].includes(method);
}

/**
 * Calls a peer within its rate limit and circuit breaker, and retries where that is harmless. Returns the answer of the
 * last attempt, whatever its status. Throws AppError `unavailable` while the breaker is open or the rate limit is used
 * up. Throws the error of the last attempt if it got no answer.
 */
export async function callOutbound(
  deps: CallPeerDeps,
  policy: OutboundPolicy,
  call: OutboundCall,
): Promise<EgressAnswer> {
  const { mostTries, on } = policy.retry;
  const until = performance.now() + policy.wholeMs;
  let renewed = false;
  for (let attempt = 1;; attempt++) {
    const { answer, error } = await once(deps, policy, { call, until }).then(
      (answer) => ({ answer, error: undefined }),
      (error: unknown) => ({ answer: undefined, error }),
    );
    if (answer?.status === 401 && !renewed && call.renew?.()) {
      renewed = true;
      continue;
    }
    const pause = computePause(answer, { attempt, retry: policy.retry });
    const mayRetry = call.isSafe && attempt < mostTries &&
      on.includes(answer?.status ?? "network") &&
      (answer !== undefined || isOutboundFailure(error)) && performance.now() + pause < until;
    if (mayRetry) await delay(pause, call.signal);
    if (mayRetry && !call.signal?.aborted) continue;
    if (answer) return answer;
    throw error;
  }
}

/** The peer did not answer, as against: with too much, the call was refused here, or ended by its caller. */
function isOutboundFailure(error: unknown): boolean {
  return error instanceof AppError && (error.code === "upstream" || error.code === "overdue") &&
    error.details["interrupted"] !== true && error.details["answered"] !== true;
}

/** Returns the pause that `Retry-After` requests (RFC 9110, 10.2.3), else a growing one, in milliseconds. */
function computePause(
  answer: EgressAnswer | undefined,
  { attempt, retry }: { attempt: number; retry: RetryPolicy },
): number {
  const seconds = /^\d{1,6}$/.exec(answer?.headers.get("retry-after")?.trim() ?? "")?.[0];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const { firstMs: baseMs, longestMs: capMs, factor, jitter } = retry;
  return backoff(attempt, { baseMs, capMs, factor, jitter });
}

/** Makes one attempt: waits for the rate limit, checks the breaker, sends the request, and reports to the breaker. */
async function once(
  deps: CallPeerDeps,
  policy: OutboundPolicy,
  { call, until }: { call: OutboundCall; until: number },
): Promise<EgressAnswer> {
  await inPace(deps, policy, { until, signal: call.signal });
  return await guardCall(deps, policy, () => call.send());
}

/** Waits for the rate limit; throws `unavailable` when the wait would exceed the call's time. */
async function inPace(
  { db }: CallPeerDeps,
  { connector, peer, pace }: OutboundPolicy,
  { until, signal }: { until: number; signal: AbortSignal | undefined },
): Promise<void> {
  if (!pace) return;
  for (;;) {
    const waitMs = await takeRateSlot(db, peer, pace);
    if (waitMs === undefined) return;
    if (performance.now() + waitMs >= until || signal?.aborted) {
      throw new AppError("unavailable", say`All calls of ${connector} are used up for now`, {
        retryAfter: Math.ceil(waitMs / 1000),
      });
    }
    await delay(waitMs * (1 + Math.random() / 10), signal);
  }
}

/** A peer that fails again and again is left alone for a while, by all processes; then one call finds out. */
async function guardCall(
  { db, log }: CallPeerDeps,
  { connector, peer, breaker }: OutboundPolicy,
  send: () => Promise<EgressAnswer>,
): Promise<EgressAnswer> {
  if (!breaker) return await send();
  const admission = await admitCall(db, peer, breaker.openMs);
  if (admission.isOpen) {
    throw new AppError("unavailable", say`${connector} is not called for now: it failed`, {
      retryAfter: Math.max(1, Math.ceil(admission.waitMs / 1000)),
    });
  }
  const { trial } = admission;
  const fail = async (reason: string) => {
    const opened = await recordFailure(db, peer, { ...breaker, pauseMs: undefined, reason });
    if (opened) log.warn("connector.breaker.open", { connector, reason });
  };
  try {
    const answer = await send();
    if (answer.status < 500) await recordAnswer(db, peer, { trial });
    else await fail(`HTTP ${answer.status}`);
    return answer;
  } catch (error) {
    if (isOutboundFailure(error)) await fail(toMessage(error));
    else if (trial) await returnTrial(db, peer);
    throw error;
  }
}
