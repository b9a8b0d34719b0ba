DROP INDEX "tasks_waiting";
--> statement-breakpoint
DROP INDEX "runs_under_way";
--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "served_at";
--> statement-breakpoint
ALTER TABLE "runs" DROP COLUMN "next_item";
