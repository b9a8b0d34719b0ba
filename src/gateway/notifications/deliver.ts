import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Deps } from "#src/deps.ts";
import type { Db } from "#src/ports/db.ts";
import { CHANNELS } from "./channels/mod.ts";
import type { Draft, PreparedNotification } from "./prepare.ts";
import { addId, insertDeliveries, keepPdf, type NewDelivery } from "./store.ts";
import { deliverTask, type Occurrence } from "./tasks.ts";

export interface DeliveryWork extends Occurrence {
  readonly prepared: readonly PreparedNotification[];
}

/**
 * Records deliveries and queues messages, in the caller's transaction. Messages that may not be sent are recorded with
 * the reason. Earlier deliveries of the same event are unchanged. Resolves to the number of new complete records.
 */
export async function deliver(
  deps: Pick<Deps, "live" | "tasks">,
  tx: Db,
  work: readonly DeliveryWork[],
): Promise<{ recorded: number }> {
  const all = work.flatMap((it) => it.prepared.flatMap((one) => getRecords(one, it)));
  if (!all.length) return { recorded: 0 };
  const added = await insertDeliveries(tx, all);
  const fresh = all.filter((it) => added.has(it.id));
  const waiting = fresh.filter((it) => it.state === "pending");
  await keepPdfs(tx, work, waiting);
  await deps.tasks.enqueueAll(tx, deliverTask, waiting.map(({ id }) => ({ deliveryId: id })));
  let recorded = 0;
  for (const [name, channel] of Object.entries(CHANNELS)) {
    if (channel.kind !== "record") continue;
    const addresses = fresh.filter((it) => it.channel === name).map((it) => it.address);
    await channel.announce(deps, tx, addresses);
    recorded += addresses.length;
  }
  return { recorded };
}

async function keepPdfs(
  tx: Db,
  work: readonly DeliveryWork[],
  waiting: readonly NewDelivery[],
): Promise<void> {
  for (const { eventId, prepared } of work) {
    for (const { rule: { language }, pdf } of prepared) {
      const waits = waiting.some((it) => it.eventId === eventId && it.attachment === language);
      if (pdf && waits) await keepPdf(tx, { eventId, language, bytes: pdf });
    }
  }
}

function getRecords(
  { rule, subject, drafts, owner, pdf }: PreparedNotification,
  { eventId, notice }: Occurrence,
): NewDelivery[] {
  const attachment = pdf ? rule.language : null;
  return drafts.flatMap((draft) => {
    const { channel, addresses } = draft;
    const state = getState(draft, { attachment, owner });
    return addresses.map((address) =>
      addId({ eventId, notice, rule: rule.name, subject, channel, address, ...state })
    );
  });
}

function getState(
  { channel, text, refusal }: Draft,
  message: Pick<NewDelivery, "attachment" | "owner">,
): Pick<NewDelivery, "attachment" | "body" | "lastError" | "lastErrorFr" | "owner" | "state"> {
  if (refusal !== undefined) return { state: "failed", ...toColumns("lastError", refusal) };
  return CHANNELS[channel].kind === "send"
    ? { state: "pending", body: text, ...message }
    : { state: "sent", body: text };
}
