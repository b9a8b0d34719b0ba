import { and, count, eq, ilike, inArray, type SQL, sql } from "drizzle-orm";
import { fileName } from "#drizzle/schema/expressions.ts";
import { runItems, runs } from "#drizzle/schema/mod.ts";
import type { ItemState, RunState } from "#src/domain/processing/run.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import { likeAnywhere } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";
import { type Days, isWithin } from "#src/platform/lists/days.ts";
import { listPage } from "#src/platform/lists/list.ts";
import { IS_RESUMED, readLaterRuns } from "./later_views.ts";
import { RUN } from "./store.ts";
import {
  countCorrected,
  countUnchangedFailed,
  HAS_FAILED,
  IS_CORRECTED,
} from "./unchanged_views.ts";
import { failedNames, summarizeRun } from "./views.ts";

/** Sort orders of runs. */
export const RUN_SORT = { createdAt: [runs.createdAt, runs.id] } as const;

/** Rows read in order before runs are searched for a part of a name and sorted. */
const READ_AHEAD = 300;

interface RunFilter extends Days {
  readonly state?: readonly RunState[] | undefined;
  readonly template?: string | undefined;
  /** Part of the file's name; case is ignored. */
  readonly file?: string | undefined;
  readonly startedBy?: string | undefined;
  readonly preview?: boolean | undefined;
  /** Lists only runs that stopped early, or with an invoice that failed and was not corrected. */
  readonly failed?: boolean | undefined;
}

/** Selects the runs with an invoice that failed. The list of states is that of the partial index; `aborted` is no failure. */
const RUNS_OF_FAILURES: SQL = sql`select run_items.run_id from run_items
  left join invoices using (doc, dct, kco)
  where run_items.state in ('blocked', 'send_failed', 'undecided', 'rejected', 'conflict', 'failed', 'aborted')
    and run_items.state <> 'aborted'`;

/**
 * True for a run that failed, that was stopped, or whose file ends too early. True as well if an invoice failed, now or
 * before, and was not corrected. A preview records nothing that a later file could correct. A stopped run that was resumed
 * has no problem: the later run takes its whole file, and so has its failures too.
 */
const HAS_PROBLEM: SQL =
  sql`(not ${IS_RESUMED} and (runs.state in ('failed', 'aborted') or runs.error is not null
  or runs.id in (${RUNS_OF_FAILURES} and not ${IS_CORRECTED})
  or (runs.preview or runs.mode = 'UBL_VALIDATE') and runs.id in (${RUNS_OF_FAILURES})
  or runs.id in (select run_items.run_id from invoices join run_items using (doc, dct, kco)
    where run_items.state = 'unchanged' and ${HAS_FAILED})))`;

/** Runs without their invoices, each with how many of these are in which state. */
export async function listRuns(
  db: Db,
  { filter, page, sortBy, sortDir, language }: {
    filter: RunFilter;
    page: PageRequest;
    sortBy: keyof typeof RUN_SORT;
    sortDir: SortDirection;
    language: Language;
  },
) {
  const { state, failed: isFailed, file, ...others } = filter;
  const { rows, ...counted } = await listPage(
    db,
    {
      table: runs,
      id: runs.id,
      where: and(matching(others), isFailed ? HAS_PROBLEM : undefined),
      // The index has the runs of each state in this order.
      anyOf: state?.map((it) => eq(runs.state, it)),
      filter: file ? isNamed(file) : undefined,
      readAhead: READ_AHEAD,
      keys: RUN_SORT[sortBy],
      sortBy,
      sortDir,
      page,
    },
    (hits, tx) =>
      tx.select({ run: RUN, ...hits.fields }).from(hits.from)
        .innerJoin(runs, eq(runs.id, hits.id)).orderBy(hits.order),
  );
  const ids = rows.map(({ run }) => run.id);
  const counts = await readCounts(db, ids);
  const unchangedFailed = await countUnchangedFailed(db, ids);
  const corrected = await countCorrected(db, ids);
  const later = await readLaterRuns(db, ids);
  const failed = await failedNames(db, ids);
  const shown = rows.map(({ run }) =>
    summarizeRun(run, {
      counts: counts.get(run.id) ?? {},
      unchangedFailed: unchangedFailed.get(run.id),
      corrected: corrected.get(run.id),
      laterRun: later.get(run.id),
      failed: failed.get(run.id),
      language,
    })
  );
  return { runs: shown, ...counted };
}

function matching(
  { template, startedBy, preview, ...days }: Omit<RunFilter, "failed" | "file" | "state">,
) {
  return and(
    template ? eq(runs.template, template) : undefined,
    startedBy ? eq(runs.startedBy, startedBy) : undefined,
    preview === undefined ? undefined : eq(runs.preview, preview),
    isWithin(runs.createdAt, days),
  );
}

/** Selects the runs whose file has this text in its name. The index has the parts of whole paths. */
function isNamed(part: string) {
  const pattern = likeAnywhere(part);
  return and(ilike(runs.file, pattern), ilike(fileName(runs.file), pattern));
}

type Counts = Partial<Record<ItemState, number>>;

async function readCounts(db: Db, ids: readonly string[]): Promise<Map<string, Counts>> {
  if (!ids.length) return new Map();
  const rows = await db.select({ id: runItems.runId, state: runItems.state, n: count() })
    .from(runItems).where(inArray(runItems.runId, [...ids]))
    .groupBy(runItems.runId, runItems.state);
  const counts = new Map<string, Counts>();
  for (const { id, state, n } of rows) counts.set(id, { ...counts.get(id), [state]: n });
  return counts;
}
