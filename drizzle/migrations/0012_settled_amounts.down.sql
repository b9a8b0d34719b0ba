drop view passerelle.invoices
--> statement-breakpoint
create view passerelle.invoices as
 select invoices.id,
    invoices.doc,
    invoices.dct,
    invoices.kco,
    invoices.direction,
    invoices.template,
    invoices.ubl_number,
    invoices.issue_date,
    invoices.due_date,
    invoices.invoice_type,
    invoices.process_type,
    invoices.currency,
    invoices.total_ht,
    invoices.total_vat,
    invoices.total_ttc,
    invoices.amount_due,
    invoices.supplier_ref,
    invoices.supplier_siren,
    invoices.supplier_name,
    invoices.customer_ref,
    invoices.customer_name,
    invoices.order_ref,
    invoices.contract_ref,
    invoices.status,
    invoices.status_at,
    invoices.reason_code,
    invoices.pa_uuid,
    invoices.job_number,
    invoices.created_at,
    invoices.updated_at,
    invoices.id = any (array(
      select submissions.invoice_id from submissions
        join invoices latest on latest.id = submissions.invoice_id and latest.generation = submissions.generation
      where submissions.state = 'parked')) as is_blocked
   from invoices
