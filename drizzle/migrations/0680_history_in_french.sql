CREATE OR REPLACE VIEW passerelle.invoice_history AS SELECT
  invoice_id, seq, status_code, message, reason_code, action_code, source, occurred_at, created_at, message_fr
FROM public.lifecycle_events;
