import { sql } from "drizzle-orm";
import type { Db } from "#src/ports/db.ts";

/** Fills every listed table with rows as after a year of use; the server generates them. */
export async function fillLists(db: Db, rows: number): Promise<void> {
  await fillInvoices(db, rows);
  for (const statement of OTHERS) {
    await db.execute(sql.raw(statement.replaceAll("$ROWS", String(rows))));
  }
}

/**
 * Inserts invoices of three years and twelve companies. Statuses are as rare as one in a thousand or as frequent as one
 * half. One in twenty has no due date. They are issued to 900 customers, or received from 700 suppliers.
 */
export async function fillInvoices(db: Db, rows: number): Promise<void> {
  await withoutIndexes(db, "invoices", () =>
    db.execute(sql.raw(`insert into invoices
      (doc, dct, kco, direction, ubl_number, issue_date, due_date, invoice_type, currency, total_ht, total_ttc, amount_due,
       customer_ref, customer_name, customer_sort, supplier_name, status, search_text, created_at)
      select n::text, (array['RI','RM','RI','RI'])[1 + n % 4], lpad((1 + n % 12)::text, 5, '0'),
        case when n % 5 = 0 then 'received' else 'issued' end, 'RI-' || n, date '2024-01-01' + (n::bigint * 1000 / ${rows})::int,
        case when n % 20 = 0 then null else date '2024-02-01' + (n::bigint * 1000 / ${rows})::int end,
        (array['380','381','380'])[1 + n % 3], case when n % 30 = 0 then 'USD' else 'EUR' end, x, x * 1.2, x * 1.2,
        (400000000 + n % 900)::text,
        case when n % 5 = 0 then 'Société ' || n % 12 else 'Groupe Hélios ' || n % 900 end,
        case when n % 5 = 0 then 'societe ' || n % 12 else 'groupe helios ' || n % 900 end,
        case when n % 5 = 0 then 'Fournisseur ' || n % 700 else 'Société ' || n % 12 end,
        case when n % 1000 = 0 then '9904' when n % 100 = 0 then '9907' when n > ${rows} - 500 then '9906'
          else (array['10','205','212','10'])[1 + n % 4] end,
        'ri ' || n || ' groupe helios ' || n % 900 || ' ' || (400000000 + n % 900),
        timestamptz '2024-01-01' + n * interval '60 s'
      from (select n, (n::bigint * 7919) % 900000 / 100.0 as x from generate_series(1, ${rows}) n) it`)));
  await db.execute(sql`vacuum analyze invoices`);
}

/** Rebuilds indexes after filling, because that takes a tenth of the time of updating them per row. */
async function withoutIndexes(db: Db, table: string, fill: () => PromiseLike<unknown>) {
  const result = await db.execute(
    sql`select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made
    from pg_index i where i.indrelid = ${table}::regclass and not i.indisunique`,
  );
  const indexes = (result as unknown as { rows: { name: string; made: string }[] }).rows;
  for (const { name } of indexes) await db.execute(sql.raw(`drop index ${name}`));
  await fill();
  for (const { made } of indexes) await db.execute(sql.raw(made));
}

const ID = "('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid";
const AT = "timestamptz '2026-01-01' + n * interval '60 s'";
const ALL = "from generate_series(1, $ROWS) n";

const OTHERS = [
  `insert into runs (id, template, started_by, file, mode, source_type, state, created_at)
    select ${ID}, 'T' || n % 100, 'user-' || n % 100, 'in/report-' || n || '.xml', 'BURST', 'xml', (array['finished','failed'])[1 + (n % 50 = 0)::int], ${AT} ${ALL}`,
  `insert into findings (invoice_id, run_id, doc, dct, kco, seq, level, source, rule, message, message_en, search_text, created_at)
    select n, ${ID}, n::text, 'RI', '00001', n % 7, (array['WARNING','INFO','ERROR','FATAL'])[1 + (n % 5) % 4], 'en16931',
      'BR-' || n % 300, 'Règle ' || n % 300 || ' non respectée', 'Rule ' || n % 300 || ' is broken',
      n || ' br regle rule non respectee is broken ' || n % 300, ${AT} ${ALL}`,
  `insert into notification_deliveries (id, event_id, rule, channel, address, state, notice, created_at)
    select ${ID}, ${ID}, 'rule-' || n % 40, (array['portal','email','action'])[1 + n % 3],
      (array['*','user:ada','user:bob'])[1 + n / 3 % 3], (array['sent','sent','failed','dead'])[1 + (n % 500 = 0)::int * 3],
      '{"doc":"1","dct":"RI","kco":"00001","status":"10"}', ${AT} ${ALL}`,
  `insert into submissions (id, invoice_id, generation, state, payload_sha256, created_at, updated_at)
    select ${ID}, n, 1, case when n % 1000 = 0 then 'rejected' when n % 5000 = 1 then 'intent' when n % 5000 = 2 then 'parked'
      else 'accepted' end, '', ${AT}, ${AT} ${ALL}`,
  `insert into status_messages (id, invoice_id, status_code, state, payload, payload_sha256, said, occurred_at, created_by, created_at)
    select ${ID}, n, '205', case when n % 1000 = 0 then 'refused' when n % 5000 = 1 then 'parked' else 'taken' end, '', '', '{}',
      ${AT}, 'user-' || n % 50, ${AT} ${ALL}`,
  `insert into tasks (queue, name, payload, state, max_attempts)
    select 'submission', 'submit_invoice', jsonb_build_object('submissionId', ${ID}), 'dead', 5 ${ALL}`,
  `insert into pa_quarantine (flow_id, kind, reason, created_at)
    select n::text, (array['unreadable','failed','waiting'])[1 + n % 3], '', ${AT} ${ALL}`,
  `insert into audit_log (seq, at, actor, event, target, previous_hash, hash)
    select 1000000 + n, ${AT}, 'user-' || n % 50, 'user.changed.' || n % 50, 'target-' || n % 5000, '', '' ${ALL}`,
  ...[
    "runs",
    "findings",
    "notification_deliveries",
    "submissions",
    "status_messages",
    "tasks",
    "pa_quarantine",
    "audit_log",
  ]
    .map((it) => `vacuum analyze ${it}`),
];
