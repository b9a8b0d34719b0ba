import { STATUS } from "#src/domain/invoice/status.ts";
import { type Fact, recordEvidence } from "#src/features/evidence/mod.ts";
import { lockInvoicesById, recordStatuses } from "#src/features/invoices/mod.ts";
import { type SettleItems, settlingRuns } from "#src/features/runs/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { HeldFlow } from "../pa/transmit.ts";
import { factsOf } from "./evidence.ts";
import { settlementOf, submitted } from "./run_item.ts";
import type { SettleNeeds } from "./settle.ts";
import { type Accepted, type Begun, endAccepted, type Taken } from "./store.ts";

/**
 * Records that the PA has these invoices: pending (9906). The only place that does, whoever found it out: the
 * attempt that sent, the polling that saw the flow, a person who named it. In the caller's transaction, which
 * settles the items of their runs; resolves to the ids of those that were unsettled until now.
 */
export async function accept(
  needs: Pick<SettleNeeds, "clock" | "live" | "notifier">,
  { tx, settle }: { tx: Db; settle: SettleItems },
  taken: readonly Taken[],
): Promise<ReadonlySet<string>> {
  const accepted = await endAccepted(tx, taken);
  const flowIds = new Map(taken.map((it) => [it.id, it.flowId]));
  const news = accepted.map((it) => ({ ...it, flowId: flowIds.get(it.id) ?? "" }));
  await recordPending(needs, tx, news);
  await settle(news.flatMap((it) => settlementOf(it, submitted(it.flowId))));
  return new Set(accepted.map((it) => it.id));
}

async function recordPending(
  needs: Pick<SettleNeeds, "clock" | "live" | "notifier">,
  tx: Db,
  accepted: readonly (Accepted & { readonly flowId: string })[],
): Promise<void> {
  const invoices = await lockInvoicesById(tx, accepted.map((it) => it.invoiceId));
  const at = needs.clock.now();
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
  if (changes.length) await recordStatuses(needs, tx, changes);
}

/** Writes that the PA has invoices. */
export interface AcceptanceWriter {
  /** Resolves once that is committed. */
  accept(begun: Begun, held: HeldFlow): Promise<void>;
  /** A sending that may end with an acceptance: one that is there waits a moment for it. */
  during<T>(sending: () => Promise<T>): Promise<T>;
}

interface Waiting extends HeldFlow {
  readonly begun: Begun;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const TOGETHER = 50;
/** How long an acceptance waits for those of sendings under way. */
const GATHER_MS = 20;

/**
 * One writer for a process: acceptances gather while others are under way, and while a transaction is. A lonely one waits
 * for nothing; of many, each costs a part of a transaction. One per process.
 */
export function newAcceptanceWriter(needs: SettleNeeds): AcceptanceWriter {
  const waiting: Waiting[] = [];
  let underWay = 0;
  let writing = false;
  let look = () => {};

  const isComplete = () => waiting.length >= Math.min(underWay, TOGETHER);
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

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length) {
      await complete();
      await writeGroup(needs, waiting.splice(0, TOGETHER));
    }
    writing = false;
  }

  return {
    accept: (begun, { flowId, answer }) =>
      new Promise((resolve, reject) => {
        waiting.push({ begun, flowId, answer, resolve, reject });
        if (writing) look();
        else void write();
      }),
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

/** All together; where that fails each for itself, so that the one at fault takes no other with it. */
async function writeGroup(needs: SettleNeeds, group: readonly Waiting[]): Promise<void> {
  try {
    await acceptAttempts(needs, group);
    for (const one of group) one.resolve();
  } catch (error) {
    if (group.length === 1) return group[0]?.reject(error);
    for (const one of group) await writeGroup(needs, [one]);
  }
}

/** What attempts of ours found out. Of those that are no longer ours only what happened is kept, as evidence. */
export async function acceptAttempts(
  needs: SettleNeeds,
  attempts: readonly (HeldFlow & { readonly begun: Begun })[],
): Promise<void> {
  await settlingRuns(needs, async (tx, settle) => {
    const taken = attempts.map(({ begun: { id, n }, flowId }) => ({ id, n, flowId }));
    await accept(needs, { tx, settle }, taken);
    await recordEvidence(tx, attempts.flatMap(receiptOf));
    needs.crash("submit.beforeAccept");
  });
  needs.crash("submit.afterAccept");
}

function receiptOf({ begun, flowId, answer }: HeldFlow & { readonly begun: Begun }): Fact[] {
  return factsOf(begun, { state: "accepted", outcome: "accepted", flowId, answer });
}
