ALTER TABLE "log_batches" ALTER COLUMN "lines" SET STORAGE EXTERNAL;
--> statement-breakpoint
ALTER TABLE "log_batches" ALTER COLUMN "lines" SET COMPRESSION DEFAULT;
--> statement-breakpoint
ALTER TABLE "status_messages" ALTER COLUMN "payload" SET COMPRESSION DEFAULT;
--> statement-breakpoint
ALTER TABLE "invoice_documents" ALTER COLUMN "content" SET COMPRESSION DEFAULT;
