import { and, asc, eq, inArray, notInArray, sql } from "drizzle-orm";
import { invoices, runItems, runs } from "#drizzle/schema/mod.ts";
import type { Deps } from "#src/deps.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { statusLabel } from "#src/domain/invoice/status.ts";
import type { Language } from "#src/kernel/language.ts";
import { isFailure, ITEM_STATES, type ItemState } from "#src/domain/processing/run.ts";
import { delay } from "#src/kernel/delay.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { PageRequest } from "#src/kernel/page.ts";
import { readColumns } from "#src/kernel/i18n/kept.ts";
import { say, type Sentence, translate } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { readLaterRuns } from "./later_views.ts";
import { countByState, findRun, inLanguage, readLogs, type RunRow, sumByState } from "./store.ts";
import {
  countCorrected,
  countUnchangedFailed,
  HAS_FAILED,
  IS_BLOCKED,
  IS_CORRECTED,
  isInvoiceOfItem,
  selectFailure,
} from "./unchanged_views.ts";

const LOGS_SHOWN = 5000;
const LOOK_EVERY_MS = 1000;

interface Asked {
  /** Page of the invoices, by position in the file. */
  readonly page: PageRequest;
  /** Outcomes to list. */
  readonly outcome?: readonly ItemState[] | undefined;
  /** Lists only invoices that failed and were not corrected since. */
  readonly onlyFailed?: boolean | undefined;
  /** Lists failed invoices first instead of by position. */
  readonly failedFirst?: boolean | undefined;
  readonly language: Language;
}

/** Shows the result of a run and the outcome of each invoice; `success` or failure is set only at its end. */
export async function showRun(
  deps: Pick<Deps, "db">,
  runId: string,
  { language, ...asked }: Asked,
) {
  const run = await findRun(deps.db, runId);
  if (!run) throw notFound("Run", runId);
  const counts = await countByState(deps.db, runId);
  const rows = await outcomes(deps.db, run, { ...asked, language });
  const failed = (await failedNames(deps.db, [runId])).get(runId);
  const unchangedFailed = (await countUnchangedFailed(deps.db, [runId])).get(runId);
  const corrected = (await countCorrected(deps.db, [runId])).get(runId);
  const laterRun = (await readLaterRuns(deps.db, [runId])).get(runId);
  const isStored = run.mode !== "UBL_VALIDATE";
  return {
    ...summarizeRun(run, { counts, unchangedFailed, corrected, laterRun, failed, language }),
    ...run.preview && { sums: await sumByState(deps.db, runId) },
    invoices: rows.map((
      {
        doc,
        dct,
        kco,
        status,
        number,
        customer,
        blocked,
        corrected,
        previewed,
        recorded,
        failure,
        message,
        ...row
      },
    ) => ({
      ...row,
      id: doc && dct && kco ? formatInvoiceKey({ doc, dct, kco }) : null,
      number: isStored ? previewed.number ?? number : null,
      customer: isStored ? previewed.customer ?? customer : null,
      // A validation run stores nothing, so a status of that key belongs to another run.
      status: isStored ? status : null,
      blocked: isStored && blocked === true,
      corrected: isStored && !run.preview && corrected === true,
      message: failure ?? message,
      statusLabel: status && isStored ? statusLabel(status, language) : null,
      ...toMoney(run.preview ? previewed : isStored ? recorded : null),
    })),
    logs: await readLogs(deps.db, runId, { limit: LOGS_SHOWN, language }),
  };
}

/** Summarises the result of a run in a sentence that names the first failed invoices. */
export function summarizeRun(
  run: RunRow,
  { counts, unchangedFailed = 0, corrected = {}, laterRun, failed = [], language }: {
    counts: Counts;
    unchangedFailed?: number | undefined;
    corrected?: Counts | undefined;
    laterRun?: string | undefined;
    failed?: readonly Sentence[] | undefined;
    language: Language;
  },
) {
  const error = toError(run, { counts, names: failed, language });
  return {
    success: isEnded(run) ? error === undefined : null,
    ...error !== undefined && { error },
    incomplete: run.error !== null && run.state !== "aborted",
    runId: run.id,
    state: run.state,
    template: run.template,
    file: run.file,
    mode: run.mode,
    preview: run.preview,
    replaceMode: run.replaceMode,
    startedBy: run.startedBy,
    jobNumber: run.jobNumber,
    total: run.total,
    counts,
    unchangedFailed,
    corrected,
    laterRun: laterRun ?? null,
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

/** Returns true when no part of the run is open. */
export function isEnded(run: Pick<RunRow, "state">): boolean {
  return !["splitting", "processing"].includes(run.state);
}

/** Returns the error of a run with its invoices: the first ones, then "…". */
function toError(
  run: RunRow,
  { counts, names, language }: {
    counts: Counts;
    names: readonly Sentence[];
    language: Language;
  },
): string | undefined {
  if (run.error) return readColumns(language, run, "error") ?? undefined;
  const bad = Object.entries(counts).filter(([state]) => isFailure(state as ItemState));
  if (!bad.length) return undefined;
  const outcomes = bad.map(([state, n]) => translate(nameCount(state as BadState, n), language))
    .join(", ");
  const named = names.slice(0, NAMED).map((it) => translate(it, language));
  const more = [...named, ...names.length > NAMED ? ["…"] : []].join(", ");
  const whole = run.total === 1
    ? say`Of 1 invoice ${outcomes}`
    : say`Of ${run.total} invoices ${outcomes}`;
  return translate(more ? say`${whole}: ${more}` : whole, language);
}

type Counts = Partial<Record<ItemState, number>>;
type BadState =
  | "blocked"
  | "conflict"
  | "failed"
  | "rejected"
  | "send_failed"
  | "undecided";

/** Returns a number of invoices with their outcome. */
function nameCount(state: BadState, n: number): Sentence {
  switch (state) {
    case "blocked":
      return n === 1 ? say`1 blocked` : say`${n} blocked`;
    case "conflict":
      return n === 1 ? say`1 not replaced, other content` : say`${n} not replaced, other content`;
    case "failed":
      return say`${n} failed`;
    case "rejected":
      return n === 1 ? say`1 rejected` : say`${n} rejected`;
    case "send_failed":
      return n === 1 ? say`1 not sent` : say`${n} not sent`;
    case "undecided":
      return say`${n} waiting for a choice of treatment`;
  }
}

const NAMED = 5;
/** States of invoices that did not fail. */
const FINE = ITEM_STATES.filter((it) => !isFailure(it));

/** Returns the names of each run's failed invoices, one more than are shown; invoices without a key by their line. */
export async function failedNames(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly Sentence[]>> {
  const names = new Map<string, Sentence[]>();
  if (!ids.length) return names;
  const { index, line, doc, dct, kco } = runItems;
  const first = db.select({ index, line, doc, dct, kco }).from(runItems)
    .where(and(eq(runItems.runId, runs.id), notInArray(runItems.state, FINE)))
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

/** Returns an amount with its currency; the recorded amount of a credit note has no sign yet. */
function toMoney(
  money: {
    readonly amount: string | null;
    readonly currency: string | null;
    readonly invoiceType?: string | null;
  } | null,
) {
  if (!money || money.amount === null) return { amount: null, currency: null };
  const amount = Number(money.amount);
  const isCredit = CREDIT_NOTES.has(money.invoiceType ?? "");
  return { amount: isCredit ? -Math.abs(amount) : amount, currency: money.currency };
}

/** False for an item that failed, and for an unchanged one whose invoice failed before. */
const isFine = sql`${inArray(runItems.state, FINE)} and not (${
  eq(runItems.state, "unchanged")
} and coalesce(${HAS_FAILED}, false))`;

/** The items with the present status of their invoices. */
async function outcomes(
  db: Db,
  run: RunRow,
  { page, outcome, onlyFailed, failedFirst, language }: Asked,
) {
  const settled = run.preview || run.mode === "UBL_VALIDATE" ? sql`false` : IS_CORRECTED;
  // An unchanged invoice has the reason why it failed before; corrected ones follow the failed.
  const isSettled = sql`(${isFine} or ${settled})`;
  return await db.select({
    index: runItems.index,
    line: runItems.line,
    state: runItems.state,
    doc: runItems.doc,
    dct: runItems.dct,
    kco: runItems.kco,
    message: inLanguage(language, runItems),
    previewed: {
      amount: runItems.amount,
      currency: runItems.currency,
      number: runItems.number,
      customer: runItems.customer,
    },
    recorded: {
      amount: invoices.totalTTC,
      currency: invoices.currency,
      invoiceType: invoices.invoiceType,
    },
    status: invoices.status,
    blocked: IS_BLOCKED,
    corrected: IS_CORRECTED,
    failure: sql<string | null>`case when run_items.state = 'unchanged' and ${HAS_FAILED}
      then ${selectFailure(language)} end`,
    number: invoices.ublNumber,
    customer: invoices.customerName,
  }).from(runItems)
    .leftJoin(invoices, isInvoiceOfItem)
    .where(and(
      eq(runItems.runId, run.id),
      onlyFailed ? sql`not ${isSettled}` : undefined,
      outcome ? inArray(runItems.state, [...outcome]) : undefined,
    )).orderBy(...failedFirst ? [isSettled, sql`not ${settled}`] : [], asc(runItems.index))
    .limit(page.pageSize).offset((page.page - 1) * page.pageSize);
}
