import { and, asc, desc, eq, exists, inArray, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import {
  invoiceDocuments,
  invoices,
  submissionAttempts,
  submissions,
  tasks,
  templates,
} from "#drizzle/schema/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { OPEN_SUBMISSION_STATES, type SubmissionState } from "#src/domain/submission/state.ts";
import { SIGNED_TOTAL } from "#src/gateway/invoices/mod.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { listPage } from "#src/platform/lists/list.ts";
import { submitTask } from "../tasks.ts";
import { isOneOf, type OwnFlow } from "./store.ts";

/**
 * Filter of submissions. `open`: any state in which a worker continues. `stuck`: a person is needed, because it is
 * parked or its task is dead.
 */
type SubmissionFilter = SubmissionState | "open" | "stuck";

/** The name stands in the statement, as in the condition of the index. */
const taskOf = and(
  sql`${tasks.name} = ${sql.raw(`'${submitTask.name}'`)}`,
  sql`${tasks.payload}->>'submissionId' = ${submissions.id}::text`,
);

const COLUMNS = {
  id: submissions.id,
  doc: invoices.doc,
  dct: invoices.dct,
  kco: invoices.kco,
  ublNumber: invoices.ublNumber,
  customer: invoices.customerName,
  amount: sql<string | null>`${SIGNED_TOTAL}::text`,
  currency: invoices.currency,
  invoiceStatus: invoices.status,
  generation: submissions.generation,
  state: submissions.state,
  flowId: submissions.flowId,
  attempts: submissions.attempts,
  probes: submissions.probes,
  lastError: submissions.lastError,
  lastErrorFr: submissions.lastErrorFr,
  createdAt: submissions.createdAt,
  updatedAt: submissions.updatedAt,
  taskState: tasks.state,
  taskError: tasks.lastError,
  taskErrorFr: tasks.lastErrorFr,
  nextAt: tasks.runAt,
};

/** Returns one page of submissions, newest first. */
export async function listSubmissions(
  db: Db,
  { state, invoice, page, language }: {
    state?: SubmissionFilter | undefined;
    invoice?: InvoiceKey | undefined;
    page: PageRequest;
    language: Language;
  },
) {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: submissions,
      id: submissions.id,
      where: and(stateIs(db, state), invoice && hasKey(db, invoice)),
      keys: [submissions.createdAt, submissions.id],
      sortBy: "createdAt",
      sortDir: "desc",
      page,
    },
    (hits) =>
      db.select({ ...COLUMNS, ...hits.fields }).from(hits.from)
        .innerJoin(submissions, eq(submissions.id, hits.id))
        .innerJoin(invoices, eq(invoices.id, submissions.invoiceId))
        .leftJoin(tasks, taskOf).orderBy(hits.order),
  );
  return {
    submissions: rows.map(({ position: _, total: __, ...row }) => view(row, language)),
    ...counted,
  };
}

/** Returns one submission with every attempt. */
export async function showSubmission(db: Db, id: string, language: Language) {
  const [row] = await db.select(COLUMNS).from(submissions).innerJoin(
    invoices,
    eq(invoices.id, submissions.invoiceId),
  )
    .leftJoin(tasks, taskOf).where(eq(submissions.id, id));
  if (!row) throw notFound("Submission", id);
  const attempts = await db.select().from(submissionAttempts).where(
    eq(submissionAttempts.submissionId, id),
  )
    .orderBy(asc(submissionAttempts.n));
  return {
    ...view(row, language),
    attemptList: attempts.map((it) => ({
      n: it.n,
      kind: it.kind,
      startedAt: it.startedAt.toISOString(),
      finishedAt: it.finishedAt?.toISOString() ?? null,
      outcome: it.outcome,
      httpStatus: it.httpStatus,
      detail: readColumns(language, it, "detail"),
    })),
  };
}

/** Selects the submissions that wait for a person. */
export function isStuckSubmission(db: Db): SQL | undefined {
  return stateIs(db, "stuck");
}

function stateIs(db: Db, state: SubmissionFilter | undefined): SQL | undefined {
  if (state === undefined) return undefined;
  const open = inArray(submissions.state, [...OPEN_SUBMISSION_STATES]);
  if (state === "open") return open;
  if (state === "stuck") {
    const dead = db.select({ one: sql`1` }).from(tasks).where(
      and(taskOf, inArray(tasks.state, ["dead", "poisoned"])),
    );
    const standing = inArray(submissions.state, ["parked", ...OPEN_SUBMISSION_STATES]);
    return and(standing, or(eq(submissions.state, "parked"), exists(dead)));
  }
  return eq(submissions.state, state);
}

function hasKey(db: Db, { doc, dct, kco }: InvoiceKey): SQL {
  const isKey = and(eq(invoices.doc, doc), eq(invoices.dct, dct), eq(invoices.kco, kco));
  return inArray(submissions.invoiceId, db.select({ id: invoices.id }).from(invoices).where(isKey));
}

function view(
  { doc, dct, kco, taskError, taskErrorFr, createdAt, updatedAt, nextAt, ...all }: Row,
  language: Language,
) {
  const { lastErrorFr: _, ...row } = all;
  return {
    ...row,
    invoice: formatInvoiceKey({ doc, dct, kco }),
    lastError: readColumns(language, all, "lastError") ??
      readColumns(language, { taskError, taskErrorFr }, "taskError"),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    /** Time when a worker continues; null when none will. */
    nextAt: row.taskState === "dead" || row.taskState === "poisoned"
      ? null
      : nextAt?.toISOString() ?? null,
  };
}

type Row = {
  readonly id: string;
  readonly doc: string;
  readonly dct: string;
  readonly kco: string;
  readonly ublNumber: string | null;
  readonly customer: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly invoiceStatus: string;
  readonly generation: number;
  readonly state: SubmissionState;
  readonly flowId: string | null;
  readonly attempts: number;
  readonly probes: number;
  readonly lastError: string | null;
  readonly lastErrorFr: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly taskState: "ready" | "running" | "dead" | "poisoned" | null;
  readonly taskError: string | null;
  readonly taskErrorFr: string | null;
  readonly nextAt: Date | null;
};

/** Submission of an invoice as other features see it. */
export type KnownSubmission = Pick<
  typeof submissions.$inferSelect,
  "createdAt" | "flowId" | "generation" | "id" | "invoiceId" | "state"
>;

/** Lists all submissions of these invoices, oldest first. */
export async function listKnownSubmissions(
  db: Db,
  invoiceIds: readonly number[],
): Promise<KnownSubmission[]> {
  if (!invoiceIds.length) return [];
  const { createdAt, flowId, generation, id, invoiceId, state } = submissions;
  return await db.select({ createdAt, flowId, generation, id, invoiceId, state }).from(submissions)
    .where(inArray(invoiceId, [...invoiceIds])).orderBy(generation);
}

/** The invoice one of our flows carries. */
export async function findSubmittedInvoice(db: Db, flow: OwnFlow): Promise<number | undefined> {
  const [row] = await db.select({ invoiceId: submissions.invoiceId }).from(submissions).where(
    isOneOf([flow]),
  );
  return row?.invoiceId;
}

const paTemplate = alias(templates, "pa_template");

/** Loads the documents of invoices with all data for sending; a Factur-X file precedes its embedded XML. */
export async function readPayloads(db: Db, invoiceIds: readonly number[]) {
  const rows = await payloadsIn(db, invoiceIds);
  const found = new Map(rows.map((it) => [it.id, it]));
  return await Promise.all(invoiceIds.map(async (id) => {
    const together = found.get(id);
    const row = together?.content === null ? (await payloadsIn(db, [id]))[0] : together;
    return row && { ...row, content: row.content ?? "" };
  }));
}

/** Bytes of a document that is read together with others. */
const SMALL = 256 * 1024;

/** Loads the payloads of invoices; for several invoices, leaves out large contents. */
async function payloadsIn(db: Db, invoiceIds: readonly number[]) {
  const { content, original, kind, sha256 } = invoiceDocuments;
  const [alone, ids] = [invoiceIds.length === 1, `{${invoiceIds.join()}}`];
  const isRead = sql`(${alone} or octet_length(${content}) <= ${SMALL}::int)`;
  return await db.selectDistinctOn([invoices.id], {
    id: invoices.id,
    content: sql<string | null>`case when ${isRead} then ${content} end`,
    original: sql<string | null>`case when ${isRead} then ${original} end`,
    kind,
    sha256,
    doc: invoices.doc,
    dct: invoices.dct,
    kco: invoices.kco,
    verdict: invoices.verdict,
    direction: invoices.direction,
    invoiceType: invoices.invoiceType,
    treatment: invoices.treatment,
    treatmentDetails: invoices.treatmentDetails,
    template: { name: templates.name, properties: templates.properties },
    pa: { name: paTemplate.name, properties: paTemplate.properties },
  }).from(invoices).innerJoin(
    invoiceDocuments,
    and(
      eq(invoiceDocuments.invoiceId, invoices.id),
      inArray(kind, ["factur-x", "ubl", "cii"]),
    ),
  ).leftJoin(templates, eq(templates.name, invoices.template))
    .leftJoin(paTemplate, eq(paTemplate.name, "e-invoicing"))
    .where(sql`${invoices.id} = any(${ids}::bigint[])`)
    .orderBy(invoices.id, desc(eq(kind, "factur-x")));
}

/** Returns the states of the submissions of these invoices, oldest first, by invoice. */
export async function readStates(
  db: Db,
  invoiceIds: readonly number[],
): Promise<Map<number, SubmissionState[]>> {
  if (!invoiceIds.length) return new Map();
  const rows = await db.select({ id: submissions.invoiceId, state: submissions.state })
    .from(submissions).where(inArray(submissions.invoiceId, [...invoiceIds]))
    .orderBy(submissions.generation);
  const groups = [...Map.groupBy(rows, (it) => it.id)];
  return new Map(groups.map(([id, all]) => [id, all.map((it) => it.state)]));
}
