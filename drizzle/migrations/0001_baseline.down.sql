drop schema passerelle cascade
--> statement-breakpoint
drop table audit_log cascade
--> statement-breakpoint
drop table notification_deliveries cascade
--> statement-breakpoint
drop table invoices cascade
--> statement-breakpoint
drop table runs cascade
--> statement-breakpoint
drop table ai_conversations cascade
--> statement-breakpoint
drop table ai_questions cascade
--> statement-breakpoint
drop table ai_usage cascade
--> statement-breakpoint
drop table applications cascade
--> statement-breakpoint
drop table breakers cascade
--> statement-breakpoint
drop table call_rates cascade
--> statement-breakpoint
drop table clock_marks cascade
--> statement-breakpoint
drop table configuration_revisions cascade
--> statement-breakpoint
drop table configuration_sections cascade
--> statement-breakpoint
drop table daily_usage cascade
--> statement-breakpoint
drop table downloads cascade
--> statement-breakpoint
drop table evidence_contents cascade
--> statement-breakpoint
drop table idempotency_keys cascade
--> statement-breakpoint
drop table inbound_files cascade
--> statement-breakpoint
drop table installations cascade
--> statement-breakpoint
drop table job_runs cascade
--> statement-breakpoint
drop table job_schedules cascade
--> statement-breakpoint
drop table live_events cascade
--> statement-breakpoint
drop table live_tickets cascade
--> statement-breakpoint
drop table log_batches cascade
--> statement-breakpoint
drop table log_entries cascade
--> statement-breakpoint
drop table modules cascade
--> statement-breakpoint
drop table notification_dispatches cascade
--> statement-breakpoint
drop table notification_pdfs cascade
--> statement-breakpoint
drop table opened_pools cascade
--> statement-breakpoint
drop table pa_cursors cascade
--> statement-breakpoint
drop table pa_flows cascade
--> statement-breakpoint
drop table pa_quarantine cascade
--> statement-breakpoint
drop table pa_webhook_calls cascade
--> statement-breakpoint
drop table pa_webhooks cascade
--> statement-breakpoint
drop table paces cascade
--> statement-breakpoint
drop table record_locks cascade
--> statement-breakpoint
drop table roles cascade
--> statement-breakpoint
drop table rule_overrides cascade
--> statement-breakpoint
drop table rule_sets cascade
--> statement-breakpoint
drop table saved_queries cascade
--> statement-breakpoint
drop table schema_revisions cascade
--> statement-breakpoint
drop table sign_in_attempts cascade
--> statement-breakpoint
drop table signing_keys cascade
--> statement-breakpoint
drop table stored_contents cascade
--> statement-breakpoint
drop table stored_files cascade
--> statement-breakpoint
drop table stylesheet_revisions cascade
--> statement-breakpoint
drop table tasks cascade
--> statement-breakpoint
drop table templates cascade
--> statement-breakpoint
drop table themes cascade
--> statement-breakpoint
drop table upload_usage cascade
--> statement-breakpoint
drop table users cascade
--> statement-breakpoint
drop table findings cascade
--> statement-breakpoint
drop table lifecycle_events cascade
--> statement-breakpoint
drop table invoice_lines cascade
--> statement-breakpoint
drop table invoice_vat cascade
--> statement-breakpoint
drop table ai_messages cascade
--> statement-breakpoint
drop table ai_shares cascade
--> statement-breakpoint
drop table configuration_texts cascade
--> statement-breakpoint
drop table evidence cascade
--> statement-breakpoint
drop table inbox_reads cascade
--> statement-breakpoint
drop table invoice_documents cascade
--> statement-breakpoint
drop table job_authors cascade
--> statement-breakpoint
drop table job_logs cascade
--> statement-breakpoint
drop table job_rows cascade
--> statement-breakpoint
drop table job_steps cascade
--> statement-breakpoint
drop table pa_quarantine_files cascade
--> statement-breakpoint
drop table run_items cascade
--> statement-breakpoint
drop table run_logs cascade
--> statement-breakpoint
drop table sessions cascade
--> statement-breakpoint
drop table status_messages cascade
--> statement-breakpoint
drop table stored_chunks cascade
--> statement-breakpoint
drop table submissions cascade
--> statement-breakpoint
drop table user_identities cascade
--> statement-breakpoint
drop table user_roles cascade
--> statement-breakpoint
drop table refresh_tokens cascade
--> statement-breakpoint
drop table submission_attempts cascade
--> statement-breakpoint
drop sequence template_versions
--> statement-breakpoint
drop function is_payable
--> statement-breakpoint
drop function evidence_stays
--> statement-breakpoint
drop function passerelle_note_clock
--> statement-breakpoint
drop function passerelle_notify
--> statement-breakpoint
drop function refuse_change_of_audit
