ALTER TABLE "users" ADD COLUMN "session_epoch" bigint DEFAULT 1 NOT NULL;
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "epoch" bigint DEFAULT 1 NOT NULL;
