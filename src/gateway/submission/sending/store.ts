import { and, desc, eq, inArray, isNotNull, ne, or, sql } from "drizzle-orm";
import { submissions } from "#drizzle/schema/mod.ts";
import { OPEN_SUBMISSION_STATES, type SubmissionState } from "#src/domain/submission/state.ts";
import { type Db, formatArray, getRows } from "#src/ports/db.ts";
import { toColumns } from "#src/kernel/i18n/kept.ts";
import type { Sentence } from "#src/kernel/i18n/sentence.ts";
import { takeFrom } from "#src/kernel/gather.ts";
import { selectInvoiceKey } from "#src/gateway/invoices/mod.ts";
import { insertRows } from "#src/platform/lists/insert_rows.ts";
import { breakerSql } from "#src/platform/outbound_limits/mod.ts";

export type SubmissionRow = typeof submissions.$inferSelect;

/** One attempt in hand: its number is the fence of everything it writes. */
export interface SubmissionAttempt {
  readonly id: string;
  readonly invoiceId: number;
  /** Formatted key of the invoice. */
  readonly invoice: string;
  readonly generation: number;
  readonly n: number;
  readonly probes: number;
  readonly runId: string | null;
  readonly runItem: number | null;
  readonly payloadSha256: string;
  readonly createdAt: Date;
  /** An earlier attempt may have reached the PA. */
  readonly probe: boolean;
  /** Milliseconds since the last copy may have left; null before the first. */
  readonly sinceSentMs: number | null;
  /** The PA has failures on record. */
  readonly troubled: boolean;
}

/**
 * Commits, in one statement, that attempts are made. Every later reader of the rows knows that the PA may have the
 * invoices. The result is undefined for a submission with nothing left to do, and while the PA must not be called
 * without admission. In a batch, locked rows are skipped: they are undefined, and begun separately.
 */
export async function beginAttempts(
  db: Db,
  ids: readonly string[],
  { pa, admitted }: { pa: string; admitted: boolean },
): Promise<(SubmissionAttempt | undefined)[]> {
  const skip = ids.length > 1 ? sql`skip locked` : sql``;
  const key = selectInvoiceKey(sql`taken.invoice_id`);
  const result = await db.execute(sql`
    with mine as (
      select id from submissions where id = any(${`{${ids.join()}}`}::uuid[]) and state in ${OPEN_SUBMISSION_STATES}
        and (${admitted} or ${breakerSql.isClosed(pa)})
      order by id for update ${skip}
    ), taken as (
      update submissions set attempts = attempts + 1, updated_at = now(),
        state = case when state = 'intent' then 'sending' else 'probing' end
      from mine where submissions.id = mine.id
      returning submissions.*
    ), noted as (
      insert into submission_attempts (submission_id, n, kind, started_at)
      select id, attempts, case when state = 'sending' then 'send' else 'probe' end, now() from taken
    )
    select taken.id, invoice_id as "invoiceId", ${key} as invoice, generation, attempts as n, probes,
      run_id as "runId", run_item as "runItem", payload_sha256 as "payloadSha256", created_at as "createdAt", state = 'probing' as probe,
      (select extract(epoch from now() - max(coalesce(finished_at, started_at))) * 1000 from submission_attempts
        where submission_id = taken.id and kind = 'send')::float8 as "sinceSentMs",
      ${breakerSql.isTroubled(pa)} as troubled
    from taken`);
  const begun = new Map(
    getRows<SubmissionAttempt>(result).map((it) => [
      it.id,
      { ...it, invoiceId: Number(it.invoiceId), createdAt: new Date(it.createdAt) },
    ]),
  );
  return ids.map((id) => takeFrom(begun, id)); // an attempt is one caller's
}

/**
 * Current attempt and its way to write: it writes nothing once another attempt has begun or the submission is settled.
 */
type Fenced = Pick<SubmissionAttempt, "id" | "n">;

/**
 * Turns a look-up without result into a transmission, before anything is sent. Returns false when the attempt is no
 * longer ours.
 */
export async function convertToTransmission(db: Db, { id, n }: Fenced): Promise<boolean> {
  const result = await db.execute(sql`
    with mine as (update submissions set state = 'sending', updated_at = now()
      where id = ${id} and attempts = ${n} and state = 'probing' returning id)
    update submission_attempts set kind = 'send', started_at = now()
    where submission_id = (select id from mine) and n = ${n} returning n`);
  return getRows(result).length === 1;
}

export interface AttemptEnd {
  readonly state: SubmissionState;
  /** Outcome of the attempt as one word. */
  readonly outcome: string;
  readonly flowId?: string | undefined;
  /** The PA's answer as it came. */
  readonly answer?: string | undefined;
  readonly error?: Sentence | undefined;
  readonly httpStatus?: number | undefined;
  readonly probes?: number | undefined;
}

/** Writes the end of an attempt. Returns false, without writing, when it is no longer ours. */
export async function endAttempt(tx: Db, { id, n }: Fenced, end: AttemptEnd): Promise<boolean> {
  const { error, errorFr } = toColumns("error", end.error);
  const result = await tx.execute(sql`
    with mine as (update submissions set state = ${end.state}, flow_id = coalesce(${
    end.flowId ?? null
  }, flow_id),
        last_error = ${error}, last_error_fr = ${errorFr}, probes = coalesce(${
    end.probes ?? null
  }, probes), updated_at = now()
      where id = ${id} and attempts = ${n} and state in ('sending', 'probing') returning id)
    update submission_attempts set finished_at = now(), outcome = ${end.outcome},
      http_status = ${end.httpStatus ?? null}, detail = ${error}, detail_fr = ${errorFr}
    where submission_id = (select id from mine) and n = ${n} returning n`);
  return getRows(result).length === 1;
}

/** Submission that the PA is known to have. */
export interface Taken {
  readonly id: string;
  readonly flowId: string;
  /** Attempt that found the flow; null when polling or a person did. */
  readonly n: number | null;
}

/** Submission that was accepted now, with its invoice and run. */
export type Accepted = Pick<SubmissionRow, "id" | "invoiceId" | "generation" | "runId" | "runItem">;

/**
 * Writes that the PA has accepted submissions, each once. An attempt must still own its submission; a flow seen by
 * polling counts while the submission is unsettled, even if parked.
 */
export async function endAccepted(tx: Db, ends: readonly Taken[]): Promise<Accepted[]> {
  if (!ends.length) return [];
  const result = await tx.execute(sql`
    with ended as (
      select * from unnest(${formatArray(ends.map((it) => it.id))}::uuid[], ${
    formatArray(ends.map((it) => it.n))
  }::int[], ${sql.param(ends.map((it) => it.flowId))}::text[]) as it (id, n, flow_id)),
    mine as (
      update submissions as s set state = 'accepted', flow_id = ended.flow_id, last_error = null, last_error_fr = null, updated_at = now()
      from ended where s.id = ended.id and (
        s.attempts = ended.n and s.state in ('sending', 'probing')
        or ended.n is null and s.state in ('sending', 'ambiguous', 'probing', 'parked'))
      returning s.*),
    noted as (
      update submission_attempts as a set finished_at = now(), outcome = 'accepted', http_status = null, detail = null, detail_fr = null
      from mine where a.submission_id = mine.id and a.n = mine.attempts and a.finished_at is null)
    select id, invoice_id as "invoiceId", generation, run_id as "runId", run_item as "runItem" from mine`);
  return getRows<Accepted>(result).map((it) => ({ ...it, invoiceId: Number(it.invoiceId) }));
}

export async function insertSubmissions(
  tx: Db,
  rows: readonly (typeof submissions.$inferInsert)[],
): Promise<void> {
  if (rows.length) await insertRows(tx, submissions, rows);
}

/** Holds the row until the transaction ends. */
export async function lockSubmission(tx: Db, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await tx.select().from(submissions).where(eq(submissions.id, id)).for("update");
  return row;
}

/**
 * Locks the waiting submissions of these invoices, so that none is sent before the transaction ends. Resolves to the
 * invoices that have one.
 */
export async function lockWaiting(tx: Db, invoiceIds: readonly number[]): Promise<Set<number>> {
  if (!invoiceIds.length) return new Set();
  const rows = await tx.select({ invoiceId: submissions.invoiceId }).from(submissions)
    .where(and(inArray(submissions.invoiceId, [...invoiceIds]), eq(submissions.state, "intent")))
    .orderBy(submissions.id).for("update");
  return new Set(rows.map((it) => it.invoiceId));
}

export async function findSubmission(db: Db, id: string): Promise<SubmissionRow | undefined> {
  const [row] = await db.select().from(submissions).where(eq(submissions.id, id));
  return row;
}

export async function latestSubmission(
  db: Db,
  invoiceId: number,
): Promise<SubmissionRow | undefined> {
  const [row] = await db.select().from(submissions).where(eq(submissions.invoiceId, invoiceId))
    .orderBy(desc(submissions.generation)).limit(1);
  return row;
}

/** Every generation, the first first. */
export async function readSubmissions(db: Db, invoiceId: number): Promise<SubmissionRow[]> {
  return await db.select().from(submissions).where(eq(submissions.invoiceId, invoiceId)).orderBy(
    submissions.generation,
  );
}

/** Updates a submission whose row the caller has locked. */
export async function updateSubmission(
  tx: Db,
  id: string,
  fields: Partial<typeof submissions.$inferInsert> & { state: SubmissionState },
): Promise<void> {
  await tx.update(submissions).set({ ...fields, updatedAt: sql`now()` }).where(
    eq(submissions.id, id),
  );
}

/** Supersedes earlier submissions of the invoice that ended or were never sent. */
export async function supersede(tx: Db, invoiceId: number): Promise<void> {
  const replaceable: SubmissionState[] = ["intent", "parked", "accepted", "rejected", "duplicate"];
  await tx.update(submissions).set({ state: "superseded", updatedAt: sql`now()` })
    .where(and(eq(submissions.invoiceId, invoiceId), inArray(submissions.state, replaceable)));
}

/** Copies of an invoice that may have reached the PA, over all its generations. */
export async function countSends(db: Db, invoiceId: number): Promise<number> {
  const result = await db.execute(sql`
    select count(*)::int as n from submission_attempts join submissions on submissions.id = submission_id
    where invoice_id = ${invoiceId} and kind = 'send'
      and coalesce(outcome, 'ambiguous') not in ('not-sent', 'throttled', 'refused')`);
  return getRows<{ n: number }>(result)[0]?.n ?? 0;
}

/** Flows that other submissions are known by. */
export async function flowsOfOthers(
  db: Db,
  id: string,
  flowIds: readonly string[],
): Promise<Set<string>> {
  if (!flowIds.length) return new Set();
  const rows = await db.select({ flowId: submissions.flowId }).from(submissions)
    .where(
      and(
        inArray(submissions.flowId, [...flowIds]),
        ne(submissions.id, id),
        isNotNull(submissions.flowId),
      ),
    );
  return new Set(rows.flatMap((it) => it.flowId ?? []));
}

/** Finds our flows by tracking id, or by the PA's id if its listing hides ours. */
export interface OwnFlow {
  readonly flowId: string;
  readonly trackingId: string | undefined;
}

/** SQL condition: the submission belongs to one of these flows. */
export function isOneOf(flows: readonly OwnFlow[]) {
  const ids = flows.flatMap((it) =>
    it.trackingId !== undefined && UUID.test(it.trackingId) ? [it.trackingId] : []
  );
  const byFlow = inArray(submissions.flowId, flows.map((it) => it.flowId));
  return ids.length ? or(inArray(submissions.id, ids), byFlow) : byFlow;
}

/** Returns the submissions of these flows and locks them until the transaction ends. */
export async function lockSubmissions(tx: Db, flows: readonly OwnFlow[]) {
  if (!flows.length) return [];
  return await tx.select().from(submissions).where(isOneOf(flows)).orderBy(submissions.id).for(
    "update",
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
