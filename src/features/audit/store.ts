import { and, asc, desc, eq, gt, gte, like, lt, type SQL, sql } from "drizzle-orm";
import { auditLog } from "#drizzle/schema/mod.ts";
import type { Counted, PageRequest } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { type List, listPage } from "#src/sql/list.ts";
import { type AuditEntry, type AuditRow, rowAfter } from "./entry.ts";

const LOCK = 728_121; // any number, the same in every process

/** What happened, and when. */
export interface Dated {
  readonly entry: AuditEntry;
  readonly at: Date;
}

/** Adds rows to the chain in the caller's transaction; others that add wait for its end. */
export async function appendRows(tx: Db, entries: readonly Dated[]): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${LOCK})`);
  let [last] = await tx.select({ seq: auditLog.seq, hash: auditLog.hash }).from(auditLog)
    .orderBy(desc(auditLog.seq)).limit(1);
  const rows = entries.map(({ entry, at }) => last = rowAfter(last, entry, at));
  await tx.insert(auditLog).values(rows);
}

interface AuditFilter {
  readonly actor?: string | undefined;
  /** An event or the beginning of several: `user` finds `user.created`. */
  readonly event?: string | undefined;
  readonly target?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Newest first, with the number of rows on all pages. */
export async function findRows(
  db: Db,
  filter: AuditFilter,
  page: PageRequest,
): Promise<Counted & { rows: AuditRow[] }> {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: auditLog,
      id: auditLog.seq,
      where: conditionOf(filter),
      among: amongEvents(filter),
      keys: [auditLog.seq],
      sortBy: "seq",
      sortDir: "desc",
      page,
    },
    (hits) =>
      db.select({ entry: auditLog, ...hits.fields }).from(hits.from)
        .innerJoin(auditLog, eq(auditLog.seq, hits.id)).orderBy(hits.order),
  );
  return { rows: rows.map(({ entry }) => entry), ...counted };
}

export async function rowsAfter(db: Db, seq: number, limit: number): Promise<AuditRow[]> {
  return await db.select().from(auditLog).where(gt(auditLog.seq, seq)).orderBy(asc(auditLog.seq))
    .limit(limit);
}

/**
 * Each event that begins so has its rows in their order, all together they have not. Which events there are is read from one to the
 * next in their index.
 */
function amongEvents({ event, ...others }: AuditFilter): List["among"] {
  if (!event || Object.values(others).some((it) => it !== undefined)) return undefined;
  const next = (begin: SQL) =>
    sql`(select ${auditLog.event} from ${auditLog} where ${begin} and ${beginsWith(event)}
      order by ${auditLog.event} using ~<~ limit 1)`;
  return {
    column: auditLog.event,
    values: sql`(with recursive found (event) as (
        select ${next(sql`true`)} union all
        select ${
      next(sql`${auditLog.event} ~>~ found.event`)
    } from found where found.event is not null
      ) select event from found where event is not null)`,
  };
}

function beginsWith(event: string): SQL {
  return like(auditLog.event, `${event.replace(/[\\%_]/g, "\\$&")}%`);
}

function conditionOf({ actor, event, target, from, to }: AuditFilter): SQL | undefined {
  return and(
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    event === undefined ? undefined : beginsWith(event),
    target === undefined ? undefined : eq(auditLog.target, target),
    from && gte(auditLog.at, from),
    to && lt(auditLog.at, to),
  );
}
