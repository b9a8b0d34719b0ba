alter table invoices
  add column tax_currency text,
  add column tax_total numeric(24,6),
  add column vat_on_receipt boolean,
  add column settled_amount numeric(24,6),
  add column deposited_at timestamptz
--> statement-breakpoint
update invoices set vat_on_receipt = true where treatment_details ->> 'vatOnReceipt' = 'true'
--> statement-breakpoint
update invoices set deposited_at = it.at
from (select invoice_id, min(occurred_at) as at from lifecycle_events where status_code = '10' group by invoice_id) it
where invoices.id = it.invoice_id
--> statement-breakpoint
update invoices set settled_amount = it.amount
from (
  select e.invoice_id, sum((part ->> 'amount')::numeric) as amount
  from lifecycle_events e
    join invoices i on i.id = e.invoice_id
    cross join lateral jsonb_array_elements(
      case when jsonb_typeof(e.data -> 'amounts') = 'array' then e.data -> 'amounts' else '[]' end
    ) part
  where part ->> 'currency' = i.currency
    and e.status_code = case
      when (i.direction = 'issued') <> coalesce(i.invoice_type in ('389', '500', '471', '261', '501', '473', '502'), false)
      then '212' else '211' end
  group by e.invoice_id
) it
where invoices.id = it.invoice_id
