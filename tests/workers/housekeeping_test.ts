import { assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import {
  aiConversations,
  aiMessages,
  aiShares,
  downloads,
  inboxReads,
  notificationDeliveries,
  notificationDispatches,
  uploadUsage,
} from "#drizzle/schema/mod.ts";
import type { StatusNotice } from "#src/domain/notification/mod.ts";
import { getRows } from "#src/ports/db.ts";
import { tableStorage } from "#src/adapters/postgres/table_storage.ts";
import { testDatabase } from "#tests/support/db.ts";
import { silentLog } from "#tests/support/log.ts";
import { pruneOldRecords } from "#workers/schedules/housekeeping.ts";

const notice = {} as StatusNotice;
const request = {} as typeof downloads.$inferInsert["request"];

Deno.test("records older than KEEP_DAYS, and conversations older than AI_KEEP_DAYS, are deleted; waiting, parked and newer ones stay", async () => {
  await using database = await testDatabase();
  const { db } = database;
  const ago = (days: number) => sql`now() - make_interval(days => ${days})`;
  const uuid = () => crypto.randomUUID();
  const delivery = (
    address: string,
    state: "sent" | "failed" | "dead" | "pending",
    days: number,
  ) => ({
    id: uuid(),
    eventId: uuid(),
    rule: "r",
    channel: "portal" as const,
    address,
    state,
    notice,
    createdAt: ago(days),
  });
  const old = delivery("old", "sent", 31);
  await db.insert(notificationDeliveries).values([
    old,
    delivery("old failed", "failed", 31),
    delivery("old dead", "dead", 31),
    delivery("old pending", "pending", 31),
    delivery("young", "sent", 29),
  ]);
  await db.insert(inboxReads).values({ deliveryId: old.id, username: "alice" });
  await db.insert(notificationDispatches).values([31, 29, undefined].map((days) => ({
    eventId: uuid(),
    rule: String(days),
    properties: {},
    notice,
    createdAt: ago(40),
    ...(days && { finishedAt: ago(days) }),
  })));
  await db.insert(downloads).values([31, 29, undefined].map((days) => ({
    id: uuid(),
    request,
    startedBy: String(days),
    createdAt: ago(40),
    ...(days && { finishedAt: ago(days) }),
  })));
  await db.insert(uploadUsage).values([3, 0].map((days) => ({
    username: "alice",
    day: sql`((now() at time zone 'UTC')::date - ${days}::int)`,
    bytes: days,
  })));
  for (
    const [title, days, turnDays] of [["old", 31, 31], ["old busy", 31, -1], [
      "young",
      29,
      29,
    ]] as const
  ) {
    const id = uuid();
    const conversation = { id, owner: "alice", title, model: "small", turn: uuid() };
    await db.insert(aiConversations)
      .values({ ...conversation, updatedAt: ago(days), turnUntil: ago(turnDays) });
    await db.insert(aiMessages)
      .values({ id: uuid(), conversationId: id, seq: 1, role: "user", parts: [] });
    await db.insert(aiShares).values({
      conversationId: id,
      tokenHash: title,
      owner: "alice",
      snapshot: {},
      includeResults: true,
      expiresAt: ago(-1),
    });
  }
  const left = async () =>
    Object.fromEntries(
      getRows<{ what: string; who: string }>(
        await db.execute(sql`
        select 'deliveries' as what, string_agg(address, ', ' order by address) as who from notification_deliveries
        union all select 'reads', count(*)::text from inbox_reads
        union all select 'chains', string_agg(rule, ', ' order by rule) from notification_dispatches
        union all select 'downloads', string_agg(started_by, ', ' order by started_by) from downloads
        union all select 'conversations', string_agg(title, ', ' order by title) from ai_conversations
        union all select 'messages', count(*)::text from ai_messages
        union all select 'links', string_agg(token_hash, ', ' order by token_hash) from ai_shares
        union all select 'quotas', string_agg(bytes::text, ', ') from upload_usage`),
      ).map((it) => [it.what, it.who]),
    );
  const keep = (keepDays: number) =>
    pruneOldRecords({
      db,
      log: silentLog,
      storage: tableStorage(db, { maxBytes: 1 }),
      settings: { keepDays, assistant: { keepDays } } as Parameters<
        typeof pruneOldRecords
      >[0]["settings"],
    });

  await keep(0);
  const all = await left();
  assertEquals(
    [all["deliveries"]?.split(", ").length, all["conversations"], all["quotas"]],
    [5, "old, old busy, young", "0"],
    "0 keeps all but counters",
  );
  await keep(30);
  assertEquals(await left(), {
    deliveries: "old dead, old pending, young",
    reads: "0",
    chains: "29, undefined",
    downloads: "29, undefined",
    conversations: "old busy, young",
    messages: "2",
    links: "old busy, young",
    quotas: "0",
  });
});
