import { BROADCAST, portalAddress, READS_INVOICES } from "#src/domain/notification/mod.ts";
import type { LiveEvent } from "#src/ports/live_bus.ts";
import type { RecordChannel } from "../channel.ts";

/** Inbox of the console. */
export const portal: RecordChannel = {
  kind: "record",
  addresses: (_, { target }) => [portalAddress(target)],
  text: ({ portalMessage }) => portalMessage,
  announce: ({ live }, tx, addresses) => live.publishAll(tx, newInInboxes(addresses)),
};

/**
 * Returns the live events for new messages. Broadcasts concern invoices, and notify only users whose inbox shows
 * them.
 */
function newInInboxes(addresses: readonly string[]): LiveEvent[] {
  const toAll = addresses.filter((it) => it === BROADCAST).length;
  const audiences = [
    { permission: READS_INVOICES.code, count: toAll },
    { permission: "live:read", count: addresses.length - toAll },
  ];
  return audiences.filter(({ count }) => count > 0)
    .map(({ permission, count }) => ({
      topic: "inbox",
      type: "inbox.new",
      permission,
      data: { count },
    }));
}
