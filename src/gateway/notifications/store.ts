import { computeSha256 } from "#src/kernel/sha256.ts";
import { type SentenceOrText, toColumns } from "#src/kernel/i18n/kept.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import {
  notificationDeliveries,
  notificationDispatches,
  notificationPdfs,
} from "#drizzle/schema/mod.ts";
import type { CallOutputs } from "#src/domain/notification/mod.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Db } from "#src/ports/db.ts";

export type DeliveryRow = typeof notificationDeliveries.$inferSelect;
export type DispatchRow = typeof notificationDispatches.$inferSelect;
export type NewDelivery = typeof notificationDeliveries.$inferInsert;

/** Returns true for a delivery that waits for its next attempt after an error. */
export function isRetried({ lastError, state }: Pick<DeliveryRow, "lastError" | "state">): boolean {
  return state === "pending" && lastError !== null;
}

const ROWS_PER_INSERT = 500;

/** An id that is the same for the same event, rule, channel and address, wherever and however often it is computed. */
export function deliveryId(
  { eventId, rule, channel, address }: Pick<
    NewDelivery,
    "eventId" | "rule" | "channel" | "address"
  >,
): string {
  const hash = computeSha256(JSON.stringify([eventId, rule, channel, address]));
  const variant = (8 + parseInt(hash.slice(16, 17), 16) % 4).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    variant + hash.slice(17, 20),
    hash.slice(20, 32),
  ].join("-");
}

/** Returns the delivery with an id derived from its content. */
export function addId(delivery: Omit<NewDelivery, "id">): NewDelivery {
  return { ...delivery, id: deliveryId(delivery) };
}

/** Adds those that are new; resolves to their ids. */
export async function insertDeliveries(
  tx: Db,
  deliveries: readonly NewDelivery[],
): Promise<Set<string>> {
  const added = new Set<string>();
  for (let at = 0; at < deliveries.length; at += ROWS_PER_INSERT) {
    const part = deliveries.slice(at, at + ROWS_PER_INSERT)
      .map((it) => ({ ...it, settledAt: it.state === "pending" ? null : sql`now()` }));
    const rows = await tx.insert(notificationDeliveries).values(part).onConflictDoNothing()
      .returning({ id: notificationDeliveries.id });
    for (const { id } of rows) added.add(id);
  }
  return added;
}

/** Records a failed dispatch, visible until a user replays it, and again when the replay fails. */
export async function recordDead(
  tx: Db,
  { eventId, notice, rule, reason }: Pick<NewDelivery, "eventId" | "notice" | "rule"> & {
    reason: SentenceOrText;
  },
): Promise<void> {
  const why = toColumns("lastError", reason);
  const row = addId({
    eventId,
    notice,
    rule,
    channel: "dispatch",
    address: "",
    state: "dead",
    ...why,
  });
  await tx.insert(notificationDeliveries).values({ ...row, attempts: 1, settledAt: sql`now()` })
    .onConflictDoUpdate({
      target: notificationDeliveries.id,
      set: {
        state: "dead",
        ...why,
        settledAt: sql`now()`,
        attempts: sql`${notificationDeliveries.attempts} + 1`,
      },
    });
}

/** Records a rule that did nothing, because its owner may not, and again when a replay is refused. */
export async function recordRefused(
  tx: Db,
  { reason, ...of }: Pick<NewDelivery, "eventId" | "notice" | "rule"> & { reason: Sentence },
): Promise<void> {
  const row = {
    ...of,
    channel: "dispatch" as const,
    address: "",
    ...toColumns("lastError", reason),
  };
  const refused = { ...addId({ ...row, state: "failed" }), settledAt: sql`now()` };
  const { id: _, ...set } = refused;
  await tx.insert(notificationDeliveries).values(refused)
    .onConflictDoUpdate({ target: notificationDeliveries.id, set });
}

export async function deleteDelivery(tx: Db, id: string): Promise<void> {
  await tx.delete(notificationDeliveries).where(eq(notificationDeliveries.id, id));
}

export async function findDelivery(db: Db, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await db.select().from(notificationDeliveries).where(
    eq(notificationDeliveries.id, id),
  );
  return row;
}

/** Holds the row until the transaction ends. */
export async function lockDelivery(tx: Db, id: string): Promise<DeliveryRow | undefined> {
  const [row] = await tx.select().from(notificationDeliveries).where(
    eq(notificationDeliveries.id, id),
  ).for("update");
  return row;
}

export async function updateDelivery(
  db: Db,
  id: string,
  fields:
    & Partial<Pick<DeliveryRow, "state" | "lastError" | "lastErrorFr" | "outputs" | "owner">>
    & {
      attempted?: boolean;
    },
): Promise<void> {
  const { attempted, ...set } = fields;
  const settled = set.state !== undefined && set.state !== "pending";
  await db.update(notificationDeliveries).set({
    ...set,
    ...attempted && { attempts: sql`attempts + 1` },
    ...set.state !== undefined && { settledAt: settled ? sql`now()` : null },
  }).where(eq(notificationDeliveries.id, id));
}

/** Records the outcome of a call that is under way; false when it was recorded already. */
export async function settleCall(
  db: Db,
  id: string,
  { outputs, success, error }: {
    outputs: CallOutputs;
    success: boolean;
    error: SentenceOrText | null;
  },
): Promise<boolean> {
  const rows = await db.update(notificationDeliveries)
    .set({
      outputs,
      state: success ? "sent" : "failed",
      ...toColumns("lastError", error),
      attempts: 1,
      settledAt: sql`now()`,
    })
    .where(and(eq(notificationDeliveries.id, id), eq(notificationDeliveries.state, "pending")))
    .returning({ id: notificationDeliveries.id });
  return rows.length === 1;
}

export async function deliveriesById(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, DeliveryRow>> {
  if (!ids.length) return new Map();
  const rows = await db.select().from(notificationDeliveries).where(
    inArray(notificationDeliveries.id, [...ids]),
  );
  return new Map(rows.map((it) => [it.id, it]));
}

/** Adds the chains that are new; resolves to what names them. */
export async function insertDispatches(
  tx: Db,
  dispatches: readonly (typeof notificationDispatches.$inferInsert)[],
): Promise<{ eventId: string; rule: string }[]> {
  if (!dispatches.length) return [];
  return await tx.insert(notificationDispatches).values([...dispatches]).onConflictDoNothing()
    .returning({ eventId: notificationDispatches.eventId, rule: notificationDispatches.rule });
}

export async function findDispatch(
  db: Db,
  eventId: string,
  rule: string,
): Promise<DispatchRow | undefined> {
  const [row] = await db.select().from(notificationDispatches).where(ofRule(eventId, rule));
  return row;
}

/** Removes a chain that has ended, so that its rule can begin again. */
export async function deleteFinishedDispatch(tx: Db, eventId: string, rule: string): Promise<void> {
  await tx.delete(notificationDispatches)
    .where(and(ofRule(eventId, rule), isNotNull(notificationDispatches.finishedAt)));
}

/** False when another worker has finished it. */
export async function finishDispatch(tx: Db, eventId: string, rule: string): Promise<boolean> {
  const rows = await tx.update(notificationDispatches).set({ finishedAt: sql`now()` })
    .where(and(ofRule(eventId, rule), isNull(notificationDispatches.finishedAt)))
    .returning({ rule: notificationDispatches.rule });
  return rows.length === 1;
}

export async function keepPdf(tx: Db, pdf: typeof notificationPdfs.$inferInsert): Promise<void> {
  await tx.insert(notificationPdfs).values(pdf).onConflictDoNothing();
}

export async function findPdf(
  db: Db,
  eventId: string,
  language: Language,
): Promise<Uint8Array | undefined> {
  const [row] = await db.select({ bytes: notificationPdfs.bytes }).from(notificationPdfs)
    .where(and(eq(notificationPdfs.eventId, eventId), eq(notificationPdfs.language, language)));
  return row?.bytes;
}

/** Deletes the PDFs of an event when no message waits for them any longer. */
export async function deleteUnusedPdf(db: Db, eventId: string): Promise<void> {
  const waiting = db.select({ one: sql`1` }).from(notificationDeliveries).where(and(
    eq(notificationDeliveries.eventId, eventId),
    isNotNull(notificationDeliveries.attachment),
    inArray(notificationDeliveries.state, ["pending", "dead"]),
  ));
  const chains = db.select({ one: sql`1` }).from(notificationDispatches)
    .where(
      and(eq(notificationDispatches.eventId, eventId), isNull(notificationDispatches.finishedAt)),
    );
  await db.delete(notificationPdfs).where(and(
    eq(notificationPdfs.eventId, eventId),
    sql`not exists ${waiting}`,
    sql`not exists ${chains}`,
  ));
}

function ofRule(eventId: string, rule: string) {
  return and(eq(notificationDispatches.eventId, eventId), eq(notificationDispatches.rule, rule));
}
