import type { Deps } from "#src/deps.ts";
import { AppError, toSentence } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import {
  type ConnectionState,
  listConnectionStates,
  recordUse,
} from "#src/platform/connection_states/mod.ts";
import { readBreaker } from "#src/platform/outbound_limits/mod.ts";
import { isPaConfigured, openPa } from "./settings.ts";

export interface PaHealth {
  readonly name: string;
  /** True when the PA reports that it works. */
  readonly reachable: boolean;
  /** Time until the PA answered or the check failed. */
  readonly latencyMs: number;
  readonly error?: Sentence;
  readonly breaker: "closed" | "open" | "trial";
  /** Time until the breaker lets a call through. */
  readonly retryInMs?: number;
  /** Last time when the PA answered with the current settings. */
  readonly succeededAt?: Date;
  /** First failure since then. */
  readonly failingSince?: Date;
}

/** Time limit of a health check. */
const PATIENCE_MS = 10_000;

/**
 * Queries the health of the PA, in spite of an open breaker and without effect on it. The answer also becomes the
 * state of the connection, so that no page contradicts another. Throws `unavailable` when no PA
 * is configured.
 */
export async function checkPa(
  deps: Pick<Deps, "db" | "log" | "pa" | "settings" | "vault">,
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
  const failure: unknown = await pa.healthcheck({ signal: inTime }).then(
    () => undefined,
    (it) => it,
  );
  if (!signal.aborted) await recordUse(deps, { kind: "pa" }, failure);
  const error = failure === undefined ? undefined : toSentence(failure);
  const latencyMs = Math.round(performance.now() - started);
  const breaker = await readBreaker(deps.db, pa.name);
  const state = await readState(deps.db);
  return {
    name: pa.name,
    reachable: error === undefined,
    latencyMs,
    ...error !== undefined && { error },
    breaker: breaker?.state ?? "closed",
    ...breaker && { retryInMs: breaker.waitMs },
    ...state?.succeededAt && { succeededAt: state.succeededAt },
    ...state?.failingSince && { failingSince: state.failingSince },
  };
}

/** Reads the recorded state of the connection with its current settings. */
async function readState(db: Deps["db"]): Promise<ConnectionState | undefined> {
  return (await listConnectionStates(db)).find((it) => it.kind === "pa");
}
