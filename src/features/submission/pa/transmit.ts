import { say } from "#src/kernel/sentences/sentence.ts";
import { type FlowReceipt, type OutgoingFlow, type Pa, PaError } from "#src/ports/pa.ts";
import { bestOf, lookUp, type LookUpKey } from "./look_up.ts";

/** Something to be given to the PA once, whatever breaks. */
export interface Transmission {
  readonly flow: OutgoingFlow;
  readonly sought: LookUpKey;
  /** An earlier attempt may have reached the PA: it is asked first. */
  readonly probe: boolean;
  /** Since a copy may have left, milliseconds; null before the first. */
  readonly sinceSentMs: number | null;
  /** On the monotonic clock: later than this the work may be another worker's. */
  readonly mineUntil: number;
  readonly signal: AbortSignal;
  /** Says, before anything leaves, that a look-up becomes a sending; false when the attempt is not ours any more. */
  turnIntoSending(): Promise<boolean>;
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

/** What came of it, where the PA answered: one that fails throws `PaError`. */
export type TransmitOutcome =
  | { readonly kind: "held"; readonly held: HeldFlow | FlowReceipt }
  /** It cannot say whether it has it. */
  | { readonly kind: "unclear"; readonly error: PaError }
  /** It does not have it, which so soon after a sending may only mean that its search lags; ask again in `waitMs`. */
  | { readonly kind: "not-yet"; readonly waitMs: number }
  /** Another attempt has begun. */
  | { readonly kind: "lost" };

/** Gives it to the PA; where it is not known whether it has it, the PA is asked before anything is sent again. */
export async function transmit(
  pa: Pa,
  transmission: Transmission,
  { settleMs }: { settleMs: number },
): Promise<TransmitOutcome> {
  if (!transmission.probe) return await send(pa, transmission);
  const found = await lookUp(pa, transmission.sought, transmission.signal);
  transmission.steps.probed();
  const best = found.kind === "known" ? bestOf(found.flows) : undefined;
  if (best) return { kind: "held", held: best };
  if (found.kind === "unclear") {
    const error = new PaError(say`${pa.name} cannot tell: ${found.why}`, { outcome: "ambiguous" });
    return { kind: "unclear", error };
  }
  const waitMs = settleMs - (transmission.sinceSentMs ?? Infinity);
  if (waitMs > 0) return { kind: "not-yet", waitMs };
  if (!await transmission.turnIntoSending()) return { kind: "lost" };
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
