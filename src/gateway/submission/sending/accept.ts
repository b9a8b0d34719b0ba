import { newBatchWriter } from "#src/kernel/concurrency/batch_writer.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { type EvidenceEntry, recordEvidence } from "#src/gateway/evidence/mod.ts";
import { lockInvoicesById, recordStatuses } from "#src/gateway/invoices/mod.ts";
import { type SettleItems, settlingRuns } from "#src/gateway/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { HeldFlow } from "../pa/transmit.ts";
import { buildEvidence } from "./evidence.ts";
import { describeSubmitted, toSettlement } from "./run_item.ts";
import type { SettleDeps } from "./settle.ts";
import { type Accepted, endAccepted, type SubmissionAttempt, type Taken } from "./store.ts";

/**
 * Records that the PA has accepted these invoices: pending (9906). All ways to learn this end here: sending, polling,
 * and a person's decision. Runs in the caller's transaction, which settles the run items. Resolves to the ids that were
 * unsettled before.
 */
export async function accept(
  deps: Pick<SettleDeps, "clock" | "live" | "notifier">,
  { tx, settle }: { tx: Db; settle: SettleItems },
  taken: readonly Taken[],
): Promise<ReadonlySet<string>> {
  const accepted = await endAccepted(tx, taken);
  const flowIds = new Map(taken.map((it) => [it.id, it.flowId]));
  const news = accepted.map((it) => ({ ...it, flowId: flowIds.get(it.id) ?? "" }));
  await recordPending(deps, tx, news);
  await settle(news.flatMap((it) => toSettlement(it, describeSubmitted(it.flowId))));
  return new Set(accepted.map((it) => it.id));
}

async function recordPending(
  deps: Pick<SettleDeps, "clock" | "live" | "notifier">,
  tx: Db,
  accepted: readonly (Accepted & { readonly flowId: string })[],
): Promise<void> {
  const invoices = await lockInvoicesById(tx, accepted.map((it) => it.invoiceId));
  const at = deps.clock.now();
  const changes = accepted.flatMap(({ invoiceId, generation, flowId }) => {
    const invoice = invoices.get(invoiceId);
    if (!invoice || invoice.generation !== generation) return [];
    const event = {
      code: STATUS.pending,
      message: `PA ${flowId}`,
      at,
      source: "pipeline",
      generation,
      restart: generation > 1,
    };
    return [{ invoice, event, paUuid: flowId }];
  });
  if (changes.length) await recordStatuses(deps, tx, changes);
}

/** Writes that the PA has invoices. */
export interface AcceptanceWriter {
  /** Resolves once that is committed. */
  accept(begun: SubmissionAttempt, held: HeldFlow): Promise<void>;
  /** Runs a submission that may end with an acceptance; acceptances at hand wait a moment for it. */
  during<T>(sending: () => Promise<T>): Promise<T>;
}

const TOGETHER = 50;
/** Time an acceptance waits for those of running submissions. */
const GATHER_MS = 20;

/**
 * Creates the acceptance writer of the process. Acceptances gather while others, or a transaction, are running, to
 * share the cost of a transaction. A single one does not wait.
 */
export function newAcceptanceWriter(deps: SettleDeps): AcceptanceWriter {
  let underWay = 0;
  let look = () => {};

  const isComplete = () => writer.waiting() >= Math.min(underWay, TOGETHER);
  const complete = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      look = () => {
        if (!isComplete()) return;
        clearTimeout(timer);
        resolve();
      };
      look();
    });

  const writer = newBatchWriter<HeldFlow & { readonly begun: SubmissionAttempt }>({
    size: TOGETHER,
    write: (group) => acceptAttempts(deps, group),
    ready: complete,
  });

  return {
    async accept(begun, held) {
      const written = writer.write({ begun, ...held });
      look();
      await written;
    },
    async during(sending) {
      underWay++;
      try {
        return await sending();
      } finally {
        underWay--;
        look();
      }
    },
  };
}

/** Records acceptances found by our attempts. Attempts we no longer own are stored only as evidence. */
export async function acceptAttempts(
  deps: SettleDeps,
  attempts: readonly (HeldFlow & { readonly begun: SubmissionAttempt })[],
): Promise<void> {
  await settlingRuns(deps, async (tx, settle) => {
    const taken = attempts.map(({ begun: { id, n }, flowId }) => ({ id, n, flowId }));
    await accept(deps, { tx, settle }, taken);
    await recordEvidence(tx, attempts.flatMap(buildReceiptEvidence));
    deps.crash("submit.beforeAccept");
  });
  deps.crash("submit.afterAccept");
}

function buildReceiptEvidence(
  { begun, flowId, answer }: HeldFlow & { readonly begun: SubmissionAttempt },
): EvidenceEntry[] {
  return buildEvidence(begun, { state: "accepted", outcome: "accepted", flowId, answer });
}
