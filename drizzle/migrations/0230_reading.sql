CREATE SCHEMA passerelle;
--> statement-breakpoint
CREATE VIEW passerelle.invoices AS SELECT
  id, doc, dct, kco, direction, template, ubl_number, issue_date, due_date, invoice_type, process_type, currency,
  total_ht, total_vat, total_ttc, amount_due, supplier_ref, supplier_siren, supplier_name, customer_ref, customer_name,
  order_ref, contract_ref, status, status_at, reason_code, pa_uuid, job_number, created_at, updated_at
FROM public.invoices;
--> statement-breakpoint
CREATE VIEW passerelle.invoice_lines AS SELECT
  invoice_id, seq, line_id, description, item_id, quantity, unit, unit_price, line_amount, allowance, currency, tax_category,
  tax_rate, tax_exemption
FROM public.invoice_lines;
--> statement-breakpoint
CREATE VIEW passerelle.invoice_vat AS SELECT
  invoice_id, seq, tax_category, tax_rate, taxable_amount, tax_amount, currency, tax_exemption
FROM public.invoice_vat;
--> statement-breakpoint
CREATE VIEW passerelle.invoice_history AS SELECT
  invoice_id, seq, status_code, message, reason_code, action_code, source, occurred_at, created_at
FROM public.lifecycle_events;
--> statement-breakpoint
CREATE VIEW passerelle.findings AS SELECT
  id, invoice_id, run_id, doc, dct, kco, seq, level, source, rule, message, message_en, business_term, location, line, col,
  value, expected, source_field, evaluated, created_at
FROM public.findings;
--> statement-breakpoint
CREATE VIEW passerelle.deliveries AS SELECT
  id, event_id, rule, channel, state, notice ->> 'doc' AS doc, notice ->> 'dct' AS dct, notice ->> 'kco' AS kco, attempts,
  created_at, settled_at
FROM public.notification_deliveries;
--> statement-breakpoint
CREATE VIEW passerelle.runs AS SELECT
  id, template, file, mode, source_type, job_number, state, total, error, error_fr, started_by, created_at, finished_at
FROM public.runs;
