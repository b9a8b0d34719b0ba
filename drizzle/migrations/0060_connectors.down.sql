DROP TABLE IF EXISTS "schedule_runs" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "downloads" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "inbound_files" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "upload_usage" CASCADE;
--> statement-breakpoint
DROP TABLE IF EXISTS "saved_queries" CASCADE;
