import { and, asc, count, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import { invoices, submissionAttempts, submissions, tasks } from "#drizzle/schema/mod.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { OPEN_SUBMISSION_STATES, type SubmissionState } from "#src/domain/submission/state.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Db } from "#src/ports/db.ts";
import { submitTask } from "./tasks.ts";

/** `open` any state in which a worker goes on; `stuck` what waits for a person: parked, or its task is dead. */
export type SubmissionFilter = SubmissionState | "open" | "stuck";

const taskOf = and(
  eq(tasks.name, submitTask.name),
  sql`${tasks.payload}->>'submissionId' = ${submissions.id}::text`,
);

const COLUMNS = {
  id: submissions.id,
  doc: invoices.doc,
  dct: invoices.dct,
  kco: invoices.kco,
  ublNumber: invoices.ublNumber,
  invoiceStatus: invoices.status,
  generation: submissions.generation,
  state: submissions.state,
  flowId: submissions.flowId,
  attempts: submissions.attempts,
  probes: submissions.probes,
  lastError: submissions.lastError,
  createdAt: submissions.createdAt,
  updatedAt: submissions.updatedAt,
  taskState: tasks.state,
  taskError: tasks.lastError,
  nextAt: tasks.runAt,
};

/** One page of sendings, newest first. */
export async function listSubmissions(
  db: Db,
  { state, invoice, page }: {
    state?: SubmissionFilter | undefined;
    invoice?: InvoiceKey | undefined;
    page: { page: number; pageSize: number };
  },
) {
  const where = and(stateIs(state), invoice && isInvoice(invoice));
  const rows = await db.select(COLUMNS).from(submissions).innerJoin(
    invoices,
    eq(invoices.id, submissions.invoiceId),
  )
    .leftJoin(tasks, taskOf).where(where)
    .orderBy(desc(submissions.createdAt), desc(submissions.id))
    .limit(page.pageSize).offset((page.page - 1) * page.pageSize);
  const [all] = await db.select({ total: count() }).from(submissions).innerJoin(
    invoices,
    eq(invoices.id, submissions.invoiceId),
  )
    .leftJoin(tasks, taskOf).where(where);
  return { submissions: rows.map(view), total: all?.total ?? 0 };
}

/** One sending with every attempt. */
export async function showSubmission(db: Db, id: string) {
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
    ...view(row),
    attemptList: attempts.map((it) => ({
      n: it.n,
      kind: it.kind,
      startedAt: it.startedAt.toISOString(),
      finishedAt: it.finishedAt?.toISOString() ?? null,
      outcome: it.outcome,
      httpStatus: it.httpStatus,
      detail: it.detail,
    })),
  };
}

function stateIs(state: SubmissionFilter | undefined): SQL | undefined {
  if (state === undefined) return undefined;
  const open = inArray(submissions.state, [...OPEN_SUBMISSION_STATES]);
  if (state === "open") return open;
  if (state === "stuck") {
    return sql`(${submissions.state} = 'parked' or (${open} and ${tasks.state} = 'dead'))`;
  }
  return eq(submissions.state, state);
}

function isInvoice({ doc, dct, kco }: InvoiceKey): SQL | undefined {
  return and(eq(invoices.doc, doc), eq(invoices.dct, dct), eq(invoices.kco, kco));
}

function view({ doc, dct, kco, taskError, createdAt, updatedAt, nextAt, lastError, ...row }: Row) {
  return {
    ...row,
    invoice: formatInvoiceKey({ doc, dct, kco }),
    lastError: lastError ?? taskError,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    /** When a worker goes on by itself; null when none will. */
    nextAt: row.taskState === "dead" ? null : nextAt?.toISOString() ?? null,
  };
}

type Row = {
  readonly id: string;
  readonly doc: string;
  readonly dct: string;
  readonly kco: string;
  readonly ublNumber: string | null;
  readonly invoiceStatus: string;
  readonly generation: number;
  readonly state: SubmissionState;
  readonly flowId: string | null;
  readonly attempts: number;
  readonly probes: number;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly taskState: "ready" | "running" | "dead" | null;
  readonly taskError: string | null;
  readonly nextAt: Date | null;
};
