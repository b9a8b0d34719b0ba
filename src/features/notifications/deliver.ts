import type { Deps } from "#src/deps.ts";
import type { StatusNotice } from "#src/domain/notification/mod.ts";
import type { Db } from "#src/ports/db.ts";
import type { Prepared } from "./prepare.ts";
import { deliveryId, insertDeliveries, keepPdf, type NewDelivery } from "./store.ts";
import { deliverTask } from "./tasks.ts";

/**
 * Writes the portal records and makes the e-mails due, in the caller's transaction. What was delivered for this event
 * before is left alone.
 */
export async function deliver(
  deps: Pick<Deps, "live" | "tasks">,
  tx: Db,
  { eventId, notice, prepared }: {
    eventId: string;
    notice: StatusNotice;
    prepared: readonly Prepared[];
  },
): Promise<{ portal: number; emails: number }> {
  const portal = prepared.flatMap((it) => portalRecord(it, { eventId, notice }) ?? []);
  const emails = prepared.flatMap((it) => emailRecords(it, { eventId, notice }));
  const added = await insertDeliveries(tx, [...portal, ...emails]);
  const newEmails = emails.filter((it) => added.has(deliveryId(it)));
  for (const it of prepared) {
    const waits = it.pdf &&
      newEmails.some(({ rule, attachment }) => rule === it.rule.name && attachment);
    if (it.pdf && waits) await keepPdf(tx, { eventId, language: it.rule.language, bytes: it.pdf });
  }
  await deps.tasks.enqueueAll(
    tx,
    deliverTask,
    newEmails.map((it) => ({ deliveryId: deliveryId(it) })),
  );
  const newPortal = portal.map(deliveryId).filter((id) => added.has(id));
  if (newPortal.length) {
    await deps.live.publish(tx, {
      topic: "inbox",
      type: "inbox.new",
      permission: "live:read",
      data: { ids: newPortal },
    });
  }
  return { portal: newPortal.length, emails: newEmails.length };
}

interface Of {
  readonly eventId: string;
  readonly notice: StatusNotice;
}

function portalRecord(
  { rule, subject, portal }: Prepared,
  { eventId, notice }: Of,
): NewDelivery | undefined {
  if (!portal) return undefined;
  const { address, message: body } = portal;
  return {
    eventId,
    notice,
    rule: rule.name,
    channel: "portal",
    address,
    state: "sent",
    subject,
    body,
  };
}

function emailRecords(
  { rule, subject, body, emails, pdf }: Prepared,
  { eventId, notice }: Of,
): NewDelivery[] {
  const attachment = pdf ? rule.language : null;
  return emails.map((address) => ({
    eventId,
    notice,
    rule: rule.name,
    channel: "email",
    address,
    state: "pending",
    subject,
    body,
    attachment,
  }));
}
