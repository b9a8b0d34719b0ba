import { kept } from "#src/kernel/sentences/kept.ts";
import type { Deps } from "#src/deps.ts";
import { BROADCAST, READS_INVOICES } from "#src/domain/notification/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import type { Prepared } from "./prepare.ts";
import { identified, insertDeliveries, keepPdf, type NewDelivery } from "./store.ts";
import { deliverTask, type Occurrence } from "./tasks.ts";

export interface Work extends Occurrence {
  readonly prepared: readonly Prepared[];
}

/**
 * Writes the portal records and makes the e-mails due, in the caller's transaction; e-mails that may not be sent are
 * recorded with the reason. What was delivered for the same event before is left alone.
 */
export async function deliver(
  deps: Pick<Deps, "live" | "tasks">,
  tx: Db,
  work: readonly Work[],
): Promise<{ portal: number; emails: number }> {
  const all = work.flatMap((it) => it.prepared.flatMap((one) => recordsOf(one, it)));
  if (!all.length) return { portal: 0, emails: 0 };
  const added = await insertDeliveries(tx, all);
  const fresh = all.filter((it) => added.has(it.id));
  const emails = fresh.filter((it) => it.channel === "email" && it.state === "pending");
  await keepPdfs(tx, work, emails);
  await deps.tasks.enqueueAll(tx, deliverTask, emails.map(({ id }) => ({ deliveryId: id })));
  const portal = fresh.filter((it) => it.channel === "portal");
  await deps.live.publishAll(tx, newInInboxes(portal));
  return { portal: portal.length, emails: emails.length };
}

/** What is said to everybody is said of invoices, and told to those alone who find it in their inbox. */
function newInInboxes(portal: readonly NewDelivery[]): LiveEvent[] {
  const toAll = portal.filter((it) => it.address === BROADCAST).length;
  const audiences = [
    { permission: READS_INVOICES.code, count: toAll },
    { permission: "live:read", count: portal.length - toAll },
  ];
  return audiences.filter(({ count }) => count > 0)
    .map(({ permission, count }) => ({
      topic: "inbox",
      type: "inbox.new",
      permission,
      data: { count },
    }));
}

async function keepPdfs(
  tx: Db,
  work: readonly Work[],
  emails: readonly NewDelivery[],
): Promise<void> {
  for (const { eventId, prepared } of work) {
    for (const { rule: { language }, pdf } of prepared) {
      const waits = emails.some((it) => it.eventId === eventId && it.attachment === language);
      if (pdf && waits) await keepPdf(tx, { eventId, language, bytes: pdf });
    }
  }
}

function recordsOf(
  { rule, subject, body, portal, emails, owner, refusal, pdf }: Prepared,
  { eventId, notice }: Occurrence,
): NewDelivery[] {
  const common = { eventId, notice, rule: rule.name, subject };
  const records = portal
    ? [
      identified({
        ...common,
        channel: "portal",
        address: portal.address,
        state: "sent",
        body: portal.message,
      }),
    ]
    : [];
  const attachment = pdf ? rule.language : null;
  const mail = refusal === undefined
    ? { state: "pending" as const, body, attachment, owner }
    : { state: "failed" as const, ...kept("lastError", refusal) };
  return [
    ...records,
    ...emails.map((address) => identified({ ...common, ...mail, channel: "email", address })),
  ];
}
