import {
  and,
  asc,
  desc,
  eq,
  gt,
  gte,
  inArray,
  like,
  lt,
  notInArray,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { foldedText } from "#drizzle/schema/expressions.ts";
import { auditLog } from "#drizzle/schema/mod.ts";
import type { Counted, PageRequest } from "#src/kernel/page.ts";
import { foldText, likeAnywhere } from "#src/kernel/text.ts";
import type { Db } from "#src/ports/db.ts";
import { listPage } from "#src/platform/lists/list.ts";
import { type AuditEntry, type AuditRow, rowAfter } from "./entry.ts";

const LOCK = 728_121; // any number, the same in every process

/** Audit entry with its time. */
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
  /** Parts of a name, of which one suffices, in any case and without accents. */
  readonly actorPart?: readonly string[] | undefined;
  readonly targetPart?: readonly string[] | undefined;
  /** Whole names that suffice, too. */
  readonly orActor?: readonly string[] | undefined;
  readonly orTarget?: readonly string[] | undefined;
  /** `false` leaves out successful sign-ins and sign-outs. */
  readonly signIns?: "true" | "false" | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

const SIGN_INS = ["auth.signed_in", "auth.signed_out"];

/** Newest entries tested for a part of a name before all are. */
const READ_AHEAD = 2_000;

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
      where: findCondition(filter),
      filter: and(
        hasPart(auditLog.actor, filter.actorPart, filter.orActor),
        hasPart(auditLog.target, filter.targetPart, filter.orTarget),
      ),
      readAhead: READ_AHEAD,
      keys: [auditLog.seq],
      sortBy: "seq",
      sortDir: "desc",
      page,
    },
    (hits, reader) =>
      reader.select({ entry: auditLog, ...hits.fields }).from(hits.from)
        .innerJoin(auditLog, eq(auditLog.seq, hits.id)).orderBy(hits.order),
  );
  return { rows: rows.map(({ entry }) => entry), ...counted };
}

export async function rowsAfter(db: Db, seq: number, limit: number): Promise<AuditRow[]> {
  return await db.select().from(auditLog).where(gt(auditLog.seq, seq)).orderBy(asc(auditLog.seq))
    .limit(limit);
}

function beginsWith(event: string): SQL {
  return like(auditLog.event, `${event.replace(/[\\%_]/g, "\\$&")}%`);
}

function findCondition({ actor, event, target, signIns, from, to }: AuditFilter): SQL | undefined {
  return and(
    actor === undefined ? undefined : eq(auditLog.actor, actor),
    event === undefined ? undefined : beginsWith(event),
    target === undefined ? undefined : eq(auditLog.target, target),
    signIns === "false" ? notInArray(auditLog.event, SIGN_INS) : undefined,
    from && gte(auditLog.at, from),
    to && lt(auditLog.at, to),
  );
}

/** Selects names that contain one of these parts or are one of these names. No index serves it. */
function hasPart(
  column: PgColumn,
  parts: readonly string[] = [],
  names: readonly string[] = [],
): SQL | undefined {
  return or(
    ...parts.map((it) => like(foldedText(column), likeAnywhere(foldText(it)))),
    names.length ? inArray(column, [...names]) : undefined,
  );
}
