import { and, asc, eq, inArray, notInArray } from "drizzle-orm";
import { invoices, runItems, runs } from "#drizzle/schema/mod.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import type { Language } from "#src/kernel/language.ts";
import { isGood, isOpen, ITEM_STATES, type ItemState } from "#src/domain/processing/run.ts";
import { delay } from "#src/kernel/delay.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import { shown } from "#src/kernel/sentences/kept.ts";
import { say, type Sentence, translate } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { countByState, findRun, inLanguage, logsOf, type RunRow } from "./store.ts";

const LOGS_SHOWN = 5000;
const LOOK_EVERY_MS = 1000;

interface Asked {
  /** Of the invoices, by their place in the file. */
  readonly page: PageRequest;
  /** Only those with one of these. */
  readonly outcome?: readonly ItemState[] | undefined;
  readonly language: Language;
}

/** What a run has come to, and the outcome of each of its invoices; there is no `success` or failure before its end. */
export async function showRun(
  deps: Pick<Deps, "db">,
  runId: string,
  { page, outcome, language }: Asked,
) {
  const run = await findRun(deps.db, runId);
  if (!run) throw notFound("Run", runId);
  const counts = await countByState(deps.db, runId);
  const rows = await outcomes(deps.db, runId, { page, outcome, language });
  const failed = (await failedNames(deps.db, [runId])).get(runId);
  return {
    ...summaryOf(run, { counts, failed, language }),
    invoices: rows.map(({ doc, dct, kco, status, ...row }) => ({
      ...row,
      id: doc && dct && kco ? formatInvoiceKey({ doc, dct, kco }) : null,
      // A run that only checks stores nothing: a status of that key belongs to another run.
      status: run.mode === "UBL_VALIDATE" ? null : status,
      statusLabel: status && run.mode !== "UBL_VALIDATE" ? statusLabel(status, language) : null,
    })),
    logs: await logsOf(deps.db, runId, { limit: LOGS_SHOWN, language }),
  };
}

/** What a run has come to, in a sentence that names the first of the invoices that failed. */
export function summaryOf(
  run: RunRow,
  { counts, failed = [], language }: {
    counts: Counts;
    failed?: readonly Sentence[] | undefined;
    language: Language;
  },
) {
  const error = errorOf(run, { counts, names: failed, language });
  return {
    success: isEnded(run) ? error === undefined : null,
    ...error !== undefined && { error },
    runId: run.id,
    state: run.state,
    template: run.template,
    file: run.file,
    mode: run.mode,
    startedBy: run.startedBy,
    jobNumber: run.jobNumber,
    total: run.total,
    counts,
    createdAt: run.createdAt.toISOString(),
    finishedAt: run.finishedAt?.toISOString() ?? null,
  };
}

/** Waits until the run has ended, at most `waitMs`; resolves either way. */
export async function awaitRun(
  deps: Pick<Deps, "db" | "live">,
  runId: string,
  { waitMs, signal }: { waitMs: number; signal: AbortSignal },
): Promise<void> {
  const over = new AbortController();
  const enough = AbortSignal.any([signal, AbortSignal.timeout(waitMs), over.signal]);
  const unsubscribe = deps.live.subscribe(({ type, data }) => {
    if (type === "run.finished" && (data as { runId?: string }).runId === runId) over.abort();
  });
  try {
    while (!enough.aborted) {
      const run = await findRun(deps.db, runId);
      if (!run || isEnded(run)) return;
      await delay(LOOK_EVERY_MS, enough);
    }
  } finally {
    unsubscribe();
    over.abort();
  }
}

/** Whether nothing of the run is open any more. */
export function isEnded(run: Pick<RunRow, "state">): boolean {
  return !["splitting", "processing"].includes(run.state);
}

/** What is wrong with a run, and of which invoices: the first of them, then "…". */
function errorOf(
  run: RunRow,
  { counts, names, language }: {
    counts: Counts;
    names: readonly Sentence[];
    language: Language;
  },
): string | undefined {
  if (run.error) return shown(language, run, "error") ?? undefined;
  const bad = Object.entries(counts).filter(([state]) =>
    !isGood(state as ItemState) && state !== "pending" && state !== "recorded"
  );
  if (!bad.length) return undefined;
  const outcomes = bad.map(([state, n]) => `${n} ${translate(STATES[state as BadState], language)}`)
    .join(", ");
  const named = names.slice(0, NAMED).map((it) => translate(it, language));
  const more = [...named, ...names.length > NAMED ? ["…"] : []].join(", ");
  const whole = run.total === 1
    ? say`Of 1 invoice ${outcomes}`
    : say`Of ${run.total} invoices ${outcomes}`;
  return translate(more ? say`${whole}: ${more}` : whole, language);
}

type Counts = Partial<Record<ItemState, number>>;
type BadState = "aborted" | "conflict" | "failed" | "rejected" | "retrying" | "send_failed";

const STATES: Readonly<Record<BadState, Sentence>> = {
  aborted: say`aborted`,
  conflict: say`conflict`,
  failed: say`failed`,
  rejected: say`rejected`,
  retrying: say`retrying`,
  send_failed: say`send failed`,
};

const NAMED = 5;

/** Of each run's invoices that came to no good end, one more than are named; by their line where no key is known. */
export async function failedNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Sentence[]>> {
  const names = new Map<string, Sentence[]>();
  if (!ids.length) return names;
  const fine = ITEM_STATES.filter((it) => isGood(it) || isOpen(it));
  const { index, line, doc, dct, kco } = runItems;
  const first = db.select({ index, line, doc, dct, kco }).from(runItems)
    .where(and(eq(runItems.runId, runs.id), notInArray(runItems.state, fine)))
    .orderBy(asc(index)).limit(NAMED + 1).as("first");
  const rows = await db.select({
    runId: runs.id,
    line: first.line,
    doc: first.doc,
    dct: first.dct,
    kco: first.kco,
  }).from(runs).crossJoinLateral(first).where(inArray(runs.id, [...ids])).orderBy(asc(first.index));
  for (const { runId, line, doc, dct, kco } of rows) {
    const name = doc && dct && kco
      ? say`${formatInvoiceKey({ doc, dct, kco })}`
      : say`line ${line}`;
    names.set(runId, [...names.get(runId) ?? [], name]);
  }
  return names;
}

/** The items with the present status of their invoices. */
async function outcomes(
  db: Db,
  runId: string,
  { page, outcome, language }: Asked,
) {
  return await db.select({
    index: runItems.index,
    line: runItems.line,
    state: runItems.state,
    doc: runItems.doc,
    dct: runItems.dct,
    kco: runItems.kco,
    message: inLanguage(language, runItems),
    status: invoices.status,
  }).from(runItems)
    .leftJoin(
      invoices,
      and(
        eq(invoices.doc, runItems.doc),
        eq(invoices.dct, runItems.dct),
        eq(invoices.kco, runItems.kco),
      ),
    )
    .where(and(
      eq(runItems.runId, runId),
      outcome ? inArray(runItems.state, [...outcome]) : undefined,
    )).orderBy(asc(runItems.index))
    .limit(page.pageSize).offset((page.page - 1) * page.pageSize);
}
