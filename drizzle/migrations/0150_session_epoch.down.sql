UPDATE "sessions" SET "ended_at" = now(), "ended_by" = 'ended with its user''s sessions'
FROM "users" WHERE "users"."username" = "sessions"."username" AND "users"."session_epoch" <> "sessions"."epoch"
  AND "sessions"."ended_at" IS NULL;
--> statement-breakpoint
ALTER TABLE "sessions" DROP COLUMN "epoch";
--> statement-breakpoint
ALTER TABLE "users" DROP COLUMN "session_epoch";
