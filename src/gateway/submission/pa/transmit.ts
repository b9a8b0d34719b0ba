import { say } from "#src/kernel/i18n/sentence.ts";
import { type FlowReceipt, type OutgoingFlow, type Pa, PaError } from "#src/ports/pa.ts";
import { chooseFlow, lookUp, type LookUpKey } from "./look_up.ts";

/** Something to be given to the PA once, whatever breaks. */
export interface Transmission {
  readonly flow: OutgoingFlow;
  readonly sought: LookUpKey;
  /** True when an earlier attempt may have reached the PA, so that a look-up comes first. */
  readonly probe: boolean;
  /** Since a copy may have left, milliseconds; null before the first. */
  readonly sinceSentMs: number | null;
  /** Deadline on the monotonic clock; after it another worker may own the task. */
  readonly mineUntil: number;
  readonly signal: AbortSignal;
  /**
   * Records, before anything is sent, that a look-up becomes a transmission; returns false when the attempt is no
   * longer ours.
   */
  startTransmission(): Promise<boolean>;
  readonly steps: {
    probed(): void;
    sending(): void;
    sent(): void;
  };
}

/** A flow the PA holds, and its words about it. */
export interface HeldFlow {
  readonly flowId: string;
  readonly answer?: string | undefined;
}

/** Outcome of a call that the PA answered; a failed call throws `PaError`. */
export type TransmitOutcome =
  | { readonly kind: "held"; readonly held: HeldFlow | FlowReceipt }
  /** The PA cannot tell if it has it. */
  | { readonly kind: "unclear"; readonly error: PaError }
  /** The PA lacks it, perhaps only because its search lags; look up again in `waitMs`. */
  | { readonly kind: "not-yet"; readonly waitMs: number }
  /** Another attempt has begun. */
  | { readonly kind: "lost" };

/** Sends it to the PA; looks it up first when the PA may have it already. */
export async function transmit(
  pa: Pa,
  transmission: Transmission,
  { settleMs }: { settleMs: number },
): Promise<TransmitOutcome> {
  if (!transmission.probe) return await send(pa, transmission);
  const found = await lookUp(pa, transmission.sought, transmission.signal);
  transmission.steps.probed();
  const best = found.kind === "known" ? chooseFlow(found.flows) : undefined;
  if (best) return { kind: "held", held: best };
  if (found.kind === "unclear") {
    const error = new PaError(say`${pa.name} cannot tell: ${found.why}`, { outcome: "ambiguous" });
    return { kind: "unclear", error };
  }
  const waitMs = settleMs - (transmission.sinceSentMs ?? Infinity);
  if (waitMs > 0) return { kind: "not-yet", waitMs };
  if (!await transmission.startTransmission()) return { kind: "lost" };
  return await send(pa, transmission);
}

async function send(
  pa: Pa,
  { flow, mineUntil, signal, steps }: Transmission,
): Promise<TransmitOutcome> {
  if (performance.now() > mineUntil || signal.aborted) {
    throw new PaError(say`The worker was held up for longer than its lease`, {
      outcome: "not-sent",
      errorCode: "HELD_UP",
    });
  }
  steps.sending();
  const held = await pa.submit(flow, { signal });
  steps.sent();
  return { kind: "held", held };
}
