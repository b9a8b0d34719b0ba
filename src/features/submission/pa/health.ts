import type { Deps } from "#src/deps.ts";
import { AppError, sentenceOf } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import { readBreaker } from "#src/features/peers/mod.ts";
import { isPaConfigured, openPa } from "./settings.ts";

export interface PaHealth {
  readonly name: string;
  /** It answered that it is well. */
  readonly reachable: boolean;
  /** Until it answered, or was found not to. */
  readonly latencyMs: number;
  readonly error?: Sentence;
  readonly breaker: "closed" | "open" | "trial";
  /** Until the breaker lets a call through. */
  readonly retryInMs?: number;
}

/** Whoever asks waits no longer. */
const PATIENCE_MS = 10_000;

/**
 * Asks the PA how it is, whatever the breaker says, and lets the breaker know nothing of it: a report decides nothing.
 * Throws `unavailable` where no PA is configured.
 */
export async function checkPa(
  deps: Pick<Deps, "db" | "pa" | "settings" | "vault">,
  signal: AbortSignal,
): Promise<PaHealth> {
  if (!await isPaConfigured(deps)) {
    throw new AppError(
      "unavailable",
      say`No PA is configured: the template e-invoicing names none`,
    );
  }
  const pa = await openPa(deps);
  const started = performance.now();
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  const error = await pa.healthcheck({ signal: inTime }).then(() => undefined, sentenceOf);
  const latencyMs = Math.round(performance.now() - started);
  const breaker = await readBreaker(deps.db, pa.name);
  return {
    name: pa.name,
    reachable: error === undefined,
    latencyMs,
    ...error !== undefined && { error },
    breaker: breaker?.state ?? "closed",
    ...breaker && { retryInMs: breaker.waitMs },
  };
}
