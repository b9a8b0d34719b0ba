import { and, eq, inArray, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { beginning, fileName, getGravity } from "#drizzle/schema/expressions.ts";
import { findings, runs } from "#drizzle/schema/mod.ts";
import type { Level } from "#src/domain/validation/finding.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import type { Db } from "#src/ports/db.ts";
import { type Days, isWithin } from "#src/platform/lists/days.ts";
import { listPage } from "#src/platform/lists/list.ts";
import { hasWords } from "#src/platform/lists/search.ts";
import { type SortKey, textKey } from "#src/platform/lists/sort_key.ts";
import { findingView } from "./views.ts";

/** Orders of findings. Each has an index of these columns. */
export const FINDING_SORT = {
  id: [findings.id],
  doc: [textKey(findings.doc), findings.id],
  dct: [textKey(findings.dct), findings.id],
  kco: [textKey(findings.kco), findings.id],
  seqn: [findings.seq, findings.id],
  /** Order by gravity. */
  level: [{ expression: getGravity(findings.level), type: "integer" }, findings.id],
  source: [textKey(findings.source), findings.id],
  rule: [textKey(findings.rule), findings.id],
  message: [textKey(findings.messageFr), findings.id],
  createdAt: [findings.createdAt, findings.id],
} as const satisfies Record<string, readonly SortKey[]>;

const BY_ENGLISH: readonly SortKey[] = [textKey(findings.messageEn), findings.id];

interface FindingFilter extends Days {
  readonly search?: string | undefined;
  readonly level?: Level | undefined;
  readonly kco?: string | undefined;
  readonly dct?: string | undefined;
  /** Path or name of the processed file. */
  readonly file?: string | undefined;
  readonly run?: string | undefined;
}

/** Rows read in order before a search is sorted. */
const READ_AHEAD = 300;

/** Lists the findings of all documents, including those that were not recorded as invoices. */
export async function listFindings(
  db: Db,
  { filter, page, sortBy, sortDir, language }: {
    filter: FindingFilter;
    page: PageRequest;
    sortBy: keyof typeof FINDING_SORT;
    sortDir: SortDirection;
    language: Language;
  },
) {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: findings,
      id: findings.id,
      where: matching(db, filter),
      filter: filter.search ? hasWords(findings.searchText, filter.search) : undefined,
      readAhead: READ_AHEAD,
      keys: sortBy === "message" && language === "en" ? BY_ENGLISH : FINDING_SORT[sortBy],
      countBy: filter.level && !filter.dateFrom && !filter.dateTo
        ? FINDING_SORT.level
        : FINDING_SORT.createdAt,
      sortBy,
      sortDir,
      page,
    },
    (hits, tx) =>
      tx.select({ finding: findings, ...hits.fields }).from(hits.from)
        .innerJoin(findings, eq(findings.id, hits.id)).orderBy(hits.order),
  );
  const errors = rows.map(({ finding }) => ({
    doc: finding.doc,
    dct: finding.dct,
    kco: finding.kco,
    seqn: finding.seq,
    runId: finding.runId,
    createdAt: finding.createdAt.toISOString(),
    ...findingView(finding, language),
  }));
  return { errors, ...counted };
}

function matching(db: Db, { level, kco, dct, file, run, ...days }: FindingFilter) {
  return and(
    level && sql`${getGravity(findings.level)} = ${GRAVITY[level]}`,
    kco ? isText(findings.kco, kco) : undefined,
    dct ? isText(findings.dct, dct) : undefined,
    file ? inArray(findings.runId, readRuns(db, file)) : undefined,
    run ? eq(findings.runId, run) : undefined,
    isWithin(findings.createdAt, days),
  );
}

/** Compares a column with a text; the first condition uses the index, which holds the beginnings of texts. */
function isText(column: PgColumn, text: string) {
  return and(sql`${beginning(column)} = left(${text}::text, 100)`, eq(column, text));
}

const GRAVITY: Readonly<Record<Level, number>> = { INFO: 1, WARNING: 2, ERROR: 3, FATAL: 4 };

function readRuns(db: Db, file: string) {
  const name = file.slice(file.lastIndexOf("/") + 1);
  const isNamed = sql`${fileName(runs.file)} = ${name}`;
  const isThere = file === name ? undefined : sql`${runs.file} = ${file}`;
  return db.select({ id: runs.id }).from(runs).where(and(isNamed, isThere));
}
