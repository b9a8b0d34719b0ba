import { STATUS } from "#src/domain/invoice/status.ts";
import { recordEvidence } from "#src/features/evidence/mod.ts";
import { lockInvoicesById, recordStatuses } from "#src/features/invoices/mod.ts";
import { endRunIfDone, submitItems } from "#src/features/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import { accept, factsOf, type Held, type SettleNeeds } from "./settle_attempt.ts";
import { type Begun, endAccepted } from "./submission_store.ts";

interface Accepted extends Held {
  readonly begun: Begun;
}

interface Waiting extends Accepted {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Writes that the PA has an invoice; resolves once that is committed. */
export type Accepting = (begun: Begun, held: Held) => Promise<void>;

const TOGETHER = 50;

/**
 * One writer for a process: while a transaction is on its way, the acceptances that arrive gather for the next one. A
 * lonely one waits for nothing; of many, each costs a part of a transaction. One per process.
 */
export function newAccepting(needs: SettleNeeds): Accepting {
  const waiting: Waiting[] = [];
  let writing = false;

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length) {
      const group = waiting.splice(0, TOGETHER);
      const failure = await acceptTogether(needs, group).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      for (const one of group) {
        if (!failure) one.resolve();
        else if (group.length === 1) one.reject(failure.error);
        else await accept(needs, one.begun, one).then(one.resolve, one.reject);
      }
    }
    writing = false;
  }

  return (begun, { flowId, told }) =>
    new Promise((resolve, reject) => {
      waiting.push({ begun, flowId, told, resolve, reject });
      if (!writing) void write();
    });
}

/** The PA has them: pending (9906), and only now. Of those that are no longer ours only what happened is kept as evidence. */
async function acceptTogether(needs: SettleNeeds, group: readonly Accepted[]): Promise<void> {
  await needs.db.transaction(async (tx) => {
    const ours = await endAccepted(
      tx,
      group.map(({ begun: { id, n }, flowId }) => ({ id, n, flowId })),
    );
    const settled = group.filter(({ begun }) => ours.has(begun.id));
    await movePending(needs, tx, settled);
    await submitItems(tx, settled.flatMap(itemOf));
    await recordEvidence(
      tx,
      group.flatMap(({ begun, flowId, told }) =>
        factsOf(begun, { state: "accepted", outcome: "accepted", flowId, told })
      ),
    );
    needs.crash("submit.beforeAccept");
  });
  needs.crash("submit.afterAccept");
  // Also of those that the polling settled meanwhile: it leaves the end of the run to the sending's own task.
  const runs = new Set(group.flatMap(({ begun }) => begun.runId ?? []));
  for (const runId of runs) await endRunIfDone(needs, runId);
}

async function movePending(
  needs: SettleNeeds,
  tx: Db,
  settled: readonly Accepted[],
): Promise<void> {
  const invoices = await lockInvoicesById(tx, settled.map(({ begun }) => begun.invoiceId));
  const at = needs.clock.now();
  const changes = settled.flatMap(({ begun: { invoiceId, generation }, flowId }) => {
    const invoice = invoices.get(invoiceId);
    const message = `PA ${flowId}`;
    const event = {
      code: STATUS.pending,
      message,
      at,
      source: "pipeline",
      generation,
      restart: generation > 1,
    };
    return invoice ? [{ invoice, event, paUuid: flowId }] : [];
  });
  if (changes.length) await recordStatuses(needs, tx, changes);
}

function itemOf({ begun: { runId, runItem }, flowId }: Accepted) {
  return runId === null || runItem === null ? [] : [{ runId, index: runItem, message: flowId }];
}
