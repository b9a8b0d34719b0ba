import { inArray, type SQL, sql } from "drizzle-orm";
import { fileName } from "#drizzle/schema/expressions.ts";
import { runs } from "#drizzle/schema/mod.ts";
import { type Db, getRows } from "#src/ports/db.ts";

/**
 * Selects the last run that took the same version of the same file later, to record its invoices. It begins
 * again at the first invoice, and so takes those that an earlier run left out. The index has the names of files.
 */
const LATER: SQL = sql`select later.id from runs as later
  where regexp_replace(later.file, '^.*/', '') = ${fileName(runs.file)} and later.file = runs.file
    and later.created_at > runs.created_at and not later.preview and later.state <> 'failed'
    and later.total > 0 and later.file_version is not distinct from runs.file_version
    and later.template is not distinct from runs.template and later.source_type = runs.source_type
    and (later.mode <> 'UBL_VALIDATE' or not runs.preview and later.mode = runs.mode)
    and (later.only_document is null or later.only_document = runs.only_document)
  order by later.created_at desc limit 1`;

/** True for a stopped run whose file a later run took. */
export const IS_RESUMED: SQL<boolean> = sql`(runs.state = 'aborted' and exists (${LATER}))`;

/** Returns the later run of each stopped run and each finished preview, if there is one. */
export async function readLaterRuns(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!ids.length) return new Map();
  const rows = getRows<{ id: string; later: string }>(
    await db.execute(sql`select runs.id, later.id as later from runs
      cross join lateral (${LATER}) as later
      where ${inArray(runs.id, [...ids])}
        and (runs.state = 'aborted' or runs.preview and runs.state = 'finished')`),
  );
  return new Map(rows.map(({ id, later }) => [id, later]));
}
