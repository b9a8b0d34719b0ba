import { type SQL, sql } from "drizzle-orm";
import { findings, invoices, runItems, runLogs } from "#drizzle/schema/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { isFailure, ITEM_STATES, type ItemState } from "#src/domain/processing/run.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { findRun, type RunRow } from "./store.ts";
import { HAS_FAILED, IS_BLOCKED, IS_CORRECTED, selectFailure } from "./unchanged_views.ts";

const MAX_CAUSES = 50;
const MAX_NAMED = 20;
const FAILED = ITEM_STATES.filter(isFailure);

interface CauseRow {
  readonly outcome: ItemState;
  readonly source: string | null;
  readonly rule: string | null;
  readonly message: string | null;
  readonly field: string | null;
  readonly count: number;
  readonly amounts: { readonly currency: string; readonly amount: string }[] | null;
  readonly named: readonly {
    readonly index: number;
    readonly line: number;
    readonly doc: string | null;
    readonly dct: string | null;
    readonly kco: string | null;
    readonly number: string | null;
    readonly stored: boolean;
  }[];
}

/**
 * Groups the failed invoices of a run by cause, the most frequent first. The cause of an invoice is its first blocking
 * finding, since later ones often follow from it; without a finding it is the message, apart from its figures. An invoice
 * rejected by the rules has the findings of its latest file. Unchanged invoices that failed before are among them. Those
 * that were corrected since are not, nor those that a stopped run never started. A preview stores no findings: its log has
 * them.
 */
export async function listCauses(db: Db, runId: string, language: Language) {
  const run = await findRun(db, runId);
  if (!run) throw notFound("Run", runId);
  const text = language === "fr"
    ? sql`coalesce(first.message_fr, item.message_fr, item.message)`
    : sql`coalesce(first.message_en, item.message)`;
  const rows = getRows<CauseRow>(
    await db.execute(sql`
    with item as (${selectFailed(run, language)}), of_run as (
      select distinct on (doc, dct, kco) doc, dct, kco, source, rule, message as message_fr, message_en, source_field
      from ${findings} where run_id = ${runId} and level in ('FATAL', 'ERROR')
      order by doc, dct, kco, level = 'ERROR', seq
    ), of_invoice as (
      select distinct on (item.index) item.index, source, rule, findings.message as message_fr, message_en, source_field
      from item join ${findings} using (invoice_id) where is_rejected and level in ('FATAL', 'ERROR')
      order by item.index, level = 'ERROR', seq
    ), of_preview as (${selectFromLog(run)}), first as (
      select index, source, rule, message_fr, message_en, source_field from of_invoice
      union all
      select index, source, rule, message_fr, message_en, source_field from of_preview
      union all
      select index, source, rule, of_run.message_fr, message_en, source_field
      from item join of_run using (doc, dct, kco)
      where not exists (select 1 from of_invoice where of_invoice.index = item.index)
    ), caused as (
      select item.*, first.source, first.rule, first.source_field, ${text} as cause,
        coalesce(file_number, ubl_number) as number, coalesce(file_currency, invoice_currency) as currency,
        coalesce(file_amount, invoice_amount) as amount,
        jsonb_build_array(item.state, first.source, first.rule, first.source_field, case when first.rule is null
          then regexp_replace(coalesce(item.message, ''), '\\d+', '#', 'g') end)::text as key
      from item left join first using (index)
    ), sums as (
      select key, json_agg(json_build_object('currency', currency, 'amount', trim_scale(amount)::text)
        order by currency) as amounts
      from (
        select key, currency, sum(amount) as amount from caused
        where currency is not null and amount is not null group by key, currency
      ) of_currency group by key
    )
    select min(state) as outcome, min(source) as source, min(rule) as rule,
      (array_agg(cause order by index))[1] as message,
      min(source_field) as field,
      count(*)::int as count,
      (array_agg(sums.amounts))[1] as amounts,
      to_json((array_agg(json_build_object('index', index, 'line', line,
        'doc', doc, 'dct', dct, 'kco', kco, 'number', number, 'stored', invoice_id is not null)
        order by index))[1:${sql.raw(String(MAX_NAMED))}]) as named
    from caused left join sums using (key)
    group by key
    order by count desc, min(index) limit ${MAX_CAUSES}`),
  );
  return rows.map(({ named, amounts, ...cause }) => ({
    ...cause,
    amounts: amounts ?? [],
    invoices: named.map(({ doc, dct, kco, ...it }) => ({
      ...it,
      id: doc && dct && kco ? formatInvoiceKey({ doc, dct, kco }) : null,
    })),
  }));
}

/** Position of a finding at the end of its log entry, in either language (`logOfFinding`). */
const POSITION = " \\([^()]*[0-9]+, [^ ()]+ [0-9]+\\)$";
const POSITION_WITH_FIELD = " \\(field (.+), line [0-9]+, column [0-9]+\\)$";

/**
 * Selects the first blocking finding of each failed item of a preview from the run's log, whose entries begin with the key
 * of the invoice and end with the position.
 */
function selectFromLog({ id, preview }: RunRow): SQL {
  const getText = (message: SQL) =>
    sql`case when item.state = 'rejected' and item.kco is not null then regexp_replace(ltrim(
      substr(${message}, length(concat_ws('-', item.doc, item.dct, item.kco)) + 1), ' :'), ${POSITION}, '') end`;
  const french = getText(sql`coalesce(log.message_fr, log.message)`);
  return sql`select distinct on (item.index) item.index, log.module as source, log.submodule as rule,
        ${french} as message_fr, ${getText(sql`log.message`)} as message_en,
        substring(log.message from ${POSITION_WITH_FIELD}) as source_field
      from item join ${runLogs} as log on log.item = item.index
      where ${preview} and log.run_id = ${id} and item.state in ('rejected', 'failed') and is_rejected is not true
        and log.severity in ('FATAL', 'ERROR') and log.module <> 'processing'
      order by item.index, log.severity = 'ERROR', log.id`;
}

/**
 * Selects the failed items of a run with the amounts of their invoices. Unchanged ones have the outcome and the reason of
 * their earlier failure.
 */
function selectFailed(run: RunRow, language: Language): SQL {
  const isStored = run.mode !== "UBL_VALIDATE";
  const corrected = isStored && !run.preview ? IS_CORRECTED : sql`false`;
  const failure = selectFailure(language);
  return sql`select index, line, run_items.doc, run_items.dct, run_items.kco,
        case when run_items.state <> 'unchanged' then run_items.state when ${IS_BLOCKED} then 'blocked'
          when invoices.status = '9907' then 'rejected' when invoices.status = '9904' then 'send_failed'
          else 'unchanged' end as state,
        case when run_items.state = 'unchanged' then ${failure} else message end as message,
        case when run_items.state = 'unchanged' then ${failure} else message_fr end as message_fr,
        number as file_number, amount as file_amount, run_items.currency as file_currency,
        invoices.id as invoice_id, invoices.ubl_number, invoices.currency as invoice_currency,
        case when invoices.invoice_type in ${[...CREDIT_NOTES]}
          then -abs(invoices.total_ttc) else invoices.total_ttc end as invoice_amount,
        invoices.status = '9907' and (run_items.state = 'unchanged'
          or not ${run.preview} and run_items.state in ('rejected', 'failed')) as is_rejected
      from ${runItems}
      left join ${invoices} on ${isStored}
        and (invoices.doc, invoices.dct, invoices.kco) = (run_items.doc, run_items.dct, run_items.kco)
      where run_id = ${run.id} and (run_items.state in ${FAILED} and not ${corrected}
        or run_items.state = 'unchanged' and ${isStored} and coalesce(${HAS_FAILED}, false))`;
}
