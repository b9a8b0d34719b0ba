import { sql } from "drizzle-orm";
import { findings, invoices, runItems } from "#drizzle/schema/mod.ts";
import { CREDIT_NOTES } from "#src/domain/invoice/credit_notes.ts";
import { formatInvoiceKey } from "#src/domain/invoice/key.ts";
import { isGood, isOpen, ITEM_STATES, type ItemState } from "#src/domain/processing/run.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { type Db, getRows } from "#src/ports/db.ts";
import { findRun } from "./store.ts";

const MAX_CAUSES = 50;
const MAX_NAMED = 20;
const FAILED = ITEM_STATES.filter((it) => !isGood(it) && !isOpen(it));

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
 * finding, since later ones often follow from it; without a finding it is the message, apart from its figures.
 */
export async function listCauses(db: Db, runId: string, language: Language) {
  const run = await findRun(db, runId);
  if (!run) throw notFound("Run", runId);
  const isStored = run.mode !== "UBL_VALIDATE";
  const text = language === "fr"
    ? sql`coalesce(first.message_fr, item.message_fr, item.message)`
    : sql`coalesce(first.message_en, item.message)`;
  const rows = getRows<CauseRow>(
    await db.execute(sql`
    with item as (
      select index, line, doc, dct, kco, state, message, message_fr,
        number as file_number, amount as file_amount, currency as file_currency
      from ${runItems} where run_id = ${runId} and state in ${FAILED}
    ), first as (
      select distinct on (doc, dct, kco) doc, dct, kco, source, rule, message as message_fr, message_en, source_field
      from ${findings} where run_id = ${runId} and level in ('FATAL', 'ERROR')
      order by doc, dct, kco, level = 'ERROR', seq
    ), caused as (
      select item.*, first.source, first.rule, first.source_field, ${text} as cause, invoice.id as invoice_id,
        coalesce(file_number, invoice.ubl_number) as number, coalesce(file_currency, invoice.currency) as currency,
        coalesce(file_amount, case when invoice.invoice_type in ${[...CREDIT_NOTES]}
          then -abs(invoice.total_ttc) else invoice.total_ttc end) as amount,
        jsonb_build_array(item.state, first.source, first.rule, first.source_field, case when first.rule is null
          then regexp_replace(coalesce(item.message, ''), '\\d+', '#', 'g') end)::text as key
      from item
      left join first on (first.doc, first.dct, first.kco) = (item.doc, item.dct, item.kco)
      left join ${invoices} invoice on ${isStored}
        and (invoice.doc, invoice.dct, invoice.kco) = (item.doc, item.dct, item.kco)
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
