DROP TABLE IF EXISTS "idempotency_keys" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "findings" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "invoice_documents" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "invoice_lines" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "invoice_vat" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "invoices" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "lifecycle_events" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "live_events" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "run_items" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "run_logs" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "runs" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "pa_cursors" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "pa_flows" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "pa_quarantine" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "submission_attempts" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "submissions" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "tasks" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "templates" CASCADE;
