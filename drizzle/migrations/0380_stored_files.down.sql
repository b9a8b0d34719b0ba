ALTER TABLE "runs" DROP COLUMN "file_size";
--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "file_version";
--> statement-breakpoint
DROP TABLE "stored_chunks";
--> statement-breakpoint
DROP TABLE "stored_contents";
--> statement-breakpoint
DROP TABLE "stored_files";
