import type { Deps } from "#src/deps.ts";
import {
  type BreakerSettings,
  type Pace,
  readBreaker,
  recordAnswer,
  recordFailure,
  returnTrial,
  takePlace,
  takeTrial,
} from "#src/features/peers/mod.ts";
import { backoff, delay } from "#src/kernel/delay.ts";
import { AppError, messageOf } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";

/** How the peer of a connector is called, in whichever form that is written. */
export interface PeerPolicy {
  /** Of the connector, for people. */
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
  /** What another try may help against: statuses, and `network` where no answer came. */
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

export interface PeerCall {
  /** One try. */
  send(): Promise<EgressAnswer>;
  /** Sent twice it has no effect more than sent once. */
  readonly isSafe: boolean;
  /** The peer answered 401: true when another try may do better. */
  renew?(): boolean;
  readonly signal?: AbortSignal | undefined;
}

type Needs = Pick<Deps, "db" | "log">;

/** What can be sent twice without having twice the effect (RFC 9110, 9.2.2). */
export function isIdempotent(method: string): boolean {
  return ["GET", "HEAD", "PUT", "DELETE"].includes(method);
}

/**
 * Calls at the peer's pace, not at all while it is left alone, again where that can do no harm. Any answer is one, of the last
 * try. Throws AppError `unavailable` while the peer is left alone or its calls are used up, and what the last try threw.
 */
export async function callPeer(
  needs: Needs,
  policy: PeerPolicy,
  call: PeerCall,
): Promise<EgressAnswer> {
  const { mostTries, on } = policy.retry;
  const until = performance.now() + policy.wholeMs;
  let renewed = false;
  for (let attempt = 1;; attempt++) {
    const { answer, error } = await once(needs, policy, { call, until }).then(
      (answer) => ({ answer, error: undefined }),
      (error: unknown) => ({ answer: undefined, error }),
    );
    if (answer?.status === 401 && !renewed && call.renew?.()) {
      renewed = true;
      continue;
    }
    const pause = pauseOf(answer, { attempt, retry: policy.retry });
    const mayRetry = call.isSafe && attempt < mostTries &&
      on.includes(answer?.status ?? "network") &&
      (answer !== undefined || isPeersFault(error)) && performance.now() + pause < until;
    if (mayRetry) await delay(pause, call.signal);
    if (mayRetry && !call.signal?.aborted) continue;
    if (answer) return answer;
    throw error;
  }
}

/** The peer did not answer, as against: with too much, the call was refused here, or ended by its caller. */
function isPeersFault(error: unknown): boolean {
  return error instanceof AppError && (error.code === "upstream" || error.code === "overdue") &&
    error.details["interrupted"] !== true && error.details["answered"] !== true;
}

/** What `Retry-After` asks for (RFC 9110, 10.2.3), else a pause that grows; milliseconds. */
function pauseOf(
  answer: EgressAnswer | undefined,
  { attempt, retry }: { attempt: number; retry: RetryPolicy },
): number {
  const seconds = /^\d{1,6}$/.exec(answer?.headers.get("retry-after")?.trim() ?? "")?.[0];
  if (seconds !== undefined) return Number(seconds) * 1000;
  const { firstMs: baseMs, longestMs: capMs, factor, jitter } = retry;
  return backoff(attempt, { baseMs, capMs, factor, jitter });
}

/** One try: a place in the pace, the breaker asked, the request sent, the breaker told. */
async function once(
  needs: Needs,
  policy: PeerPolicy,
  { call, until }: { call: PeerCall; until: number },
): Promise<EgressAnswer> {
  await inPace(needs, policy, { until, signal: call.signal });
  return await guarded(needs, policy, () => call.send());
}

/** Waits for a place where calls per time are bounded; throws `unavailable` when none comes while the call may last. */
async function inPace(
  { db }: Needs,
  { connector, peer, pace }: PeerPolicy,
  { until, signal }: { until: number; signal: AbortSignal | undefined },
): Promise<void> {
  if (!pace) return;
  for (;;) {
    const waitMs = await takePlace(db, peer, pace);
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
async function guarded(
  { db, log }: Needs,
  { connector, peer, breaker }: PeerPolicy,
  send: () => Promise<EgressAnswer>,
): Promise<EgressAnswer> {
  if (!breaker) return await send();
  const standing = await readBreaker(db, peer);
  const trial = standing !== undefined && !standing.waitMs &&
    await takeTrial(db, peer, breaker.openMs);
  if (standing && !trial) {
    throw new AppError("unavailable", say`${connector} is not called for now: it failed`, {
      retryAfter: Math.max(1, Math.ceil(standing.waitMs / 1000)),
    });
  }
  const failed = async (reason: string) => {
    const opened = await recordFailure(db, peer, { ...breaker, pauseMs: undefined, reason });
    if (opened) log.warn("connector.breaker.open", { connector, reason });
  };
  try {
    const answer = await send();
    if (answer.status < 500) await recordAnswer(db, peer, { trial });
    else await failed(`HTTP ${answer.status}`);
    return answer;
  } catch (error) {
    if (isPeersFault(error)) await failed(messageOf(error));
    else if (trial) await returnTrial(db, peer);
    throw error;
  }
}
