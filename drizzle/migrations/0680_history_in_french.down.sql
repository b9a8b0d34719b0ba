DROP VIEW passerelle.invoice_history;
--> statement-breakpoint
CREATE VIEW passerelle.invoice_history AS SELECT
  invoice_id, seq, status_code, message, reason_code, action_code, source, occurred_at, created_at
FROM public.lifecycle_events;
