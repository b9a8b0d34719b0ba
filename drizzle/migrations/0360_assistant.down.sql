ALTER TABLE "live_events" DROP COLUMN "audience";
--> statement-breakpoint
DROP TABLE "ai_usage";
