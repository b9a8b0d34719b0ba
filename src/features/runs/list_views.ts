import { and, count, eq, inArray } from "drizzle-orm";
import { runItems, runs } from "#drizzle/schema/mod.ts";
import type { ItemState, RunState } from "#src/domain/processing/run.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { type Days, isWithin } from "#src/sql/days.ts";
import { type List, listPage } from "#src/sql/list.ts";
import { RUN } from "./store.ts";
import { failedNames, summaryOf } from "./views.ts";

/** What runs may be sorted by. */
export const RUN_SORT = { createdAt: [runs.createdAt, runs.id] } as const;

interface RunFilter extends Days {
  readonly state?: readonly RunState[] | undefined;
  readonly template?: string | undefined;
  readonly startedBy?: string | undefined;
}

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
  const { rows, ...counted } = await listPage(
    db,
    {
      table: runs,
      id: runs.id,
      ...narrowed(filter),
      keys: RUN_SORT[sortBy],
      sortBy,
      sortDir,
      page,
    },
    (hits) =>
      db.select({ run: RUN, ...hits.fields }).from(hits.from)
        .innerJoin(runs, eq(runs.id, hits.id)).orderBy(hits.order),
  );
  const ids = rows.map(({ run }) => run.id);
  const counts = await countsOf(db, ids);
  const failed = await failedNames(db, ids);
  const shown = rows.map(({ run }) =>
    summaryOf(run, { counts: counts.get(run.id) ?? {}, failed: failed.get(run.id), language })
  );
  return { runs: shown, ...counted };
}

/** The filter in the parts that a list takes. */
function narrowed(filter: RunFilter): Pick<List, "among" | "where"> {
  const { state, ...others } = filter;
  const isMerged = state && state.length > 1 && !others.template && !others.startedBy;
  if (!isMerged) return { where: matching(filter) };
  return { where: matching(others), among: { column: runs.state, values: state } };
}

function matching({ state, template, startedBy, ...days }: RunFilter) {
  return and(
    state && inArray(runs.state, [...state]),
    template ? eq(runs.template, template) : undefined,
    startedBy ? eq(runs.startedBy, startedBy) : undefined,
    isWithin(runs.createdAt, days),
  );
}

type Counts = Partial<Record<ItemState, number>>;

async function countsOf(db: Db, ids: readonly string[]): Promise<Map<string, Counts>> {
  if (!ids.length) return new Map();
  const rows = await db.select({ id: runItems.runId, state: runItems.state, n: count() })
    .from(runItems).where(inArray(runItems.runId, [...ids]))
    .groupBy(runItems.runId, runItems.state);
  const counts = new Map<string, Counts>();
  for (const { id, state, n } of rows) counts.set(id, { ...counts.get(id), [state]: n });
  return counts;
}
