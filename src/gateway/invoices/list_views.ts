import { asc, type SQL, sql } from "drizzle-orm";
import { invoices } from "#drizzle/schema/mod.ts";
import { type FieldIn, fieldsIn } from "#src/domain/invoice/fields.ts";
import { computeOpen } from "#src/domain/invoice/collectable.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import {
  businessProcess,
  declaredRule,
  differsFromPa,
  ourRole,
} from "#src/domain/treatment/mod.ts";
import { formatDecimal } from "#src/kernel/decimal.ts";
import type { Language } from "#src/kernel/language.ts";
import type { PageRequest, SortDirection } from "#src/kernel/page.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { type Hits, listPage, renderOrder } from "#src/platform/lists/list.ts";
import type { SortKey } from "#src/platform/lists/sort_key.ts";
import { constantSql } from "#src/platform/lists/constant_sql.ts";
import { attentionView, handlingView, IS_STATUS_OPEN, isMarked } from "./attention_views.ts";
import {
  dividedFor,
  hasNumber,
  INVOICE_SORT,
  type InvoiceFilter,
  matching,
  type SortBy,
} from "./filter_views.ts";
import { fieldsView, type StoredFields, storedFields } from "./field_views.ts";
import { reasonText, STATUS_REASON, type StoredReason } from "./reason_views.ts";
import type { InvoiceRow } from "./store.ts";
import { labels, number } from "./views.ts";

/** Invoices with one number that come first in a search; a number is rarely used twice. */
const MAX_EXACT = 20;

/** Lists one page of invoices in the requested order, with their number counted up to a limit. */
export async function listInvoices(
  db: Db,
  { filter, page, sortBy, sortDir, language }: {
    filter: InvoiceFilter;
    page: PageRequest;
    sortBy: SortBy;
    sortDir: SortDirection;
    language: Language;
  },
) {
  const { rows, ...counted } = await listPage(
    db,
    {
      table: invoices,
      id: invoices.id,
      ...await orderFor(db, filter, sortBy),
      sortBy,
      sortDir,
      page,
    },
    (hits, tx) => summaries(tx, hits),
  );
  return { invoices: rows.map((row) => listedView(row, language)), ...counted };
}

/** Returns the order of a list. Invoices with exactly the searched number come first. */
async function orderFor(db: Db, filter: InvoiceFilter, sortBy: SortBy) {
  const keys = INVOICE_SORT[sortBy];
  const exact = filter.search
    ? await db.select({ id: invoices.id }).from(invoices).where(hasNumber(filter.search)).limit(
      MAX_EXACT,
    )
    : [];
  if (!exact.length) return { ...dividedFor(filter, sortBy), keys };
  const ids = sql.raw(exact.map(({ id }) => id).join());
  const isExact: SortKey = {
    expression: sql`case when ${invoices.id} in (${ids}) then 1 end`,
    type: "integer",
    nullable: true,
  };
  return { filter: matching(filter), isUnindexed: true, keys: [isExact, ...keys] };
}

/** Returns the ids of matching invoices in the order of the list, read in one statement. */
export async function idsInOrder(
  db: Db,
  { filter, sortBy, sortDir, most }: {
    filter: InvoiceFilter;
    sortBy: SortBy;
    sortDir: SortDirection;
    most: number;
  },
): Promise<number[]> {
  const { keys } = await orderFor(db, filter, sortBy);
  const order = renderOrder({ keys, sortDir }).withNulls;
  const rows = await db.select({ id: invoices.id }).from(invoices).where(matching(filter))
    .orderBy(order).limit(most);
  return rows.map(({ id }) => id);
}

/** Returns invoices as the list shows them, in the order of these ids. Invoices that no longer exist are left out. */
export async function readSummaries(db: Db, ids: readonly number[], language: Language) {
  const rows = await summaries(db, {
    from: sql`unnest(${`{${ids.join(",")}}`}::bigint[]) with ordinality as hits (id, place)`,
    id: sql.raw("hits.id"),
    fields: { position: sql<string>`''`, total: sql<number>`0` },
    order: sql.raw("hits.place"),
  });
  return rows.map((row) => listedView(row, language));
}

/** Returns the keys of matching invoices, the oldest first. */
export async function listInvoiceKeys(
  db: Db,
  { filter, limit }: { filter: InvoiceFilter; limit: number },
): Promise<InvoiceKey[]> {
  const { doc, dct, kco } = invoices;
  return await db.select({ doc, dct, kco }).from(invoices).where(matching(filter))
    .orderBy(asc(invoices.issueDate), asc(invoices.id)).limit(limit);
}

/** Reads the rows as one JSON text, since reading fifty rows value by value costs more than finding them. */
async function summaries(db: Db, { from, id, fields, order }: Hits): Promise<ListedSummary[]> {
  const { position, total } = fields;
  const rows = sql`select ${LISTED}, ${position} as position, ${total} as total
    from ${from} join invoices on invoices.id = ${id} order by ${order}`;
  const [row] = getRows<{ listed: string }>(
    await db.execute(sql`select coalesce(json_agg(it), '[]')::text as listed from (${rows}) it`),
  );
  return JSON.parse(row?.listed ?? "[]");
}

/** Most invoices that statistics count per status. Counting a million would take too long. */
export const MAX_PER_STATUS = 10_000;

/**
 * Counts the invoices of each status up to a limit. The filter limits them to issue dates (`YYYY-MM-DD`, both included)
 * or to a first moment of recording.
 */
export async function countByStatus(
  db: Db,
  filter: Pick<InvoiceFilter, "dateFrom" | "dateTo" | "recordedFrom">,
  language: Language,
) {
  const where = matching(filter);
  const counts = filter.recordedFrom
    ? sql`select status, count(*)::int as n from invoices where ${where} group by status`
    : countInIndex(where);
  const rows = getRows<{ status: string; n: number }>(
    await db.execute(sql`select * from (${counts}) counts where n > 0 order by status`),
  );
  return rows.map(({ status, n }) => ({
    status,
    count: Math.min(n, MAX_PER_STATUS),
    countIsCapped: n > MAX_PER_STATUS,
    ...labels(status, language),
  }));
}

/** Finds each status in the index that begins with the status, then counts its entries up to the limit. */
function countInIndex(where: SQL | undefined): SQL {
  return sql`with recursive codes as (
      (select status from invoices order by status limit 1)
      union all
      select (select it.status from invoices it where it.status > codes.status order by it.status limit 1)
      from codes where codes.status is not null
    )
    select status, (select count(*)::int from (
      select 1 from invoices where invoices.status = codes.status${
    where && sql` and ${where}`
  } limit ${sql.raw(String(MAX_PER_STATUS + 1))}
    ) counted) as n
    from codes where status is not null`;
}

const SUMMARY = {
  ...storedFields(fieldsIn("list")),
  status: invoices.status,
  direction: invoices.direction,
  treatment: invoices.treatment,
  attention: invoices.attention,
  template: invoices.template,
  processType: invoices.processType,
  settledAmount: invoices.settledAmount,
  handledAt: invoices.handledAt,
  handledBy: invoices.handledBy,
  handledComment: invoices.handledComment,
};

/** Selects the latest submission of an invoice if it is blocked. It reads at most one row by its unique key. */
const BLOCKED_SUBMISSION: SQL = sql.raw(`(select submissions.id from submissions
    where submissions.invoice_id = invoices.id and submissions.generation = invoices.generation
      and submissions.state = 'parked')`);

/** True for a received invoice with a fatal finding. It reads one entry of the index `findings_of_invoice` and its few rows. */
const BREAKS_BINDING_RULE: SQL = sql.raw(`(invoices.direction = 'received' and exists (
    select from findings where findings.invoice_id = invoices.id and findings.level = 'FATAL'))`);

const LISTED = constantSql(sql.join(
  [
    ...Object.entries(SUMMARY).map(([name, column]) => sql`${column} as ${sql.identifier(name)}`),
    sql`${STATUS_REASON} as reason`,
    sql`${BLOCKED_SUBMISSION} as ${sql.identifier("blockedSubmission")}`,
    sql`${BREAKS_BINDING_RULE} as ${sql.identifier("breaksBindingRule")}`,
    sql`not (${IS_STATUS_OPEN}) as ${sql.identifier("isHandled")}`,
  ],
  sql`, `,
));

type Summary =
  & StoredFields<FieldIn<"list">>
  & Pick<
    InvoiceRow,
    | "attention"
    | "direction"
    | "handledBy"
    | "handledComment"
    | "invoiceType"
    | "processType"
    | "status"
    | "template"
    | "treatment"
  >
  & {
    readonly isHandled: boolean;
    readonly handledAt: Date | string | null;
    readonly settledAmount: number | string | null;
  };
type ListedSummary = Summary & {
  reason: StoredReason | null;
  blockedSubmission: string | null;
  breaksBindingRule: boolean;
  position: string;
  total: number;
};

/** Invoice as the list shows it. */
export type Listed = ReturnType<typeof listedView>;

function listedView(it: ListedSummary, language: Language) {
  return {
    ...summaryView(it, language),
    statusReason: reasonText(it.reason, language),
    statusReasonCode: it.reason?.code ?? null,
    blockedSubmission: it.blockedSubmission,
    breaksBindingRule: it.breaksBindingRule,
  };
}

function summaryView(it: Summary, language: Language) {
  return {
    ...fieldsView(it, fieldsIn("list")),
    status: it.status,
    ...labels(it.status, language),
    direction: it.direction,
    role: ourRole(it),
    treatment: it.treatment,
    attention: attentionView(it, language),
    statusHandling: handlingView(it),
    template: it.template,
    settledAmount: number(it.settledAmount),
    openAmount: it.totalTTC === null ? null : Number(formatDecimal(computeOpen({
      ...it,
      amountDue: text(it.amountDue),
      totalTTC: text(it.totalTTC),
      settledAmount: text(it.settledAmount),
    }))),
  };
}

/** Returns an amount as decimal text; rows of lists have numbers. */
function text(amount: number | string | null): string | null {
  return amount === null ? null : String(amount);
}

/** Returns an invoice as `GET /api/invoices/{id}` shows it. Amounts are in its currency; a missing one is null. */
export function detailView(it: InvoiceRow, language: Language) {
  return {
    id: formatInvoiceKey(it),
    ...summaryView({ ...it, isHandled: isMarked(it) }, language),
    ...fieldsView(it, fieldsIn("detail")),
    statusAt: it.statusAt.toISOString(),
    reasonCode: it.reasonCode,
    jobNumber: it.jobNumber ?? "",
    generation: it.generation,
    paUuid: it.paUuid,
    createdAt: it.createdAt.toISOString(),
    updatedAt: it.updatedAt.toISOString(),
    treatmentDetails: detailsView(it, language),
  };
}

function detailsView(
  { treatment, treatmentDetails, paRule, paRuleSource }: InvoiceRow,
  language: Language,
) {
  if (!treatment || !treatmentDetails) return null;
  const { source, reports, warnings, question } = treatmentDetails;
  return {
    source,
    processingRule: declaredRule(treatment) ?? null,
    businessProcess: businessProcess(treatment, paRule),
    reports: [...reports],
    warnings: warnings.map((it) => it[language]),
    question: question
      ? { reason: question.reason[language], choices: [...question.choices] }
      : null,
    paRule,
    paRuleSource,
    differsFromPa: differsFromPa(treatment, paRule),
  };
}
