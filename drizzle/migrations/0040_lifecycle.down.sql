DROP TABLE IF EXISTS "evidence" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "evidence_contents" CASCADE;
--> statement-breakpoint
DROP FUNCTION IF EXISTS "evidence_stays"();
--> statement-breakpoint
DROP TABLE IF EXISTS "pa_webhook_calls" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "pa_webhooks" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "status_messages" CASCADE;
--> statement-breakpoint
DROP INDEX IF EXISTS "pa_quarantine_due";
--> statement-breakpoint
DROP INDEX IF EXISTS "pa_quarantine_waiting";
--> statement-breakpoint
ALTER TABLE "pa_quarantine" DROP COLUMN IF EXISTS "kind", DROP COLUMN IF EXISTS "attempts", DROP COLUMN IF EXISTS "next_at", DROP COLUMN IF EXISTS "invoice_number", DROP COLUMN IF EXISTS "supplier_siren";
--> statement-breakpoint
DROP INDEX IF EXISTS "pa_flows_by_tracking";
--> statement-breakpoint
ALTER TABLE "pa_flows" DROP COLUMN IF EXISTS "tracking_id", DROP COLUMN IF EXISTS "submitted_at";
--> statement-breakpoint
ALTER TABLE "pa_cursors" DROP COLUMN IF EXISTS "scan_newest", DROP COLUMN IF EXISTS "lease_holder", DROP COLUMN IF EXISTS "lease_until", DROP COLUMN IF EXISTS "started_at", DROP COLUMN IF EXISTS "covers_until";
