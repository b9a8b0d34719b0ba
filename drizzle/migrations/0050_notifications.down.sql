DROP TABLE IF EXISTS "inbox_reads" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "notification_pdfs" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "notification_deliveries" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "notification_dispatches" CASCADE;
